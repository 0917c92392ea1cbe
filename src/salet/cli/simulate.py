"""`salet simulate`: play every answer of a game with one strategy."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import (
    GameChoice,
    check_output,
    examples,
    game_options,
    json_option,
    opener_option,
    seed_option,
    ties_option,
)
from salet.cli.show import emit, progress, show_played


@click.command(
    epilog=examples(
        "salet simulate --strategy entropy --opener soare",
        "salet simulate --strategy minimax --game mastermind:4x6",
        "salet simulate --strategy mine.py:Player --hard --json",
    )
)
@click.option("--strategy", default="entropy", show_default=True, metavar="S",
              help="A player: random, entropy, expected-size, parts, minimax, entropic, "
                   "statistical, or your own as FILE.py:NAME.")  # fmt: skip
@opener_option
@ties_option
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Threads.")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE",
              help="Draw the histogram to FILE (.png, .svg or .pdf).")  # fmt: skip
@click.option("--transcripts", type=click.Path(path_type=Path), metavar="FILE",
              help="Write every game: SECRET, GUESS GUESS …")  # fmt: skip
@seed_option()
@json_option
@game_options()
def command(
    choice: GameChoice,
    strategy: str,
    opener: str | None,
    ties: str,
    jobs: int,
    plot: Path | None,
    transcripts: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Play every answer of a game and count the guesses.

    The decision tree is grown once for all answers. A lost game counts cap + 1.
    """
    from salet.storage import output
    from salet.strategies.simulate import play_all, transcript

    if plot is not None:
        from salet.cli.plots import check_plot

        check_plot(plot)
    check_output(transcripts)
    game = choice.open()
    with progress(f"{strategy} on {game.name}") as report:
        played = play_all(
            game, strategy, opener=opener, ties=ties, seed=seed, jobs=jobs, progress=report
        )
    if transcripts is not None:
        with output(transcripts) as file:
            file.writelines(f"{line}\n".encode() for line in transcript(game, played.games))
    if plot is not None:
        from salet.cli.plots import plot_histogram

        plot_histogram(played.result, plot)
    if as_json:
        emit(played.result.to_dict())
    else:
        show_played(strategy, played.result, f", {played.result.seconds:.1f} s")
