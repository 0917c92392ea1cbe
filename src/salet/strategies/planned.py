"""The player that follows a plan."""

from __future__ import annotations

from pathlib import Path

from salet.game.state import State
from salet.search.plan import Plan
from salet.strategies.base import Strategy


class Planned(Strategy):
    """Plays by a plan: one in memory, or `plan:FILE`, or a shipped one (`plan:original-hard`)."""

    def __init__(self, plan: Plan | str | Path) -> None:
        self.plan = plan
        self.name = "plan"

    def choose(self, state: State) -> str:
        if not isinstance(self.plan, Plan):
            self.plan = Plan.load(self.plan, state.game)
        return self.plan.choose(state)
