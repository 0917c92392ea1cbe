"""The player with the shortest forced win against the adversary."""

from __future__ import annotations

from salet.game.state import State
from salet.search.adversary import ForcingSearch, min_guesses
from salet.strategies.base import Strategy


class ForcingPlayer(Strategy):
    """Plays the shortest forced win against the adversary, and other hosts in the same way."""

    name = "forcing"

    def __init__(self) -> None:
        self._search: ForcingSearch | None = None

    def choose(self, state: State) -> int:
        if self._search is None or self._search.game is not state.game:
            self._search = ForcingSearch(state.game)
        depth = min_guesses(state)
        while (line := self._search.line(state, depth)) is None:
            depth += 1
        return line[0]
