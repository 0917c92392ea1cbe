"""Gymnasium environments of the game, and toy-text environments as decision processes.

Importing this package registers `salet/Wordle-v0` with Gymnasium.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    import gymnasium

    if "salet/Wordle-v0" not in gymnasium.registry:
        gymnasium.register(
            id="salet/Wordle-v0",
            entry_point="salet.env.wordle:WordleEnv",
            vector_entry_point="salet.env.vector:WordleVectorEnv",
        )
