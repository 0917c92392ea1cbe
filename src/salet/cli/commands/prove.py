"""`salet prove`: the best opener, proven over all guesses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from salet.cli.cluster_options import check_cluster_options, executor_at, scheduler_option
from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    json_option,
    memory_option,
    output_option,
    threads_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError


@click.command(
    epilog=examples(
        "salet prove --game mastermind:3x3 --ranking 3",
        "salet prove --game original --hard --cap 7 --ranking 10 --checkpoint hard7",
        "salet prove --game original --ranking all --checkpoint every --seconds 3600",
        "salet prove --scheduler tcp://192.168.0.2:8786 --checkpoint proof --json",
    )
)
@click.option("--openers", default="all", show_default=True, metavar="all|FILE",
              help="The openers to compare: all, or those in FILE, one per line.")  # fmt: skip
@click.option("--ranking", default="1", show_default=True, metavar="K|all",
              help="Find the exact totals of the K best openers, or of all.")  # fmt: skip
@click.option("--seconds", type=float, metavar="S",
              help="Stop after S seconds; with --checkpoint the next run continues.")  # fmt: skip
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="DIR",
              help="Store progress in DIR; run the same command again to resume.")  # fmt: skip
@threads_option
@memory_option(3.0, "the transposition table")
@output_option("--certificate", "Save a proof of the lower bounds to FILE, for `salet check`.")
@scheduler_option
@json_option
@game_options()
def command(
    choice: GameChoice,
    openers: str,
    ranking: str,
    seconds: float | None,
    checkpoint: Path | None,
    threads: int | None,
    memory: float,
    certificate: Path | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Prove which first guess is best, over all legal guesses.

    The bounds shown are valid at all times: lower <= optimum <= upper.
    """
    from salet.cli.render.search import proof, proof_progress
    from salet.game.packs.files import read_word_file
    from salet.search.prove import prove

    check_cluster_options(scheduler, threads=threads, seconds=seconds)
    if ranking != "all" and not ranking.isdecimal():
        raise InputError(f"--ranking {ranking!r}: give a number, as 10, or all")
    wanted: Any = ranking if ranking == "all" else int(ranking)
    game = choice.open()
    words = None if openers == "all" else read_word_file(Path(openers))
    with (
        executor_at(scheduler, game, memory) as executor,
        live_progress("preparing") as update,
    ):
        result = prove(
            game,
            openers=words,
            ranking=wanted,
            seconds=seconds,
            checkpoint=checkpoint,
            threads=threads,
            memory=memory,
            certificate=certificate is not None,
            progress=lambda now: update(proof_progress(now)),
            executor=executor,
        )
    if certificate is not None:
        if result.certificate is not None:
            result.certificate.save(certificate)
        else:
            show("no certificate is written: the proof is not complete", stderr=True)
    if as_json:
        emit(result.to_dict())
    else:
        show(*proof(result))
