"""Checks that share nothing with the search: code for those who trust nobody."""
