"""Results of playing every answer: the histogram and the figures below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from salet.cli.render.console import format_seconds, line
from salet.cli.render.games import rules

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.strategies.simulate import Simulation
    from salet.verification.plans import Verdict

WIDTH = 50
"""Width of the longest bar."""


def histogram(counts: Mapping[int, int], losses: int = 0) -> Text:
    """Games by number of guesses, as bars."""
    rows: list[tuple[str, int, str]] = [(str(size), counts[size], "green") for size in counts]
    if losses:
        rows.append(("lost", losses, "red"))
    top = max((count for _, count, _ in rows), default=1)
    width = max((len(name) for name, _, _ in rows), default=1)
    bars = [
        Text.assemble(f"{name:>{width}} ", ("█" * max(1, round(WIDTH * count / top)), colour),
                      f" {count}")
        for name, count, colour in rows
    ]  # fmt: skip
    return Text("\n").join(bars)


def simulation(result: Simulation) -> list[RenderableType]:
    """The histogram and figures of a strategy; with an interval if games were sampled."""
    from salet.strategies.joint_simulate import JointSimulation

    shown = _played(result.strategy, result, f", {format_seconds(result.seconds)}")
    if isinstance(result, JointSimulation):
        low, high = result.interval
        limit = max(result.within)
        shown += [
            line(f"95 % interval {low:.4f} to {high:.4f}; over all tuples no player's mean is "
                 f"below {result.lower:.4f}"),
            line(f"won within the cap {result.wins:.2%}, within {limit} guesses "
                 f"{result.within[limit]:.2%}; {result.games_per_second:,.0f} games/s, seed "
                 f"{result.seed}"),
        ]  # fmt: skip
    return shown


def verdict(result: Verdict) -> list[RenderableType]:
    """The histogram and figures of a verified plan."""
    shown = _played(result.plan or "plan", result, "; every guess is legal")
    if result.certificate is not None:
        stored = result.certificate
        shown.append(line(f"no plan has a lower total: {stored.file}, sha256 {stored.sha256}"))
    else:
        shown.append(line("no stored certificate says that no plan has a lower total"))
    return shown


def _played(name: str, result: Simulation | Verdict, rest: str) -> list[RenderableType]:
    return [
        line((name, "bold"), f" on {rules(result)}, opener ", (result.opener, "bold")),
        histogram(result.histogram, result.losses),
        line("mean ", (f"{result.mean:.4f}", "bold"), f" = {result.total} / {result.answers}, "
             f"worst {result.worst}, lost {result.losses}{rest}"),
    ]  # fmt: skip
