"""MCDP: Monte-Carlo search that turns into dynamic programming as states shrink.

- `config`: the settings
- `tree`: states, their bounds and the edges between them, and what may be forgotten
- `search`: episodes: choose, draw, evaluate, pass on
- `optimise`: MCDP on any decision process
- `game`: MCDP on games of guess and feedback
"""
