"""Hashable states of a game: equal if they have the same future."""

from __future__ import annotations

import hashlib

from salet.array_types import Indices
from salet.game.state import State


class SearchState:
    """A state of a game, equal to any other with the same possible answers, the same legal guesses
    and the same number of useful guesses left."""

    __slots__ = ("key", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        left, answers = state.guesses_left, len(state.candidates)
        depth = answers if left is None else min(left, answers)  # [useful depth]
        legal = b"" if state.game.mode == "normal" else _digest(state.legal)
        self.key = (_digest(state.candidates), depth, legal, state.won)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SearchState) and self.key == other.key

    def __repr__(self) -> str:
        turns = " ".join(f"{guess}:{feedback}" for guess, feedback in self.state.turns)
        return f"{turns or 'start'} ({len(self.state.candidates)} answers)"


def _digest(numbers: Indices) -> bytes:
    """A 128-bit digest, or the bytes themselves if they are shorter."""
    data = numbers.tobytes()
    return data if len(data) <= 16 else hashlib.blake2b(data, digest_size=16).digest()
