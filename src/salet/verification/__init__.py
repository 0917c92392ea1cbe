"""Independent checkers. They share no code with the search, so that nobody needs to trust it."""
