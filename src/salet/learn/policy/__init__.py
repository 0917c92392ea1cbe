"""The policy network: it reads the set of remaining answers and names the guess."""
