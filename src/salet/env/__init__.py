"""Environments for learning agents, and toy-text environments as decision processes."""
