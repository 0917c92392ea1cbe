"""The game that perfect play would have against an answer."""

from __future__ import annotations

import msgspec

from salet.coach.appraisal import appraise
from salet.coach.coach import Coach
from salet.coach.position import Position
from salet.search.budget import Clock


class PlayedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A guess, its feedback and the number of answers left."""

    guess: str
    feedback: str
    remaining_after: int
    """0 if this guess is the answer"""
    proven: bool
    """whether no guess is better"""


def perfect_game(coach: Coach, answer: int, clock: Clock) -> list[PlayedTurn]:
    """Play the best guess of every turn until the answer is found or the cap is reached.

    Once time is up, the best known guess is played.
    """
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
