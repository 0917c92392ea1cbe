"""Plots of results (extra `plots`)."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salet.errors import InputError, MissingExtraError
from salet.storage import output

if TYPE_CHECKING:
    from salet.search.anytime import SearchResult
    from salet.search.anytime_run import CurvePoint
    from salet.strategies.simulate import Simulation

_FORMATS = (".svg", ".png", ".pdf")
_GREEN, _RED, _GREY = "#4c956c", "#bc4b51", "#8d99ae"


def check_plot(path: Path) -> None:
    """Refuse a file format that cannot be drawn, and a missing matplotlib."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError(f"plot file {str(path)!r}: its name must end in {', '.join(_FORMATS)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError("drawing a plot", "plots")


def plot_histogram(result: Simulation, path: Path) -> None:
    """Draw the games by number of guesses."""
    figure, axes = _pyplot().subplots(figsize=(6.4, 4), layout="constrained")
    names = [*map(str, result.histogram), *(["lost"] if result.losses else [])]
    counts = [*result.histogram.values(), *([result.losses] if result.losses else [])]
    colours = [_RED if name == "lost" else _GREEN for name in names]
    axes.bar_label(axes.bar(names, counts, color=colours))
    axes.set(
        xlabel="guesses",
        ylabel="answers",
        title=f"{result.strategy} on {result.game} ({result.mode}): mean {result.mean:.4f}",
    )
    _save(figure, path)


def plot_curves(results: Sequence[SearchResult], path: Path) -> None:
    """Draw the upper bound on the mean against iterations and against seconds."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    names = list(dict.fromkeys(result.picker or result.method for result in results))
    colours = pyplot.get_cmap("tab10")
    for result in results:
        name = result.picker or result.method
        is_first = result is next(r for r in results if (r.picker or r.method) == name)
        for side, points in zip(axes, _staircases(result), strict=True):
            side.step(*points, where="post", color=colours(names.index(name) % 10), alpha=0.8,
                      linewidth=1.2, label=name if is_first else None)  # fmt: skip
    lowest = min((p.upper for r in results for p in r.curve if p.upper is not None), default=1.0)
    axes[0].set(xlabel="iterations", ylabel="upper bound on the mean of guesses", xscale="log")
    axes[1].set(xlabel="seconds", xscale="log")
    axes[0].set_ylim(lowest - 0.01, lowest * 1.1)
    axes[0].legend()
    figure.suptitle(f"{results[0].game}, {results[0].mode} mode")
    _save(figure, path)


def _staircases(result: SearchResult) -> Iterator[tuple[list[float], list[float]]]:
    """(iterations, bounds) and (seconds, bounds), each to the end of the run."""
    known = [point for point in result.curve if point.upper is not None]
    axes: tuple[tuple[Callable[[CurvePoint], float], float], ...] = (
        (lambda point: max(point.iteration, 1), max(result.iterations, 1)),
        (lambda point: max(point.seconds, 0.01), max(result.seconds, 0.01)),
    )
    for position, end in axes:
        bounds = [point.upper for point in known if point.upper is not None]
        yield [*(position(point) for point in known), end], [*bounds, *bounds[-1:]]


def plot_training(metrics: Path, path: Path) -> None:
    """Draw how a value network learned: mean and losses of greedy play, by games played."""
    check_plot(path)
    from salet.learn.common.metrics import read_metrics
    from salet.learn.dqn.metrics import DqnMetrics

    rows = read_metrics(DqnMetrics, metrics)
    games = [row.games for row in rows]
    figure, (above, below) = _two_rows()
    above.plot(games, [row.mean for row in rows], color=_GREEN)
    above.set(ylabel="mean guesses", title=f"best mean {min(row.mean for row in rows):.4f}")
    below.semilogy(games, [max(row.answers - row.wins, 0.5) for row in rows], color=_RED)
    below.set(ylabel="lost (0 drawn as 0.5)", xlabel="games played")
    _save(figure, path)


def plot_rounds(metrics: Path, path: Path) -> None:
    """Draw how a pair network or a policy network learned: the mean of the network alone and of
    self-play with hindsight, and the lost games, by rounds."""
    check_plot(path)
    from salet.learn.common.metrics import RoundMetrics, read_metrics

    rows = read_metrics(RoundMetrics, metrics)
    judged = [row for row in rows if row.mean is not None and row.lost is not None]
    played = [row for row in rows if row.hindsight is not None]
    figure, (above, below) = _two_rows()
    alone = [row.mean or 0.0 for row in judged]
    above.plot([row.round for row in judged], alone, color=_GREEN, label="network alone")
    if played:
        above.plot([row.round for row in played], [row.hindsight for row in played], color=_GREY,
                   label="self-play with hindsight")  # fmt: skip
    low = min([*alone, *(row.hindsight or 0.0 for row in played)], default=0.0)
    above.set(ylabel="mean guesses", title=f"mean {alone[-1] if alone else 0.0:.4f} at the end")
    above.set_ylim(low - 0.03, low + 0.4)  # the first means are far off and would hide the rest
    above.legend(frameon=False)
    lost = [max(row.lost or 0, 0.5) for row in judged]
    below.semilogy([row.round for row in judged], lost, color=_RED)
    below.set(ylabel="lost (0 drawn as 0.5)", xlabel="rounds")
    _save(figure, path)


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _two_rows() -> tuple[Any, tuple[Any, Any]]:
    figure, (above, below) = _pyplot().subplots(
        2, 1, sharex=True, figsize=(6.4, 5), layout="constrained"
    )
    return figure, (above, below)


def _save(figure: Any, path: Path) -> None:
    """Write a figure completely or not at all."""
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower()[1:], dpi=150)
    _pyplot().close(figure)
    with output(path) as file:
        file.write(picture.getvalue())
