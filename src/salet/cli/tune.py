"""`salet tune`: search settings of learning on a small game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import examples, json_option, seed_option
from salet.cli.show import console, emit, progress
from salet.errors import MissingExtraError

if TYPE_CHECKING:
    from salet.learn.dqn.tune import Trial


@click.command(
    epilog=examples(
        "salet tune --out runs/tune",
        "salet tune small.toml --out runs/tune --trials 40",
        "salet tune --space",
    )
)
@click.argument("config", required=False, type=click.Path(path_type=Path), metavar="[CONFIG.toml]")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="Where the runs and trials.csv go; a search that was stopped goes on there.",
              )  # fmt: skip
@click.option("--trials", default=20, show_default=True, type=click.IntRange(1), metavar="N",
              help="Settings to try.")  # fmt: skip
@click.option("--space", "only_space", is_flag=True, help="Print what is searched and stop.")
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
    """Train with settings drawn from a stated space and rank them.

    Searched are epsilon, alpha, the update interval, the memory, rewards and the width. Every
    setting changes the run of CONFIG.toml (without one: 16,000 games on 200 answers).
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
        raise click.UsageError("give --out DIR, where the runs go")
    base = SMALL if config is None else read_dqn_config(config)
    with progress(f"settings on {base.game}") as report:
        found = tune(base, out, trials=trials, seed=seed,
                     report=lambda trial, count: report(trial.number + 1, count))  # fmt: skip
    moved = effects(found)
    if as_json:
        import msgspec

        emit({"game": base.game, "trials": msgspec.to_builtins(found), "effects": moved})
    else:
        _show(found, moved)


def _show_space(space: Any, as_json: bool) -> None:
    if as_json:
        emit({"space": dict(space)})
        return
    for name, values in space.items():
        console().print(f"{name:14} {', '.join(map(str, values))}")


def _show(trials: list[Trial], moved: dict[str, dict[str, float]]) -> None:
    from rich.table import Table

    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("mean", "won", "seconds", "settings"):
        table.add_column(title, justify="left" if title == "settings" else "right")
    for trial in trials[:10]:
        said = ", ".join(f"{name} {value}" for name, value in trial.settings.items())
        won = f"{trial.wins}/{trial.answers}"
        table.add_row(f"{trial.mean:.4f}", won, f"{trial.seconds:.0f}", said)
    out.print(table)
    out.print("\nmean over all trials with a value:")
    for name, means in moved.items():
        said = ", ".join(f"{value}: {mean:.4f}" for value, mean in means.items())
        out.print(f"  {name:14} {said}")
