"""`salet train`: teach a network to play."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli import train_policy
from salet.cli.options import examples, json_option
from salet.cli.show import console, emit
from salet.errors import MissingExtraError

if TYPE_CHECKING:
    from salet.learn.dqn.metrics import DqnMetrics


@click.command(
    epilog=examples(
        "salet train small.toml --out runs/small",
        "salet train small.toml --out runs/small --resume",
        "salet simulate --strategy dqn:weights=runs/small/weights.safetensors --game original",
        "salet simulate --strategy learned:weights=runs/policy/weights.safetensors",
    )
)
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG.toml")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Where weights, checkpoint, metrics and plot go.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in DIR.")
@json_option
def command(config: Path, out: Path, resume: bool, as_json: bool) -> None:
    """Teach a network to play, as CONFIG.toml says: docs/learning.md lists its keys.

    DIR gets weights.safetensors (the agent so far), metrics.csv, metrics.svg and a checkpoint.
    A run that was stopped goes on with --resume, with the same numbers as if it had not been.
    """
    try:
        from salet.learn.common.metrics import read_metrics
        from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE, WEIGHTS_FILE
        from salet.learn.config_file import read_config
        from salet.learn.dqn.metrics import DqnMetrics
        from salet.learn.dqn.train import train
        from salet.learn.policy.config import PolicyConfig
    except ModuleNotFoundError:
        raise MissingExtraError("training", "learn") from None
    settings = read_config(config)
    with _how_to_go_on(out / CHECKPOINT_FILE):
        if isinstance(settings, PolicyConfig):
            train_policy.run(settings, out, resume, as_json)
            return
        with _live() as report:
            weights, score = train(settings, out, resume=resume, report=report)
    picture = _plot(out)
    if as_json:
        emit(
            {
                "game": settings.game,
                "cap": settings.cap,
                "head": settings.head,
                "observation": settings.observation,
                "seed": settings.seed,
                "trained": weights.trained,
                "test": {"answers": score.answers, "wins": score.wins, "mean": score.mean},
                "rows": len(read_metrics(DqnMetrics, out / METRICS_FILE)),
                "files": [METRICS_FILE, *picture, WEIGHTS_FILE, CHECKPOINT_FILE],
            }
        )
        return
    trained, screen = weights.trained, console()
    screen.print(
        f"[bold]{settings.head}[/] on {settings.game}: won {score.wins} of {score.answers}, mean "
        f"[bold]{score.mean:.4f}[/] after {trained['games']:,} games, {trained['seconds']:,} s",
        soft_wrap=True,
    )
    files = ", ".join([WEIGHTS_FILE, METRICS_FILE, *picture])
    screen.print(f"written to {out}: {files}", soft_wrap=True)


@contextlib.contextmanager
def _how_to_go_on(checkpoint: Path) -> Iterator[None]:
    """Say it to whoever stops a run."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint.exists():
            click.echo(
                "\nthe same command with --resume goes on from the last checkpoint", err=True
            )
        raise


def _plot(directory: Path) -> list[str]:
    """Draw the curve where matplotlib is installed."""
    from salet.cli.plots import plot_training

    with contextlib.suppress(MissingExtraError):
        plot_training(directory / "metrics.csv", directory / "metrics.svg")
        return ["metrics.svg"]
    return []


@contextlib.contextmanager
def _live() -> Iterator[Callable[[DqnMetrics, int, int], None]]:
    """A bar and the last figures on a terminal, otherwise a line for each evaluation; on stderr."""
    if not sys.stderr.isatty():
        yield lambda row, done, games: click.echo(_line(row, done, games), err=True)
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeftColumn

    columns: tuple[Any, ...] = (
        BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TextColumn("left"),
        TimeLeftColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("the first games", total=None)

        def report(row: DqnMetrics, done: int, games: int) -> None:
            bar.update(task, description=_line(row, done, games), completed=done, total=games)

        yield report


def _line(row: DqnMetrics, done: int, games: int) -> str:
    left = row.seconds * (games - done) / max(done, 1)
    return (
        f"{done:,} of {games:,} games, won {row.wins} of {row.answers}, mean {row.mean:.4f}, "
        f"loss {row.loss:.4f}, epsilon {row.epsilon:.3f}, {left / 60:.0f} min left"
    )
