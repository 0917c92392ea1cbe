"""What agents share: configuration checks, word lists, run directories, training in rounds, metrics
and weights."""
