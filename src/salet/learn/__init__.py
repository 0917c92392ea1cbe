"""Agents that learn to play: networks, replay, the training loop and its files."""
