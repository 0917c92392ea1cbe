"""Compiled code: kernels, vector instructions and a cache of arrays. Nothing here knows games."""
