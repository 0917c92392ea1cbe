"""`salet tune`: search the settings of training on a small game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from salet.cli.options import examples, json_option, seed_option
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import MissingExtraError


@click.command(
    epilog=examples(
        "salet tune --space",
        "salet tune --out runs/tune",
        "salet tune small.toml --out runs/tune --trials 40",
    )
)
@click.argument("config", required=False, type=click.Path(path_type=Path), metavar="[CONFIG.toml]")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="Directory of the runs and trials.csv; an interrupted search is resumed "
                   "there.")  # fmt: skip
@click.option("--trials", default=20, show_default=True, type=click.IntRange(1), metavar="N",
              help="Number of settings to try.")  # fmt: skip
@click.option("--space", "only_space", is_flag=True, help="Print the space of settings and stop.")
@seed_option()
@json_option
def command(
    config: Path | None,
    out: Path | None,
    trials: int,
    only_space: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Train with hyperparameters drawn from a fixed space, and rank them.

    The space covers epsilon, alpha, the update interval, the replay memory, rewards and the width.
    Every trial varies the run of CONFIG.toml (by default 16,000 games on 200 answers).
    """
    try:
        from salet.learn.config_file import read_dqn_config
        from salet.learn.dqn.tune import SMALL, SPACE, effects, tune
    except ModuleNotFoundError:
        raise MissingExtraError("tuning", "learn") from None
    if only_space:
        _show_space(SPACE, as_json)
        return
    if out is None:
        raise click.UsageError("give --out DIR, the directory of the runs")
    base = SMALL if config is None else read_dqn_config(config)
    with live_progress(f"settings on {base.game}", bar=True) as update:
        found = tune(
            base,
            out,
            trials=trials,
            seed=seed,
            progress=lambda trial, count: update(done=trial.number + 1, total=count),
        )
    if as_json:
        import msgspec

        emit({"game": base.game, "trials": msgspec.to_builtins(found), "effects": effects(found)})
    else:
        from salet.cli.render.training import trials_view

        show(*trials_view(found, effects(found)))


def _show_space(space: Any, as_json: bool) -> None:
    if as_json:
        emit({"space": dict(space)})
    else:
        show(*(f"{name:14} {', '.join(map(str, values))}" for name, values in space.items()))
