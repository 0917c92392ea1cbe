"""What results look like in a terminal or a file. Nothing here knows the command line."""
