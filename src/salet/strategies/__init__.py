"""Players: anything that answers `choose(state) -> guess`, by name, and their measurement."""
