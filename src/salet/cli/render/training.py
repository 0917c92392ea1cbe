"""Training runs: progress lines, results, and the ranking of hyperparameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from salet.cli.render.console import format_seconds, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.learn.common.metrics import RoundMetrics
    from salet.learn.dqn.metrics import DqnMetrics
    from salet.learn.dqn.tune import Trial

TRIALS_SHOWN = 10


def dqn_progress(row: DqnMetrics, done: int, games: int) -> str:
    """The last evaluation of a value network in training."""
    return (
        f"{done:,} of {games:,} games, won {row.wins} of {row.answers}, mean {row.mean:.4f}, "
        f"loss {row.loss:.4f}, epsilon {row.epsilon:.3f}, {_left(row.seconds, done, games)}"
    )


def rounds_progress(row: RoundMetrics, rounds: int) -> str:
    """The last round of a pair network or a policy network in training."""
    parts = [f"round {row.round} of {rounds}", f"{row.examples:,} examples", f"loss {row.loss:.4f}"]
    if row.hindsight is not None:
        parts.append(f"hindsight {row.hindsight:.4f}")
    if row.mean is not None:
        parts.append(f"network alone {row.mean:.4f}, lost {row.lost}")
    return ", ".join([*parts, _left(row.seconds, row.round, rounds)])


def dqn_result(fields: Mapping[str, Any]) -> Text:
    """The result of training a value network, from the fields of `--json`."""
    test, trained = fields["test"], fields["trained"]
    return line(
        (fields["head"], "bold"), f" on {fields['game']}: won {test['wins']} of "
        f"{test['answers']}, mean ", (f"{test['mean']:.4f}", "bold"),
        f" after {trained['games']:,} games, {_whole(trained['seconds'])}",
    )  # fmt: skip


def rounds_result(fields: Mapping[str, Any]) -> Text:
    """The result of training a pair or a policy network, from the fields of `--json`."""
    trained = fields["trained"]
    where = fields["game"] if fields["kind"] == "policy" else "its validation list"
    return line(
        f"network alone on {where}: mean ", (f"{trained['mean']:.4f}", "bold"),
        f", lost {trained['lost']}, after {trained['rounds']} rounds, "
        f"{_whole(trained['seconds'])}",
    )  # fmt: skip


def trials_view(
    trials: Sequence[Trial], effects: Mapping[str, Mapping[str, float]]
) -> list[RenderableType]:
    """The best hyperparameters, and the mean of all trials for each value."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("mean", "won", "time", "settings"):
        table.add_column(title, justify="left" if title == "settings" else "right")
    for trial in trials[:TRIALS_SHOWN]:
        settings = ", ".join(f"{name} {value}" for name, value in trial.settings.items())
        won = f"{trial.wins}/{trial.answers}"
        table.add_row(f"{trial.mean:.4f}", won, format_seconds(trial.seconds), settings)
    means = [
        Text(f"  {name:14} {', '.join(f'{value}: {mean:.4f}' for value, mean in values.items())}")
        for name, values in effects.items()
    ]
    return [table, Text("\nmean of all trials with each value:"), *means]


def _left(seconds: float, done: int, total: int) -> str:
    """The time left at the speed so far."""
    return "done" if done >= total else f"{format_seconds(seconds / done * (total - done))} left"


def _whole(seconds: int) -> str:
    """A duration that was rounded to whole seconds."""
    return format_seconds(seconds) if seconds else "less than a second"
