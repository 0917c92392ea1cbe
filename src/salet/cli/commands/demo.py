"""`salet demo`: a short tour."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from salet.cli.options import DEFAULT_GAME, examples
from salet.cli.render.console import show
from salet.cli.render.progress import counted_progress, live_progress

GAME = "original"
OPENER = "salet"
NEXT = (
    ("play", "play a game yourself"),
    ("solve crane:bybbg", "the best next guess, proven"),
    ("solve --opener salet --hard --game original", "the same opener in hard mode"),
    ("simulate --strategy entropy --game original", "another player on all answers"),
    ("games", "all games"),
)


@click.command(epilog=examples("salet demo"))
def command() -> None:
    """Solve the original game from its best opener, and play all 2315 answers."""
    from salet.cli.render.demo import demo_view, next_step
    from salet.cli.render.games import headline
    from salet.game.game import Game
    from salet.search.solve import solve
    from salet.search.value import Evaluator
    from salet.strategies.planned import Planned
    from salet.strategies.simulate import simulate

    game = Game.named(GAME)
    show(headline(game).append(f" (the default of commands is {DEFAULT_GAME})", "dim"))
    with live_progress("compiling (once on every machine) and scoring every pair of words"):
        Evaluator(game).warm_up()
    with live_progress(f"solving {OPENER}"):
        solution = solve(game, opener=OPENER)
    assert solution.plan is not None  # the original game can be solved within its cap
    with counted_progress("playing every answer") as report:
        result = simulate(game, Planned(solution.plan), progress=report)
    program = _program_name()
    steps = [next_step(program, arguments, purpose) for arguments, purpose in NEXT]
    show(*demo_view(solution, result), "\nNext:", *steps)


def _program_name() -> str:
    """How to call this program from here: `salet` if the shell finds it."""
    here = Path(sys.argv[0]).resolve()
    found = shutil.which("salet")
    if found is not None and Path(found).resolve() == here:
        return "salet"
    if here.name == "__main__.py":
        return f"{os.path.relpath(sys.executable)} -m salet"
    return os.path.relpath(sys.argv[0])
