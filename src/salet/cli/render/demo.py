"""The tour of `salet demo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from salet.cli.render.console import format_seconds, line
from salet.cli.render.simulation import histogram

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.search.solve import Solution
    from salet.strategies.simulate import Simulation


def demo_view(solution: Solution, result: Simulation) -> list[RenderableType]:
    """All games of the best plan, what was proven just now, and what is cited."""
    return [
        histogram(result.histogram, result.losses),
        line("mean ", (f"{result.mean:.4f}", "bold"), f" guesses ({result.total} for "
             f"{result.answers} answers), worst case {result.worst}, lost {result.losses}"),
        Text.assemble(
            ("Proven now", "bold"),
            f", in {format_seconds(solution.seconds)}: after {solution.guess} no play needs fewer "
            f"than {solution.lower} guesses, and this one needs no more.",
        ),
        Text.assemble(
            ("Cited", "bold"),
            " from benchmarks/results/proof-original-normal.json: no other first word is better "
            f"(`salet prove --game {result.game}` shows it).",
        ),
    ]  # fmt: skip


def next_step(program: str, arguments: str, purpose: str) -> Text:
    """A command to try next."""
    return line("  ", (f"{program} {arguments}", "bold"), "  ", (purpose, "dim"))
