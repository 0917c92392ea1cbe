"""Everything that looks ahead. It works on tables and legality, never on letters."""
