"""Plans that come with salet, proven by its own solver; `benchmarks/plans.py` makes them.

Players and the coach start from them at once. `solve` and `prove` never read them.
"""

from __future__ import annotations

from pathlib import Path

from salet.errors import UnknownNameError
from salet.game.game import Game
from salet.search.plan import Plan

FOLDER = Path(__file__).parent / "plans"


def shipped_plan(game: Game) -> Plan | None:
    """The shipped plan for exactly these words, rule, mode and cap; None if there is none."""
    if game.weights is not None:
        return None
    path = FOLDER / f"{game.name}-{game.mode}.json"
    if not path.is_file():
        return None
    plan = Plan.load(path, game)
    wanted = (game.rule.name, game.mode, game.cap)
    return plan if wanted == tuple(plan.facts[name] for name in ("rule", "mode", "cap")) else None


def shipped_plan_path(name: str) -> Path | None:
    """The file of a shipped plan by its name, such as `original-normal`.

    Returns None if `name` is written as a file name, with a folder or a suffix; raises
    UnknownNameError, which lists the names, for any other name.
    """
    if Path(name).name != name or Path(name).suffix:
        return None
    names = [path.stem for path in sorted(FOLDER.glob("*.json"))]
    if name not in names:
        raise UnknownNameError("plan", name, names)
    return FOLDER / f"{name}.json"


def shipped_names() -> list[tuple[str, str]]:
    """(game, mode) of every shipped plan."""
    pairs = (path.stem.rpartition("-") for path in sorted(FOLDER.glob("*.json")))
    return [(game, mode) for game, _, mode in pairs]
