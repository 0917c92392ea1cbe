"""The interface of players: `choose(state) -> guess`, and `choose_joint` for several boards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.joint_state import JointState
    from salet.game.state import State


class Strategy(ABC):
    """A player. Subclasses implement `choose`, which returns a word or its index.

    `choose` is called once for each distinct state, possibly from several threads, so its result
    must depend on nothing but the state.

    >>> class First(Strategy):
    ...     def choose(self, state):
    ...         return state.words[0]
    """

    name: str = ""
    """name in results; that of the class unless set"""
    ties: Any = None
    """name of the rule that breaks ties, if there is one"""

    @abstractmethod
    def choose(self, state: State) -> str | int:
        """The next guess in a state with at least one possible answer."""

    def choose_joint(self, state: JointState) -> str | int:
        """The next guess in a game with several boards; override it to play those."""
        raise InputError(
            f"strategy {self.name or type(self).__name__!r} plays one board, and "
            f"{state.game.name} has {state.game.boards}; boards, entropy, parts and expected-size "
            "play several"
        )

    def choose_many(self, states: Sequence[State]) -> Iterable[str | int]:
        """The next guesses in several states of one game; override it where a batch is faster."""
        return map(self.choose, states)

    def prepare(self, game: Game) -> None:  # noqa: B027  (most players have nothing to load)
        """Load what playing this game needs, before the clock starts."""

    def __repr__(self) -> str:
        return f"<strategy {self.name or type(self).__name__}>"
