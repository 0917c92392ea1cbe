"""`salet demo`: the tour that `make demo` gives."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from salet.cli.options import examples
from salet.cli.show import console, histogram, progress

OPENER = "salet"
NEXT = (
    ("play", "play a game yourself"),
    ("solve crane:bybbg", "the best next guess, proved"),
    ("solve --opener salet --hard", "the same opener in hard mode"),
    ("simulate --strategy entropy --opener soare", "another player on all answers"),
    ("games", "every game there is"),
)


@click.command(epilog=examples("salet demo"))
def command() -> None:
    """Solve the original game from its best opener, and play all 2315 answers."""
    from salet.game.game import Game
    from salet.search.solve import solve
    from salet.search.terms import rules_of, warm_up
    from salet.strategies.planned import Planned
    from salet.strategies.simulate import simulate

    out = console()
    game = Game.named("original")
    out.print(f"[bold]{game.name}[/]: {game.answer_count} answers, {len(game.guesses)} guesses")
    with out.status("compiling (once on every machine) and scoring every pair of words"):
        warm_up(rules_of(game))
    with out.status(f"solving {OPENER}"):
        solution = solve(game, opener=OPENER)
    assert solution.plan is not None  # the original game can be solved within its cap
    with progress("playing every answer") as report:
        result = simulate(game, Planned(solution.plan), progress=report)
    out.print(histogram(result.histogram, result.losses))
    out.print(
        f"mean [bold]{result.mean:.4f}[/] guesses ({result.total} for {result.answers} answers), "
        f"worst case {result.worst}, lost {result.losses}"
    )
    out.print(
        f"[bold]Proven now[/], in {solution.seconds:.1f} s: after {OPENER} no play needs fewer "
        f"than {solution.lower} guesses, and this one needs just as many."
    )
    out.print(
        "[bold]Cited[/] from benchmarks/results/proof-original-normal.json: no other first word "
        "is better (`salet prove` shows it)."
    )
    out.print("\nNext:")
    program = _as_typed()
    for arguments, what in NEXT:
        out.print(f"  [bold]{program} {arguments}[/]  [dim]{what}[/]", soft_wrap=True)


def _as_typed() -> str:
    """How this very program is called from here: `salet` if the shell finds it."""
    here = Path(sys.argv[0]).resolve()
    found = shutil.which("salet")
    if found is not None and Path(found).resolve() == here:
        return "salet"
    if here.name == "__main__.py":
        return f"{os.path.relpath(sys.executable)} -m salet"
    return os.path.relpath(sys.argv[0])
