"""Words, feedback, tables, states: the game itself. Nothing here searches or prints."""
