"""What a player's decisions cost, by exact search.

Everything rests on one function, `value(state)`: the minimal total number of guesses over the
answers still possible, or None if the search cannot find it. A guess costs one for each answer
plus the values of the groups that it leaves; its loss is that cost minus the value of the state,
divided by the number of answers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from salet.arena.outcomes import GameOutcome
from salet.arena.umpire import Umpire
from salet.game.game import Game
from salet.game.state import State

Value = Callable[[State], int | None]
"""Minimal total of guesses to come over the state's answers; None if unknown."""
_History = tuple[tuple[int, int], ...]

MAX_WORST = 10
"""Number of decisions that `Regret.worst` lists."""
MAX_ANSWERS = 300
"""States with more answers are not priced: that would be a proof of the whole game."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a player, priced."""

    history: str
    """As `crane:bybbg …`; empty at the start."""
    guess: str
    loss: float
    """Mean number of guesses lost, over the answers still possible."""
    answers: int
    games: int
    """Number of games in which it was made."""


class Regret(msgspec.Struct, frozen=True, kw_only=True):
    """A player's exact loss."""

    guesses: int
    """Number of guesses that were priced."""
    unpriced: int
    """Number of guesses in states whose value is unknown."""
    per_guess: float | None
    """Mean loss of a priced guess."""
    worst: list[Decision]
    """The decisions that cost most."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


def exact_value(game: Game) -> Value:
    """Return the value function of exact search, for states of at most `MAX_ANSWERS` answers."""
    from salet.search.exact.model import INF
    from salet.search.exact.solver import Solver
    from salet.search.terms import hints_of, rules_of

    solver = Solver(dataclasses.replace(rules_of(game), weights=None))

    def value(state: State) -> int | None:
        if len(state.candidates) > MAX_ANSWERS:
            return None
        total = solver.value(hints_of(state))
        return total if total < INF else None

    return value


def measure_regret(
    game: Game,
    outcomes: Iterable[GameOutcome],
    value: Value,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Regret:
    """Price every guess of the games; a decision made in many games is priced once.

    `progress` is called with the number of decisions priced so far and the number of all.
    """
    states, counts, unpriced = _decisions(game, outcomes)
    values: dict[_History, int | None] = {}

    def cached_value(state: State) -> int | None:
        if state.history not in values:
            values[state.history] = value(state)
        return values[state.history]

    decisions: list[Decision] = []
    for number, ((history, guess), games) in enumerate(counts.items(), 1):
        progress(number, len(counts))
        state = states[history]
        loss = _loss(state, guess, cached_value)
        if loss is None:
            unpriced += games
            continue
        decisions.append(
            Decision(
                history=" ".join(f"{word}:{pattern}" for word, pattern in state.turns),
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
        worst=costly[:MAX_WORST],
    )


def _decisions(
    game: Game, outcomes: Iterable[GameOutcome]
) -> tuple[dict[_History, State], dict[tuple[_History, int], int], int]:
    """Return the states that were met by history, the number of games by decision (history,
    guess), and the number of guesses made when no answer was left."""
    states: dict[_History, State] = {(): game.start()}
    counts: dict[tuple[_History, int], int] = {}
    impossible = 0
    umpire = Umpire(game)
    for outcome in outcomes:
        column = umpire.column(game.index(outcome.secret))
        state = states[()]
        for word in outcome.guesses:
            guess = game.index(word)
            if not len(state.candidates):  # the secret is not one of the answers
                impossible += 1
                continue
            decision = state.history, guess
            counts[decision] = counts.get(decision, 0) + 1
            after = state.after(guess, umpire.format(int(column[guess])))
            state = states.setdefault(after.history, after)
    return states, counts, impossible


def _loss(state: State, guess: int, value: Value) -> float | None:
    """Return how many more guesses it costs than the best guess, on average over the answers."""
    best = value(state)
    if best is None:
        return None
    cost = len(state.candidates)
    for pattern, below in state.groups(guess).items():
        if pattern != state.game.win:
            rest = value(below)
            if rest is None:
                return None
            cost += rest
    return (cost - best) / len(state.candidates)
