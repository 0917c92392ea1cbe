"""Agents that learn to play: a deep Q-network (`dqn`) and a policy network (`policy`)."""
