"""`salet search`: anytime search, better the longer it runs, proven when its bounds meet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    json_option,
    output_option,
    search_options,
    seed_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError


@click.command(
    epilog=examples(
        "salet search --seconds 20 --plan plan.json",
        "salet search --game bulls-and-cows:3x6 --method mcdp",
        "salet search --game original:first=200 --picker laplace:delta=0.1 --iterations 20 --json",
        "salet search --faithful --iterations 900 --curve curve.csv",
    )
)
@click.option("--method", default="mcts", show_default=True, metavar="M",
              help="Search method: mcts (tree search) or mcdp.")  # fmt: skip
@click.option("--picker", default="thompson", show_default=True, metavar="P",
              help="Tree search: how guesses are picked: thompson, laplace, puct, hoeffding, "
                   "epsilon-greedy, top-n or mean, with parameters as in "
                   "laplace:delta=0.1.")  # fmt: skip
@click.option("--predictor", default="entropic", show_default=True, metavar="Q",
              help="Tree search: how untried guesses are valued: entropic or "
                   "statistical.")  # fmt: skip
@click.option("--temperature", type=float, metavar="T", show_default="the method's own",
              help="mcts: T of the visit share N^(1/T); mcdp: of the softmax.")  # fmt: skip
@search_options()
@output_option("--plan", "Save the best plan to FILE (.json, .tree or .txt).")
@seed_option()
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
    """Search for the best plan of a game; Ctrl-C stops and keeps the best so far.

    The bounds are valid at all times: lower <= optimum <= upper, where upper is the total of the
    best plan so far. The search ends when they are equal.
    """
    from salet.cli.render.search import search_progress, search_result, write_curve
    from salet.search.anytime import SearchConfig, anytime_search

    config = SearchConfig(**fields)
    game = choice.open()
    if config.faithful and choice.cap != "default" and game.cap is not None:
        raise InputError("--faithful plays without a cap; leave out --cap or --faithful")
    with live_progress("preparing") as update:
        result = anytime_search(game, config, progress=lambda now: update(search_progress(now)))
    if plan is not None and result.plan is not None:
        result.plan.save(plan)
    if curve is not None:
        write_curve([result], curve)
    if plot is not None:
        from salet.cli.render.plots import plot_curves

        plot_curves([result], plot)
    if as_json:
        emit(result.to_dict())
    elif result.guess is not None or result.stopped != "proven":
        show(*search_result(result))
    if plan is not None and result.plan is None and result.stopped != "proven":
        raise InputError(
            f"no plan is known yet, so nothing was written to {str(plan)!r}: search longer"
        )
    if result.guess is None and result.stopped == "proven":
        raise InputError(
            f"no plan solves all {game.answer_count} answers within the cap of {result.cap} "
            "(proven): raise --cap"
        )
