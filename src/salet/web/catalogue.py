"""Games by name for the page: opened once, kept ready, forgotten when they take too much memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from salet.coach.coach import Coach
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.named import ALIASES, named_game, words_named
from salet.game.notation import TILES
from salet.game.packs import store
from salet.search.shipped import shipped_names

if TYPE_CHECKING:
    from salet.web.settings import Settings

CODE_GAMES: Mapping[str, str] = MappingProxyType(
    {
        "mastermind:4x6": "codes of four out of six signs",
        "bulls-and-cows:4x10": "codes of four different signs out of ten",
    }
)
"""games without a word list that the page lists; a link may name any other size"""


class NoSuchGameError(InputError):
    """A name that no game has."""


class TooLargeError(InputError):
    """A game whose table would not fit into the memory that the server allows."""


class Catalogue:
    """Ready games, each with its coach, by (name, mode)."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._ready: OrderedDict[tuple[str, str], Coach] = OrderedDict()

    def game(self, name: str, mode: str) -> Game:
        """The game with its table; the same object as long as it is kept."""
        return self.coach(name, mode).game

    def coach(self, name: str, mode: str) -> Coach:
        """The coach of a game."""
        spelled = name.strip().lower()
        key = (ALIASES.get(spelled, spelled), mode)
        with self._lock:
            if key in self._ready:
                self._ready.move_to_end(key)
                return self._ready[key]
            coach = Coach(self._open(name, mode))
            self._ready[key] = coach
            while len(self._ready) > 1 and self._is_too_much():
                self._ready.popitem(last=False)
            return coach

    def _is_too_much(self) -> bool:
        pairs = sum(coach.game.table.size for coach in self._ready.values())
        return pairs > self.settings.kept_pairs or len(self._ready) > self.settings.kept_games

    def _open(self, name: str, mode: str) -> Game:
        try:
            words = words_named(name)
        except UnknownNameError as error:
            raise NoSuchGameError(str(error)) from None
        pairs = len(words.answers) * len(words.guesses)
        if pairs > self.settings.pairs:
            raise TooLargeError(
                f"game {name!r} has {pairs:,} pairs of guess and answer; the page takes games of "
                f"up to {self.settings.pairs:,}"
            )
        game = named_game(name, mode=mode)
        game.table  # noqa: B018  (made or loaded while the others wait: they may want the same)
        return game


def offered() -> list[tuple[str, str]]:
    """(name, summary) of the games that the page lists, the newspaper's newest first."""
    packs = [*ALIASES, *store.shipped_names(), *store.own_names()]
    listed = [name for name in packs if name not in ALIASES.values()]
    summaries = [(name, store.load(ALIASES.get(name, name)).summary) for name in listed]
    return [*summaries, *CODE_GAMES.items()]


def has_plan(game: Game) -> bool:
    """Is there a shipped plan for these words and this mode?"""
    return (game.name, game.mode) in shipped_names()


def has_tiles(game: Game) -> bool:
    """Does every letter get a colour?"""
    return game.rule.notation is TILES
