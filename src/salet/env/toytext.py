"""Gymnasium's toy-text environments as decision processes: FrozenLake, CliffWalking, Taxi.

They publish their transition table, so a search needs no simulator. A state is (environment state,
steps left): because steps are counted, no state recurs, and a policy that walks in circles has a
finite value. Before the first step there is one state, whose only action draws the initial state.
"""

from __future__ import annotations

import math
from typing import Any

from salet.errors import InputError, MissingExtraError
from salet.search.process import DecisionProcess, Outcome, ValueBounds

TimedState = tuple[int, int]
"""a state of the environment and the number of steps left"""

START = -1
"""environment state before the first step"""
OVER = -2
"""environment state after the last step"""


class ToyText(DecisionProcess[TimedState, int]):
    """An environment with a transition table, for a limited number of steps."""

    def __init__(self, table: dict[int, dict[int, list[Any]]], begin: list[float], steps: int):
        """`table[state][action]` lists (probability, next state, reward, terminated), as in
        Gymnasium; `begin` is the distribution of initial states."""
        if steps < 1:
            raise InputError(f"{steps} steps: give at least 1")
        self.table, self.begin, self.steps = table, begin, steps
        rows = [row for actions in table.values() for rows in actions.values() for row in rows]
        possible = [row for row in rows if row[0] > 0]
        self._min_reward = float(min(row[2] for row in possible))
        self._max_final = max((float(row[2]) for row in possible if row[3]), default=-math.inf)
        self._max_other = max((float(row[2]) for row in possible if not row[3]), default=-math.inf)

    def start(self) -> TimedState:
        return START, self.steps

    def is_terminal(self, state: TimedState) -> bool:
        return state[0] == OVER

    def actions(self, state: TimedState) -> list[int]:
        return [0] if state[0] == START else list(self.table[state[0]])

    def outcomes(self, state: TimedState, action: int) -> list[Outcome[TimedState]]:
        current, left = state
        if current == START:
            return [Outcome(float(p), 0.0, (s, left)) for s, p in enumerate(self.begin) if p > 0]
        merged: dict[tuple[float, TimedState], float] = {}
        for probability, following, reward, terminated in self.table[current][action]:
            then = (OVER, 0) if terminated or left == 1 else (int(following), left - 1)
            key = (float(reward), then)
            merged[key] = merged.get(key, 0.0) + float(probability)
        return [Outcome(p, reward, then) for (reward, then), p in merged.items()]

    def predict(self, state: TimedState, action: int) -> float:
        """The expected reward of the next step."""
        return sum(p * reward for p, reward, _ in self.outcomes(state, action))

    def bounds(self, state: TimedState) -> ValueBounds:
        """Bounds on the sum of rewards over the remaining steps.

        Lower: the smallest reward, at every step if it is negative and once if it is positive.
        Upper: k steps with the largest reward of a step that does not terminate, then one with the
        largest of a step that does. The sum is linear in k, so only the extreme k matter.
        """
        left = state[1]
        sums = [left * self._max_other] if self._max_other > -math.inf else []
        if self._max_final > -math.inf:
            sums.append(self._max_final)
            if self._max_other > -math.inf:
                sums.append((left - 1) * self._max_other + self._max_final)
        return ValueBounds(min(self._min_reward, left * self._min_reward), max(sums))


def toy_text(name: str, steps: int | None = None, **options: Any) -> ToyText:
    """A toy-text environment by its Gymnasium id, as `toy_text("FrozenLake-v1", map_name="8x8")`.

    `steps` defaults to the environment's own `max_episode_steps`.
    """
    try:
        import gymnasium
    except ImportError:
        raise MissingExtraError("toy-text environments", "learn") from None
    try:
        made = gymnasium.make(name, **options)
    except gymnasium.error.Error as error:
        raise InputError(f"environment {name!r}: {' '.join(str(error).split())}") from None
    inner: Any = made.unwrapped
    table = getattr(inner, "P", None)
    if table is None:
        raise InputError(f"environment {name!r} has no transition table; FrozenLake-v1 has one")
    limit = steps or (made.spec.max_episode_steps if made.spec is not None else None)
    if limit is None:
        raise InputError(f"environment {name!r} has no step limit; give `steps`")
    return ToyText(table, [float(p) for p in inner.initial_state_distrib], limit)
