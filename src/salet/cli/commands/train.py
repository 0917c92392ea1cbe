"""`salet train`: teach a network to play."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import emit, line, show
from salet.cli.render.progress import live_progress
from salet.errors import MissingExtraError

if TYPE_CHECKING:
    from salet.learn.dqn.config import DqnConfig
    from salet.learn.policy.config import PolicyConfig

Fields = dict[str, Any]
"""The fields of `--json`."""


@click.command(
    epilog=examples(
        "salet train small.toml --out runs/small",
        "salet train small.toml --out runs/small --resume",
        "salet simulate --strategy dqn:weights=runs/small/weights.safetensors --game original",
    )
)
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG.toml")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Directory of weights, checkpoint, metrics and plot.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Resume from the last checkpoint in DIR.")
@json_option
def command(config: Path, out: Path, resume: bool, as_json: bool) -> None:
    """Train a network to play, as configured by CONFIG.toml; docs/learning.md lists its keys.

    Writes weights.safetensors (the best network so far), metrics.csv, metrics.svg and a checkpoint
    to DIR. A resumed run gives the same numbers as an uninterrupted one.
    """
    try:
        from salet.learn.common.run_directory import CHECKPOINT_FILE
        from salet.learn.config_file import read_config
        from salet.learn.policy.config import PolicyConfig
    except ModuleNotFoundError:
        raise MissingExtraError("training", "learn") from None
    from salet.cli.render.training import dqn_result, policy_result

    settings = read_config(config)
    with _hint_to_resume(out / CHECKPOINT_FILE):
        if isinstance(settings, PolicyConfig):
            fields = _train_policy(settings, out, resume)
            result = policy_result(fields)
        else:
            fields = _train_dqn(settings, out, resume)
            result = dqn_result(fields)
    if as_json:
        emit(fields)
    else:
        show(result, line(f"written to {out}: {', '.join(fields['files'])}"))


def _train_dqn(settings: DqnConfig, out: Path, resume: bool) -> Fields:
    from salet.cli.render.plots import plot_training
    from salet.cli.render.training import dqn_progress
    from salet.learn.dqn.metrics import DqnMetrics
    from salet.learn.dqn.train import train

    with live_progress("the first games", bar=True, log=True) as update:
        weights, score = train(
            settings,
            out,
            resume=resume,
            progress=lambda row, done, games: update(
                dqn_progress(row, done, games), done=done, total=games
            ),
        )
    return {
        "game": settings.game,
        "cap": settings.cap,
        "head": settings.head,
        "observation": settings.observation,
        "seed": settings.seed,
        "trained": weights.trained,
        "test": {"answers": score.answers, "wins": score.wins, "mean": score.mean},
        **_files(out, plot_training, DqnMetrics),
    }


def _train_policy(settings: PolicyConfig, out: Path, resume: bool) -> Fields:
    from salet.cli.render.plots import plot_rounds
    from salet.cli.render.training import policy_progress
    from salet.learn.policy.metrics import PolicyMetrics
    from salet.learn.policy.train import train

    with live_progress("the first round", bar=True, log=True) as update:
        weights = train(
            settings,
            out,
            resume=resume,
            progress=lambda row, rounds: update(
                policy_progress(row, rounds), done=row.round, total=rounds
            ),
        )
    return {
        "game": settings.game,
        "cap": settings.cap,
        "kind": "policy",
        "seed": settings.seed,
        "trained": weights.trained,
        **_files(out, plot_rounds, PolicyMetrics),
    }


def _files(out: Path, plot: Callable[[Path, Path], None], row: type[Any]) -> Fields:
    """Draw the curve if matplotlib is installed, and list the files of the directory."""
    from salet.learn.common.metrics import read_metrics
    from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE, WEIGHTS_FILE

    metrics, picture = out / METRICS_FILE, out / "metrics.svg"
    drawn = []
    with contextlib.suppress(MissingExtraError):
        plot(metrics, picture)
        drawn = [picture.name]
    files = [METRICS_FILE, *drawn, WEIGHTS_FILE, CHECKPOINT_FILE]
    return {"rows": len(read_metrics(row, metrics)), "files": files}


@contextlib.contextmanager
def _hint_to_resume(checkpoint: Path) -> Iterator[None]:
    """On Ctrl-C, print how to resume the run."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint.exists():
            click.echo("\nrun the same command with --resume to continue", err=True)
        raise
