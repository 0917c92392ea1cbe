"""`salet compare-pickers`: the same tree search with several pickers, side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option, search_options
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress

if TYPE_CHECKING:
    from salet.cli.render.progress import ProgressUpdate
    from salet.game.game import Game
    from salet.search.anytime import SearchConfig, SearchResult
    from salet.search.anytime_run import SearchProgress

PICKERS = ("thompson", "laplace", "puct", "hoeffding", "epsilon-greedy")
ITERATIONS = 100
"""Iterations of each run if no budget is given."""


@click.command(
    epilog=examples(
        "salet compare-pickers --game original:first=200 --iterations 20",
        "salet compare-pickers --picker thompson --picker laplace:delta=0.05 --seeds 5",
        "salet compare-pickers --faithful --seconds 1800 --plot pickers.svg",
    )
)
@click.option("--picker", "pickers", multiple=True, metavar="P", show_default=", ".join(PICKERS),
              help="A picker with its parameters; repeatable.")  # fmt: skip
@click.option("--seeds", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Runs of each picker, with seeds 0 to N - 1.")  # fmt: skip
@search_options(f"{ITERATIONS}, or no limit with --seconds")
@json_option
@game_options()
def command(
    choice: GameChoice,
    pickers: tuple[str, ...],
    seeds: int,
    curve: Path | None,
    plot: Path | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Run a tree search with several pickers and seeds, and compare their bounds over time."""
    from salet.search.anytime import SearchConfig
    from salet.search.mcts.pickers import picker_named

    if fields["iterations"] is None and fields["seconds"] is None:
        fields["iterations"] = ITERATIONS
    chosen = pickers or PICKERS
    for picker in chosen:
        picker_named(picker)
    configs = [
        SearchConfig(picker=picker, seed=seed, **fields)
        for picker in chosen
        for seed in range(seeds)
    ]
    game = choice.open()
    results = _search(game, configs)
    if curve is not None:
        from salet.cli.render.search import write_curve

        write_curve(results, curve)
    if plot is not None:
        from salet.cli.render.plots import plot_curves

        plot_curves(results, plot)
    if as_json:
        emit({"game": game.name, "mode": game.mode, "runs": [_run(result) for result in results]})
    else:
        from salet.cli.render.search import picker_table

        show(*picker_table(results))


def _search(game: Game, configs: list[SearchConfig]) -> list[SearchResult]:
    """The results of all runs; Ctrl-C ends the current one and leaves out the rest."""
    from salet.search.anytime import anytime_search

    results: list[SearchResult] = []
    for config in configs:
        name = f"{config.picker}, seed {config.seed}"
        with live_progress(name) as update:
            results.append(anytime_search(game, config, progress=partial(_report, name, update)))
        if results[-1].stopped == "interrupted":
            break
    return results


def _report(name: str, update: ProgressUpdate, now: SearchProgress) -> None:
    from salet.cli.render.search import search_progress

    update(f"{name}: {search_progress(now)}")


def _run(result: SearchResult) -> dict[str, Any]:
    """The fields of one run in `--json`."""
    fields = result.to_dict()
    names = ("picker", "seed", "iterations", "guess", "lower", "upper", "proven", "stopped",
             "seconds", "curve")  # fmt: skip
    return {name: fields[name] for name in names}
