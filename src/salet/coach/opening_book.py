"""First guesses whose exact cost is stored: `benchmarks/openers.py` makes the file.

The cost of an opener takes seconds to find, and the best of all openers minutes to prove; with the
book the coach opens at once, without a table or compiled code. A shipped plan says which opener is
proven best; `lower` is what is proven where there is no plan.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import msgspec

from salet.game.game import Game
from salet.game.packs.store import checksum
from salet.search.value import Cost

FILE = Path(__file__).parent / "openers.json"


class StoredOpener(msgspec.Struct, frozen=True, kw_only=True):
    """A first guess and its exact cost."""

    guess: str
    losses: int
    guesses: int
    worst: int | None
    groups: int
    largest: int

    @property
    def cost(self) -> Cost:
        return Cost(self.losses, self.guesses)


class OpeningBook(msgspec.Struct, frozen=True, kw_only=True):
    """The stored openers of a game and mode."""

    game: str
    mode: str
    rule: str
    cap: int | None
    words: str
    """digest of the lists"""
    lower: int
    """no opener takes fewer guesses than this (a bound by the number of groups)"""
    openers: list[StoredOpener]
    """best first"""

    def find(self, guess: str) -> StoredOpener | None:
        """An opener by its word."""
        return next((opener for opener in self.openers if opener.guess == guess), None)


def words_digest(game: Game) -> str:
    """A short digest of a game's lists."""
    return f"{checksum(game.answers)[:12]}/{checksum(game.guesses)[:12]}"


@functools.cache
def _stored() -> tuple[OpeningBook, ...]:
    return tuple(msgspec.convert(json.loads(FILE.read_text("utf-8")), list[OpeningBook]))


def stored_book(game: Game) -> OpeningBook | None:
    """The book for just these words, rule, mode and cap; None if there is none."""
    if game.weights is not None:
        return None
    asked = (game.name, game.mode, game.rule.name, game.cap)
    for found in _stored():
        if (found.game, found.mode, found.rule, found.cap) == asked:
            return found if found.words == words_digest(game) else None
    return None
