"""Word packs: shipped lists with their sources, lists of one's own, and dictionaries."""
