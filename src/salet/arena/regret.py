"""What a player's decisions cost, by exact search.

The seam is one function, `value(state) -> total`: the least number of guesses over all answers
still possible, or None where search does not get there. A guess then costs one for each answer
and the value of every group that it leaves; its loss is that minus the value of the state, a mean
over the answers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from salet.arena.outcomes import Outcome
from salet.arena.umpire import Umpire
from salet.game.game import Game
from salet.game.state import State

Value = Callable[[State], int | None]
"""least total of guesses still to come over the state's answers; None if it cannot be told"""

WORST = 10
MOST_ANSWERS = 300
"""states with more answers are not priced: that would be a proof of the whole game"""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a player, priced."""

    history: str
    """as `crane:bybbg …`; empty at the start"""
    guess: str
    loss: float
    """guesses that it costs in the mean over the answers still possible"""
    answers: int
    games: int
    """in how many games it was made"""


class Regret(msgspec.Struct, frozen=True, kw_only=True):
    """A player's exact loss."""

    guesses: int
    """guesses that were priced"""
    unpriced: int
    """guesses in states that search did not get to the end of"""
    per_guess: float | None
    """mean loss of a priced guess"""
    worst: list[Decision]
    """the ten decisions that cost most"""

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


def exact_value(game: Game) -> Value:
    """The value function of exact search, for states that it gets to the end of at once."""
    from salet.search.exact.model import INF
    from salet.search.exact.solver import Solver
    from salet.search.terms import hints_of, rules_of

    solver = Solver(dataclasses.replace(rules_of(game), weights=None))

    def value(state: State) -> int | None:
        if len(state.candidates) > MOST_ANSWERS:
            return None
        total = solver.value(hints_of(state))
        return total if total < INF else None

    return value


def regret_of(
    game: Game,
    outcomes: Iterable[Outcome],
    value: Value,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Regret:
    """Price every guess of the games; a decision made in many games is priced once.

    `progress` is told how many decisions are priced, and of how many.
    """
    values: dict[tuple[tuple[int, int], ...], int | None] = {}

    def worth(state: State) -> int | None:
        if state.history not in values:
            values[state.history] = value(state)
        return values[state.history]

    counts: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
    states: dict[tuple[tuple[int, int], ...], State] = {(): game.start()}
    unpriced = 0
    umpire = Umpire(game)
    for outcome in outcomes:
        column = umpire.column(game.index(outcome.secret))
        state = states[()]
        for word in outcome.guesses:
            guess = game.index(word)
            if not len(state.candidates):  # the secret is not one of the answers
                unpriced += 1
                continue
            made = state.history, guess
            counts[made] = counts.get(made, 0) + 1
            after = state.after(guess, umpire.text(int(column[guess])))
            state = states.setdefault(after.history, after)
    decisions: list[Decision] = []
    for number, ((history, guess), games) in enumerate(counts.items(), 1):
        progress(number, len(counts))
        loss = _loss(states[history], guess, worth)
        if loss is None:
            unpriced += games
            continue
        state = states[history]
        shown = " ".join(f"{word}:{pattern}" for word, pattern in state.turns)
        decisions.append(
            Decision(
                history=shown,
                guess=game.guesses[guess],
                loss=loss,
                answers=len(state.candidates),
                games=games,
            )
        )
    priced = sum(decision.games for decision in decisions)
    total = sum(decision.loss * decision.games for decision in decisions)
    costly = [decision for decision in decisions if decision.loss > 0]
    costly.sort(key=lambda decision: (-decision.loss, decision.history, decision.guess))
    return Regret(
        guesses=priced,
        unpriced=unpriced,
        per_guess=total / priced if priced else None,
        worst=costly[:WORST],
    )


def _loss(state: State, guess: int, worth: Value) -> float | None:
    """How much more the guess takes than the best one, a mean over the answers."""
    best = worth(state)
    if best is None:
        return None
    cost = len(state.candidates)
    for pattern, below in state.groups(guess).items():
        if pattern != state.game.win:
            rest = worth(below)
            if rest is None:
                return None
            cost += rest
    return (cost - best) / len(state.candidates)
