"""First guesses whose worth has been found before: `benchmarks/openers.py` makes the file.

The worth of an opener takes seconds to find, and the best of all openers takes hours to prove; with
these the coach opens at once, without a table or compiled code. A plan that ships says which
opener is proven best; `lower` is what is proven where there is none.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import msgspec

from salet.coach.worth import Worth
from salet.game.game import Game
from salet.game.packs.store import checksum

FILE = Path(__file__).parent / "openers.json"


class Opener(msgspec.Struct, frozen=True, kw_only=True):
    """A first guess and its exact worth."""

    guess: str
    losses: int
    guesses: int
    worst: int | None
    groups: int
    largest: int

    @property
    def worth(self) -> Worth:
        return Worth(self.losses, self.guesses)


class Openers(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored of a game and mode."""

    game: str
    mode: str
    rule: str
    cap: int | None
    words: str
    """digest of the lists"""
    lower: int
    """no opener takes fewer guesses than this (a bound by the number of groups)"""
    openers: list[Opener]
    """best first"""

    def find(self, guess: str) -> Opener | None:
        """The stored facts of an opener."""
        return next((opener for opener in self.openers if opener.guess == guess), None)


def words_digest(game: Game) -> str:
    """A short digest of a game's lists."""
    return f"{checksum(game.answers)[:12]}/{checksum(game.guesses)[:12]}"


@functools.cache
def _stored() -> tuple[Openers, ...]:
    return tuple(msgspec.convert(json.loads(FILE.read_text("utf-8")), list[Openers]))


def stored_openers(game: Game) -> Openers | None:
    """What is stored of just these words, rule, mode and cap; None if nothing is."""
    if game.weights is not None:
        return None
    asked = (game.name, game.mode, game.rule.name, game.cap)
    for found in _stored():
        if (found.game, found.mode, found.rule, found.cap) == asked:
            return found if found.words == words_digest(game) else None
    return None
