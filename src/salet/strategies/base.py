"""What a player is: something that answers `choose(state) -> guess`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

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

    def __repr__(self) -> str:
        return f"<strategy {self.name or type(self).__name__}>"
