"""`salet train` for the policy network: progress, curve and result of a run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.show import console, emit
from salet.errors import MissingExtraError

if TYPE_CHECKING:
    from salet.learn.policy.config import PolicyConfig
    from salet.learn.policy.metrics import PolicyMetrics


def run(settings: PolicyConfig, out: Path, resume: bool, as_json: bool) -> None:
    """Train, draw the curve, and say what was reached."""
    from salet.learn.common.metrics import read_metrics
    from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE, WEIGHTS_FILE
    from salet.learn.policy.metrics import PolicyMetrics
    from salet.learn.policy.train import train

    with _live() as report:
        weights = train(settings, out, resume=resume, report=report)
    picture = _plot(out / METRICS_FILE, out / "metrics.svg")
    trained = weights.trained
    if as_json:
        emit(
            {
                "game": settings.game,
                "cap": settings.cap,
                "kind": "policy",
                "seed": settings.seed,
                "trained": trained,
                "rows": len(read_metrics(PolicyMetrics, out / METRICS_FILE)),
                "files": [METRICS_FILE, *picture, WEIGHTS_FILE, CHECKPOINT_FILE],
            }
        )
        return
    console().print(
        f"network alone on {settings.game}: mean [bold]{trained['mean']:.4f}[/], lost "
        f"{trained['lost']}, after {trained['rounds']} rounds, {trained['seconds']:,} s"
    )
    console().print(f"written to {out}: {', '.join([WEIGHTS_FILE, METRICS_FILE, *picture])}")


def _plot(metrics: Path, path: Path) -> list[str]:
    """Draw the curve where matplotlib is installed."""
    from salet.cli.plots import plot_rounds

    with contextlib.suppress(MissingExtraError):
        plot_rounds(metrics, path)
        return [path.name]
    return []


@contextlib.contextmanager
def _live() -> Iterator[Callable[[PolicyMetrics, int], None]]:
    """A bar and the last figures on a terminal, otherwise a line for each round; on stderr."""
    if not sys.stderr.isatty():
        yield lambda row, rounds: click.echo(_line(row, rounds), err=True)
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns: tuple[Any, ...] = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("the first lists", total=None)

        def report(row: PolicyMetrics, rounds: int) -> None:
            bar.update(task, description=_line(row, rounds), completed=row.round, total=rounds)

        yield report


def _line(row: PolicyMetrics, rounds: int) -> str:
    left = row.seconds * (rounds - row.round) / row.round
    said = [f"round {row.round} of {rounds}", f"{row.examples:,} examples", f"loss {row.loss:.4f}"]
    if row.hindsight is not None:
        said.append(f"hindsight {row.hindsight:.4f}")
    if row.mean is not None:
        said.append(f"alone {row.mean:.4f}, lost {row.lost}")
    return ", ".join([*said, f"{left / 60:.0f} min left"])
