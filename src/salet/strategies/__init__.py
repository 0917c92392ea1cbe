"""Players: anything that answers `choose(state) -> guess`, their registry and their simulation."""
