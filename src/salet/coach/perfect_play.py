"""The game that perfect play makes of an answer."""

from __future__ import annotations

import msgspec

from salet.coach.appraisal import appraise
from salet.coach.coach import Coach
from salet.coach.position import Position
from salet.search.value import Clock


class PlayedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A guess, its feedback, and how many answers it left."""

    guess: str
    feedback: str
    remaining_after: int
    """0 once the answer is found"""
    proven: bool
    """is no guess better?"""


def perfect_game(coach: Coach, answer: int, clock: Clock) -> list[PlayedTurn]:
    """How the best guess of every turn finds the answer, or loses it within the cap; where time is
    over, the best guess known."""
    state = coach.game.start()
    turns: list[PlayedTurn] = []
    while not state.won and state.guesses_left != 0:
        found = appraise(Position(coach, state), None, clock)
        state = state.after(found.best, int(state.game.table[found.best, answer]))
        turns.append(
            PlayedTurn(
                guess=state.turns[-1][0],
                feedback=state.turns[-1][1],
                remaining_after=0 if state.won else len(state.candidates),
                proven=found.proven,
            )
        )
    return turns
