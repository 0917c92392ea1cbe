"""Plans that come with salet, proven by its own solver; `benchmarks/plans.py` makes them.

They let players and assistants start at once. `solve` and `prove` never read them.
"""

from __future__ import annotations

from pathlib import Path

from salet.game.game import Game
from salet.search.plan import Plan

FOLDER = Path(__file__).parent / "plans"


def shipped_plan(game: Game) -> Plan | None:
    """The shipped plan for just these words, mode and cap; None if there is none."""
    if game.weights is not None:
        return None
    path = FOLDER / f"{game.name}-{game.mode}.json"
    if not path.is_file():
        return None
    plan = Plan.load(path, game)
    asked = (game.rule.name, game.mode, game.cap)
    return plan if asked == tuple(plan.facts[name] for name in ("rule", "mode", "cap")) else None


def shipped_names() -> list[tuple[str, str]]:
    """(game, mode) of every plan that there is."""
    pairs = (path.stem.rpartition("-") for path in sorted(FOLDER.glob("*.json")))
    return [(game, mode) for game, _, mode in pairs]
