"""The game itself: words, feedback, tables and states. Nothing here searches or prints."""
