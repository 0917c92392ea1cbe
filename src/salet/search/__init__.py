"""Exact values, plans and anytime search: everything works on tables and legality, not letters."""
