"""Agents that learn to play: a deep Q-network (`dqn`), a general network (`pair`) and one that is
trained on a single list (`policy`)."""
