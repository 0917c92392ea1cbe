"""Pictures of results (extra `plots`)."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import TYPE_CHECKING

from salet.errors import InputError, MissingExtraError
from salet.storage import output

if TYPE_CHECKING:
    from salet.strategies.simulate import Simulation

_KINDS = (".png", ".svg", ".pdf")


def check_plot(path: Path) -> None:
    """Refuse what cannot be drawn before the work begins."""
    if path.suffix.lower() not in _KINDS:
        raise InputError(f"plot file {str(path)!r}: its name must end in {', '.join(_KINDS)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError("drawing a plot", "plots")


def plot_histogram(result: Simulation, path: Path) -> None:
    """Draw the games by number of guesses."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
    sizes = [str(size) for size in result.histogram]
    bars = axes.bar(sizes, list(result.histogram.values()), color="#4c956c")
    if result.losses:
        sizes.append("lost")
        bars = axes.bar(sizes, [*result.histogram.values(), result.losses],
                        color=["#4c956c"] * len(result.histogram) + ["#bc4b51"])  # fmt: skip
    axes.bar_label(bars)
    axes.set(
        xlabel="guesses",
        ylabel="answers",
        title=f"{result.strategy} on {result.game} ({result.mode}): mean {result.mean:.4f}",
    )
    axes.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower()[1:], dpi=150)
    pyplot.close(figure)
    with output(path) as file:
        file.write(picture.getvalue())


def plot_training(metrics: Path, path: Path) -> None:
    """Draw how a network learned: the mean and the losses of greedy play, game by game."""
    check_plot(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from salet.learn.metrics import read_rows

    rows = read_rows(metrics)
    games = [row.games for row in rows]
    figure, (above, below) = pyplot.subplots(
        2, 1, sharex=True, figsize=(6.4, 5), layout="constrained"
    )
    above.plot(games, [row.mean for row in rows], color="#4c956c")
    above.set(ylabel="mean guesses", title=f"best mean {min(row.mean for row in rows):.4f}")
    below.semilogy(games, [max(row.answers - row.wins, 0.5) for row in rows], color="#bc4b51")
    below.set(ylabel="lost (0 drawn as 0.5)", xlabel="games played")
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower()[1:], dpi=150)
    pyplot.close(figure)
    with output(path) as file:
        file.write(picture.getvalue())


def plot_rounds(metrics: Path, path: Path) -> None:
    """Draw how the second agent learned: the mean of the network alone and with hindsight, and the
    lost games, round by round."""
    check_plot(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from salet.learn.policy.metrics import read_rows

    rows = read_rows(metrics)
    judged = [row for row in rows if row.mean is not None and row.lost is not None]
    played = [row for row in rows if row.hindsight is not None]
    figure, (above, below) = pyplot.subplots(
        2, 1, sharex=True, figsize=(6.4, 5), layout="constrained"
    )
    alone = [row.mean or 0.0 for row in judged]
    above.plot([row.round for row in judged], alone, color="#4c956c", label="network alone")
    above.plot([row.round for row in played], [row.hindsight for row in played], color="#8d99ae",
               label="own play with hindsight")  # fmt: skip
    top = min(alone, default=0.0)
    above.set(ylabel="mean guesses", ylim=(3.4, 4.0), title=f"best mean {top:.4f}")
    above.legend(frameon=False)
    lost = [max(row.lost or 0, 0.5) for row in judged]
    below.semilogy([row.round for row in judged], lost, color="#bc4b51")
    below.set(ylabel="lost (0 drawn as 0.5)", xlabel="rounds")
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower()[1:], dpi=150)
    pyplot.close(figure)
    with output(path) as file:
        file.write(picture.getvalue())
