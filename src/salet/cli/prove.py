"""`salet prove`: the best opener, proved over all guesses."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.show import console, emit, waiting
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.search.prove import Progress


@click.command(
    epilog=examples(
        "salet prove --checkpoint proof",
        "salet prove --hard --cap 7 --ranking 10 --checkpoint hard7",
        "salet prove --game mastermind:3x4 --json",
        "salet prove --scheduler tcp://192.168.0.2:8786 --checkpoint proof",
    )
)
@click.option("--openers", default="all", show_default=True, metavar="all|FILE",
              help="All guesses, or those in FILE, one a line.")  # fmt: skip
@click.option("--ranking", default=1, show_default=True, type=click.IntRange(1), metavar="K",
              help="Exact totals of the K best.")  # fmt: skip
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="DIR",
              help="Keep what is decided in DIR; run again to go on.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads  [all cores].")
@click.option("--memory", default=3.0, show_default=True, metavar="GB",
              help="Most memory for remembered bounds.")  # fmt: skip
@click.option("--scheduler", metavar="tcp://HOST:PORT",
              help="Let a dask cluster do it; --memory is then for each worker.")  # fmt: skip
@json_option
@game_options()
def command(
    choice: GameChoice,
    openers: str,
    ranking: int,
    checkpoint: Path | None,
    threads: int | None,
    memory: float,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Prove which first guess is best, over every guess there is.

    Bounds are facts at every moment: lower <= optimum <= upper.
    """
    from salet.game.packs.files import read_word_file
    from salet.search.prove import prove

    if scheduler is not None and threads is not None:
        raise InputError("--threads is for this machine; with --scheduler give it to the workers")
    game = choice.open()
    words = None if openers == "all" else read_word_file(Path(openers))
    with contextlib.ExitStack() as stack:
        elsewhere: dict[str, Any] = {}
        if scheduler is not None:
            from salet.cluster import connected

            with waiting(f"looking for {scheduler}"):
                cluster = stack.enter_context(connected(scheduler))
            elsewhere = {"executor": cluster.executor(game, memory)}
        report = stack.enter_context(_live())
        proof = prove(
            game,
            openers=words,
            ranking=ranking,
            checkpoint=checkpoint,
            threads=threads,
            memory=memory,
            report=report,
            **elsewhere,
        )
    if as_json:
        emit(proof.to_dict())
        return
    out = console()
    if proof.best is None:
        out.print(f"no opener solves every answer within the cap of {proof.cap} (proven)")
    else:
        out.print(f"[bold]{proof.best}[/] is the best opener: total {proof.total}, proven")
        for row in proof.ranking[1:]:
            out.print(f"  {row.guess}  {row.total}")
    ways = ", ".join(f"{count} by {way}" for way, count in proof.openers.items())
    out.print(f"openers decided: {ways}; {proof.nodes} nodes, {proof.seconds:.1f} s, "
              f"{proof.peak_mb:.0f} MB")  # fmt: skip


@contextlib.contextmanager
def _live() -> Iterator[Callable[[Progress], None] | None]:
    """One line on stderr: incumbent, bounds, openers left, speed, time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live

    with Live(console=console(stderr=True), transient=True, refresh_per_second=4) as live:
        yield lambda progress: live.update(_line(progress))


def _line(progress: Progress) -> Any:
    from rich.text import Text

    done = progress.openers - progress.left
    rate = done / progress.seconds if progress.seconds else 0.0
    left = f"{progress.left / rate:.0f} s left" if rate else "…"
    best = f"{progress.best} {progress.upper}" if progress.best else "no incumbent yet"
    speed = progress.nodes / progress.seconds if progress.seconds else 0.0
    return Text(
        f"best {best} · lower bound {progress.lower} · {progress.left} of {progress.openers} "
        f"openers left · {speed:,.0f} nodes/s · {left}"
    )
