"""The second learned agent: a network reads the set of remaining answers and names the guess."""
