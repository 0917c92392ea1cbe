"""`salet compare-pickers`: the same search with several pickers, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, check_output, examples, game_options, json_option
from salet.cli.search import live, write_curve
from salet.cli.show import console, emit

if TYPE_CHECKING:
    from salet.search.anytime import SearchResult

DEFAULT = ("thompson", "laplace", "puct", "hoeffding", "epsilon-greedy")


@click.command(
    epilog=examples(
        "salet compare-pickers --game original:first=200 --iterations 200",
        "salet compare-pickers --picker thompson --picker laplace:delta=0.05 --seeds 5",
        "salet compare-pickers --game nyt-2023-07 --faithful --seconds 1800 --plot pickers.svg",
    )
)
@click.option("--picker", "pickers", multiple=True, metavar="P",
              help="A picker with its parameters; give it again for the next  [all].")  # fmt: skip
@click.option("--seeds", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Runs of each picker, with seeds 0 to N - 1.")  # fmt: skip
@click.option("--iterations", type=int, metavar="N",
              help="Most iterations of each run  [100, unless --seconds is given].")  # fmt: skip
@click.option("--seconds", type=float, metavar="S", help="Most seconds of each run.")
@click.option("--faithful", is_flag=True, help="The published algorithm as it was.")
@click.option("--top-k", type=int, metavar="K",
              help="Guesses at the root explored in one iteration  [2].")  # fmt: skip
@click.option("--threads", type=int, metavar="N", help="Threads  [all cores].")
@click.option("--dp-threshold", type=int, metavar="N",
              help="Solve states of at most N answers exactly.")  # fmt: skip
@click.option("--memory", default=2.0, show_default=True, metavar="GB",
              help="Most memory for what a search remembers.")  # fmt: skip
@click.option("--curve", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the bounds over time (.csv).")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE",
              help="Draw the upper bounds over time (.svg, .png or .pdf).")  # fmt: skip
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
    """Run a tree search with several pickers and seeds, and show who gets how far how fast."""
    from salet.search.anytime import SearchConfig, anytime_search
    from salet.search.mcts.pickers import picker_named

    check_output(curve)
    if plot is not None:
        from salet.cli.plots import check_plot

        check_output(plot)
        check_plot(plot)
    if fields["iterations"] is None and fields["seconds"] is None:
        fields["iterations"] = 100
    asked = pickers or DEFAULT
    for picker in asked:
        picker_named(picker)
    configs = [
        SearchConfig(picker=picker, seed=seed, **fields)
        for picker in asked
        for seed in range(seeds)
    ]
    game = choice.open()
    results = []
    with live() as report:
        for config in configs:
            results.append(anytime_search(game, config, progress=report))
            if results[-1].stopped == "interrupted":
                break
    if curve is not None:
        write_curve(results, curve)
    if plot is not None:
        from salet.cli.plots import plot_curves

        plot_curves(results, plot)
    if as_json:
        emit({"game": game.name, "mode": game.mode, "runs": [_run(result) for result in results]})
    else:
        _show(results)


def _run(result: SearchResult) -> dict[str, Any]:
    fields = result.to_dict()
    names = ("picker", "seed", "iterations", "guess", "lower", "upper", "proven", "stopped",
             "seconds", "curve")  # fmt: skip
    return {name: fields[name] for name in names}


def _show(results: list[SearchResult]) -> None:
    from rich.table import Table

    table = Table("picker", "seed", "guess", "lower", "upper", "iteration", "seconds", box=None)
    for result in results:
        last = next(p for p in result.curve if p.upper == result.curve[-1].upper)
        table.add_row(
            result.picker,
            str(result.seed),
            result.guess,
            str(result.lower),
            str(result.upper),
            str(last.iteration),
            f"{last.seconds:.2f}",
        )
    console().print(table)
    console().print("iteration and seconds: when the upper bound was reached")
