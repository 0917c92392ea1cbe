"""Word packs: shipped lists with their sources, the user's own lists, and dictionaries."""
