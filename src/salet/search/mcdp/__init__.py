"""MCDP: Monte-Carlo search that turns into dynamic programming as states shrink.

- `config`: the settings
- `tree`: nodes, their bounds, the edges between them, and eviction when memory runs short
- `search`: episodes: select, sample, evaluate, propagate
- `optimise`: MCDP on any decision process
- `game`: MCDP on games of guess and feedback
"""
