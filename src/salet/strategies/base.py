"""What a player is: something that answers `choose(state) -> guess`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from salet.game.game import Game
from salet.game.state import State


class Strategy(ABC):
    """A player. Subclass it and answer with a word, or with a guess's place in the order.

    `choose` is asked once for each distinct state, from several threads if asked to, so it
    depends on nothing but the state.

    >>> class First(Strategy):
    ...     def choose(self, state):
    ...         return state.words[0]
    """

    name: str = ""
    """as it was asked for; the class's name unless set"""
    ties: Any = None
    """name of the rule by which equal guesses are told apart, where there is one"""

    @abstractmethod
    def choose(self, state: State) -> str | int:
        """The next guess in a state where at least one answer is possible."""

    def choose_many(self, states: Sequence[State]) -> Iterable[str | int]:
        """The guesses in several states of one game, for players that are faster so."""
        return map(self.choose, states)

    def prepare(self, game: Game) -> None:  # noqa: B027  (most players have nothing to load)
        """Load what play of this game needs, before a clock starts."""

    def __repr__(self) -> str:
        return f"<strategy {self.name or type(self).__name__}>"
