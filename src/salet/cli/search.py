"""`salet search`: anytime search, better the longer it runs, proven when its bounds meet."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import (
    GameChoice,
    check_output,
    examples,
    game_options,
    json_option,
    seed_option,
)
from salet.cli.show import console, emit
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.search.anytime import SearchResult
    from salet.search.anytime_run import SearchProgress


@click.command(
    epilog=examples(
        "salet search --seconds 20",
        "salet search --game mastermind:4x6 --plan plan.json",
        "salet search --game original:first=200 --picker laplace:delta=0.1 --json",
        "salet search --game nyt-2023-07 --faithful --iterations 900 --curve curve.csv",
    )
)
@click.option("--method", default="mcts", show_default=True, metavar="M", help="mcts or mcdp.")
@click.option("--picker", default="thompson", show_default=True, metavar="P",
              help="mcts: thompson, laplace, puct, hoeffding, epsilon-greedy, top-n or mean, with "
                   "parameters as laplace:delta=0.1.")  # fmt: skip
@click.option("--predictor", default="entropic", show_default=True, metavar="Q",
              help="mcts: what untried guesses look worth: entropic or statistical.")  # fmt: skip
@click.option("--iterations", type=int, metavar="N", help="Stop after N iterations.")
@click.option("--seconds", type=float, metavar="S",
              help="Stop after S seconds, counted once table and kernels are ready.")  # fmt: skip
@seed_option()
@click.option("--faithful", is_flag=True,
              help="mcts: the published algorithm as it was (no cap, no proof).")  # fmt: skip
@click.option("--top-k", type=int, metavar="K",
              help="mcts: guesses at the root explored in one iteration  [2].")  # fmt: skip
@click.option("--threads", type=int, metavar="N", help="Threads  [all cores].")
@click.option("--temperature", type=float, metavar="T",
              help="mcts: of the visit share N^(1/T); mcdp: of the softmax.")  # fmt: skip
@click.option("--dp-threshold", type=int, metavar="N",
              help="Solve states of at most N answers exactly  [the method's own].")  # fmt: skip
@click.option("--memory", default=2.0, show_default=True, metavar="GB",
              help="Most memory for what the search remembers.")  # fmt: skip
@click.option("--plan", type=click.Path(path_type=Path), metavar="FILE",
              help="Save the best plan (.json, .tree or .txt).")  # fmt: skip
@click.option("--curve", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the bounds over time (.csv).")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE",
              help="Draw the bounds over time (.svg, .png or .pdf).")  # fmt: skip
@json_option
@game_options()
def command(
    choice: GameChoice,
    plan: Path | None,
    curve: Path | None,
    plot: Path | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Search for the best plan of a game; stop any time with Ctrl-C and keep the best so far.

    Bounds are facts at every moment: lower <= optimum <= upper, and the plan takes upper. The
    search ends by itself when they meet.
    """
    from salet.search.anytime import SearchConfig, anytime_search

    check_output(plan)
    check_output(curve)
    if plot is not None:
        from salet.cli.plots import check_plot

        check_output(plot)
        check_plot(plot)
    config = SearchConfig(**fields)
    game = choice.open()
    if config.faithful and choice.cap != "default" and game.cap is not None:
        raise InputError("--faithful knows no cap: leave out --cap or --faithful")
    with live() as report:
        result = anytime_search(game, config, progress=report)
    if plan is not None and result.plan is not None:
        result.plan.save(plan)
    if curve is not None:
        write_curve([result], curve)
    if plot is not None:
        from salet.cli.plots import plot_curves

        plot_curves([result], plot)
    if as_json:
        emit(result.to_dict())
    elif result.guess is not None:
        _show(result)
    if plan is not None and result.plan is None and result.stopped != "proven":
        raise InputError(
            f"no plan is known yet, so nothing was written to {str(plan)!r}: search longer"
        )
    if result.guess is None and result.stopped == "proven":
        raise InputError(
            f"no plan solves all {game.answer_count} answers within the cap of {result.cap} "
            "(proven): raise --cap"
        )


def _show(result: SearchResult) -> None:
    out = console()
    out.print(f"{result.method} on {result.game}, {result.mode} mode")
    if result.upper is None:
        out.print(f"[bold]{result.guess}[/]: no plan that keeps the cap of {result.cap} is known "
                  f"yet; any takes {result.lower} guesses or more")  # fmt: skip
    elif result.proven:
        out.print(f"[bold]{result.guess}[/]: total {result.total}, proven best")
    else:
        out.print(f"[bold]{result.guess}[/]: total {result.total}; no plan takes fewer than "
                  f"{result.lower}")  # fmt: skip
    for row in sorted(result.policy, key=lambda row: -row.optimal)[:5]:
        out.print(f"  {row.guess}  best with probability {row.optimal:.3f}, {row.visits} visits")
    out.print(
        f"{result.iterations} iterations, {result.seconds:.2f} s, {result.peak_mb:.0f} MB, "
        f"stopped: {result.stopped}"
    )


def write_curve(results: list[SearchResult], path: Path) -> None:
    """The bounds on the mean over time, one line a change."""
    from salet.storage import output

    text = io.StringIO()
    text.write("method,picker,seed,iteration,seconds,lower,upper\n")
    for result in results:
        name = f'{result.method},"{result.picker or ""}",{result.seed}'
        for point in result.curve:
            upper = "" if point.upper is None else f"{point.upper:.6f}"
            text.write(f"{name},{point.iteration},{point.seconds},{point.lower:.6f},{upper}\n")
    with output(path) as file:
        file.write(text.getvalue().encode())


@contextlib.contextmanager
def live() -> Iterator[Callable[[SearchProgress], None] | None]:
    """One line on stderr: best guess, bounds, iterations a second, memory."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live

    with Live(console=console(stderr=True), transient=True, refresh_per_second=4) as display:
        yield lambda progress: display.update(_line(progress))


def _line(progress: SearchProgress) -> Any:
    from rich.text import Text

    speed = progress.iteration / progress.seconds if progress.seconds else 0.0
    upper = "no plan yet" if progress.upper is None else str(progress.upper)
    return Text(
        f"best {progress.guess or '…'} · lower {progress.lower} · upper {upper} · "
        f"{progress.iteration} iterations, {speed:,.1f}/s · {progress.megabytes:.0f} MB · "
        f"{progress.seconds:.0f} s · Ctrl-C keeps the best plan"
    )
