"""Gymnasium's toy-text environments as decision processes: FrozenLake, CliffWalking, Taxi.

They publish their transition table, so a search needs no simulator. A state here is (place, steps
left): with the steps counted no state comes back, and a policy that walks in circles is worth what
the steps allow. Before the first step there is one state whose only action draws where to begin.
"""

from __future__ import annotations

import math
from typing import Any

from salet.errors import InputError, MissingExtraError
from salet.search.process import DecisionProcess, Outcome, ValueBounds

Place = tuple[int, int]
"""a state of the environment and the steps left"""

START = -1
OVER = -2
"""places before the first step and after the last"""


class ToyText(DecisionProcess[Place, int]):
    """An environment with a transition table, for so many steps."""

    def __init__(self, table: dict[int, dict[int, list[Any]]], begin: list[float], steps: int):
        """`table[state][action]` lists (probability, next state, reward, is it over), as
        Gymnasium has it; `begin` is the distribution of first states."""
        if steps < 1:
            raise InputError(f"{steps} steps: give at least 1")
        self.table, self.begin, self.steps = table, begin, steps
        rows = [row for actions in table.values() for rows in actions.values() for row in rows]
        possible = [row for row in rows if row[0] > 0]
        self._least = float(min(row[2] for row in possible))
        self._most = float(max(row[2] for row in possible))
        self._last = max((float(row[2]) for row in possible if row[3]), default=-math.inf)
        on = [float(row[2]) for row in possible if not row[3]]
        self._on = max(on, default=-math.inf)

    def start(self) -> Place:
        return START, self.steps

    def is_terminal(self, state: Place) -> bool:
        return state[0] == OVER

    def actions(self, state: Place) -> list[int]:
        return [0] if state[0] == START else list(self.table[state[0]])

    def outcomes(self, state: Place, action: int) -> list[Outcome[Place]]:
        place, left = state
        if place == START:
            return [Outcome(float(p), 0.0, (s, left)) for s, p in enumerate(self.begin) if p > 0]
        merged: dict[tuple[float, Place], float] = {}
        for probability, below, reward, is_over in self.table[place][action]:
            then = (OVER, 0) if is_over or left == 1 else (int(below), left - 1)
            key = (float(reward), then)
            merged[key] = merged.get(key, 0.0) + float(probability)
        return [Outcome(p, reward, then) for (reward, then), p in merged.items()]

    def predict(self, state: Place, action: int) -> float:
        """What the next step brings."""
        return sum(p * reward for p, reward, _ in self.outcomes(state, action))

    def bounds(self, state: Place) -> ValueBounds:
        """No plan is worse than the least reward in every step. None is better than the best
        reward of a step that ends everything after steps of the best reward that goes on, for
        some number of steps up to those left (that many is best which comes first or last, since
        the sum is linear in it)."""
        left = state[1]
        ways = [left * self._on] if self._on > -math.inf else []
        if self._last > -math.inf:
            ways.append(self._last)
            if self._on > -math.inf:
                ways.append((left - 1) * self._on + self._last)
        return ValueBounds(min(self._least, left * self._least), max(ways))


def toy_text(name: str, steps: int | None = None, **options: Any) -> ToyText:
    """A toy-text environment by its Gymnasium id, as `toy_text("FrozenLake-v1", map_name="8x8")`.

    `steps` are the environment's own limit unless given.
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
        raise InputError(f"environment {name!r} has no limit of steps; give one")
    return ToyText(table, [float(p) for p in inner.initial_state_distrib], limit)
