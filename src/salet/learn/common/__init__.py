"""What both agents share: configuration checks, word lists, run directories, metrics, weights."""
