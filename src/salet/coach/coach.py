"""One game's coach."""

from __future__ import annotations
from collections.abc import Collection
from salet.game.game import Game


class Coach:
    """What is dear to make for a game and a mode, made once: plan, likelihood, solver.

    `coach.at([("crane", "bybbg")])` is a position to ask about.
    """

    def __init__(
        self, game: Game, *, past: Collection[str] = (), weights: str | None = None
    ) -> None:
        """`past`: answers that were used before; `weights`: `prior` or a file, to enter the values."""
        self.game = game

    def warm_up(self) -> None:
        """Load (or compile) what searches need; called by whoever has time before the first question."""
        raise NotImplementedError
