"""`salet demo`: the tour that `make demo` gives."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from salet.cli.options import examples
from salet.cli.show import console, histogram, progress

NEXT = (
    ("play", "play a game yourself"),
    ("simulate --strategy entropy --opener soare", "another player on all answers"),
    ("simulate --strategy parts --game mastermind:4x6", "the same for Mastermind"),
    ("games", "every game there is"),
)


@click.command(epilog=examples("salet demo"))
def command() -> None:
    """Play all 2315 answers of the original game with the best player there is."""
    from salet.game.game import Game
    from salet.strategies.simulate import simulate

    out = console()
    game = Game.named("original")
    out.print(f"[bold]{game.name}[/]: {game.answer_count} answers, {len(game.guesses)} guesses")
    with out.status("compiling (once on every machine) and scoring every pair of words"):
        game.table  # noqa: B018
    with progress("playing every answer") as report:
        result = simulate(game, "parts", opener="salet", progress=report)
    out.print(histogram(result.histogram, result.losses))
    out.print(
        f"mean [bold]{result.mean:.4f}[/] guesses ({result.total} for {result.answers} answers), "
        f"worst case {result.worst}, lost {result.losses}, played in {result.seconds:.1f} s"
    )
    out.print(
        "[bold]Measured now[/]: every answer was played with the guess that makes most groups."
    )
    out.print("[bold]Not proven here[/]: the published optimum is 7920, mean 3.4212.")
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
