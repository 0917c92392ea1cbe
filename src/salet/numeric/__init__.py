"""Numba, vector instructions and arrays on disk: what compiled code needs, and nothing of games."""
