"""`salet simulate`: play every answer of a game with one strategy."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    host_option,
    json_option,
    opener_option,
    output_option,
    plot_option,
    seed_option,
    ties_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import counted_progress


@click.command(
    epilog=examples(
        "salet simulate --strategy entropy --opener soare --game original",
        "salet simulate --strategy minimax --game mastermind:4x6 --json",
        "salet simulate --strategy mine.py:Player --hard --transcripts games.txt",
        "salet simulate --game original:boards=4 --sample 200 --seed 7",
        "salet simulate --host adversary --strategy minimax --game original",
    )
)
@click.option("--strategy", default="entropy", show_default=True, metavar="S",
              help="A player: random, entropy, expected-size, parts, minimax, entropic, "
                   "statistical, exact, boards, forcing, mcts, mcdp, dqn, learned, "
                   "specialist, plan:FILE, or your own as FILE.py:NAME.")  # fmt: skip
@opener_option
@ties_option
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Number of threads.")  # fmt: skip
@plot_option("the histogram")
@output_option("--transcripts", "Write every game to FILE: SECRET, GUESS GUESS …")
@seed_option()
@click.option("--sample", type=click.IntRange(1), metavar="N", show_default="1000",
              help="Several boards: play N tuples of answers, drawn with --seed.")  # fmt: skip
@host_option
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
    host: str,
    sample: int | None,
    as_json: bool,
) -> None:
    """Play every answer of a game and count the guesses.

    A lost game counts cap + 1. With several boards a sample of games is played; against the
    adversary there is only one game.
    """
    from salet.storage import output
    from salet.strategies.simulate import simulate, transcript

    game = choice.open(host)
    with counted_progress(f"{strategy} on {game.name}") as report:
        result = simulate(
            game,
            strategy,
            opener=opener,
            ties=ties,
            seed=seed,
            jobs=jobs,
            sample=sample,
            progress=report,
        )
    if transcripts is not None:
        with output(transcripts) as file:
            file.writelines(f"{line}\n".encode() for line in transcript(game, result))
    if plot is not None:
        from salet.cli.render.plots import plot_histogram

        plot_histogram(result, plot)
    if as_json:
        emit(result.to_dict())
    else:
        from salet.cli.render.simulation import simulation

        show(*simulation(result))
