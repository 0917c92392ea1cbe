"""`salet arena`: programs as players, in any language, over pipes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option, seed_option
from salet.cli.show import console, emit, histogram, progress

if TYPE_CHECKING:
    from salet.arena.regret import Regret
    from salet.arena.run import Arena, ArenaProgress


@click.command(
    epilog=examples(
        'salet arena --player "python3 examples/player.py words.txt"',
        'salet arena --player "./mine --fast" --player "node other.js" --protocol jsonl --hard',
        'salet arena --player "salet serve-player --strategy entropy" --transcripts games.txt',
    )
)
@click.option("--player", "players", multiple=True, required=True, metavar="CMD",
              help="A program with its arguments; again for more players.")  # fmt: skip
@click.option("--protocol", default="go-stop", show_default=True, metavar="P",
              help="go-stop or jsonl; see docs/arena.md.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
              help="Instances of each player at once  [one for each core].")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0,
              show_default=True, metavar="S",
              help="Seconds for each guess, the start of the program included.")  # fmt: skip
@click.option("--game-timeout", type=click.FloatRange(0, min_open=True), default=300.0,
              show_default=True, metavar="S", help="Seconds for each game.")  # fmt: skip
@click.option("--answers-from", type=click.Path(path_type=Path), metavar="FILE",
              help="Play these words (any legal guesses), one a line  [all answers].")  # fmt: skip
@click.option("--sample", type=int, metavar="N", help="Play N of them, drawn at random.")
@click.option("--transcripts", type=click.Path(path_type=Path), metavar="FILE",
              help="Keep every game as it comes: SECRET, GUESS GUESS … "
                   "Run again after a kill, it goes on.")  # fmt: skip
@click.option("--regret", "with_regret", is_flag=True,
              help="Price every decision by exact search.")  # fmt: skip
@seed_option()
@json_option
@game_options()
def command(
    choice: GameChoice,
    players: tuple[str, ...],
    protocol: str,
    jobs: int,
    timeout: float,
    game_timeout: float,
    answers_from: Path | None,
    sample: int | None,
    transcripts: Path | None,
    with_regret: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Let programs play every answer, and count.

    A program that crashes, hangs or says what it may not is restarted; the game counts as a
    failure of that player, with its reason. A lost game counts cap + 1.
    """
    from salet.arena.child_process import parse_command
    from salet.arena.match import Limits
    from salet.arena.protocols import protocol_named
    from salet.arena.run import run_arena
    from salet.arena.umpire import make_contest

    protocol_named(protocol)
    for player in players:
        parse_command(player)
    game = choice.open()
    value = None
    if with_regret:
        from salet.arena.regret import exact_value

        value = exact_value(game)
    contest = make_contest(game, answers_from, sample, seed)
    with live() as report:
        arena = run_arena(
            contest,
            players,
            protocol=protocol,
            jobs=jobs,
            limits=Limits(timeout, game_timeout),
            transcripts=transcripts,
            progress=report,
        )
    regrets: list[Regret] = []
    if value is not None:
        from salet.arena.regret import measure_regret

        with progress("decisions priced") as priced:
            regrets = [measure_regret(game, outcomes, value, priced) for outcomes in arena.outcomes]
    if as_json:
        emit(fields(arena, regrets))
    else:
        show(arena, regrets)
    show_faults(arena)


def fields(arena: Arena, regrets: list[Regret]) -> dict[str, Any]:
    """The result for programs."""
    result = arena.result.to_dict()
    for player, regret in zip(result["players"], regrets, strict=False):
        player["regret"] = regret.to_dict()
    return result


def show(arena: Arena, regrets: list[Regret]) -> None:
    """The result for people."""
    result = arena.result
    limit = "no cap" if result.cap is None else f"cap {result.cap}"
    out = console()
    for number, player in enumerate(result.players):
        out.print(f"[bold]{_plain(player.command)}[/] on {result.game}, {result.mode} mode, "
                  f"{limit}, {result.protocol}", soft_wrap=True)  # fmt: skip
        if player.histogram or player.losses:
            out.print(histogram(player.histogram, player.losses))
        mean = "none" if player.mean is None else f"{player.mean:.4f}"
        failed = sum(player.failures.values())
        rate = result.answers / player.seconds if player.seconds else 0.0
        out.print(f"mean [bold]{mean}[/] = {player.total or 0} / {player.games}, "
                  f"worst {player.worst or 'none'}, lost {player.losses}, failed {failed}, "
                  f"{player.seconds:.1f} s ({rate:.0f} games/s)", soft_wrap=True)  # fmt: skip
        for reason, count in player.failures.items():
            out.print(f"  {reason}: {count}")
        if number < len(regrets):
            show_regret(out, regrets[number])
    if len(result.players) > 1:
        show_comparisons(out, arena)


def show_regret(out: Any, regret: Regret) -> None:
    """What a player's decisions cost."""
    mean = "none" if regret.per_guess is None else f"{regret.per_guess:.4f}"
    out.print(f"regret [bold]{mean}[/] a guess, {regret.guesses} priced, "
              f"{regret.unpriced} too large to price")  # fmt: skip
    for decision in regret.worst:
        out.print(f"  {decision.loss:.4f}  {decision.guess} after {decision.history or 'nothing'}, "
                  f"{decision.answers} answers left", soft_wrap=True)  # fmt: skip


def show_comparisons(out: Any, arena: Arena) -> None:
    """Every other player against the first."""
    from salet.arena.outcomes import charge
    from salet.arena.statistics import compare

    cap = arena.result.cap
    charges = [
        {o.secret: charge(o, cap) for o in outcomes if o.fault is None}
        for outcomes in arena.outcomes
    ]
    for number in range(1, len(charges)):
        found = compare(charges[0], charges[number])
        if found is not None:
            out.print(f"player {number + 1} against player 1: {found.sentence()}", soft_wrap=True)


def show_faults(arena: Arena) -> None:
    """The first failure of each kind, with the player's last words, on stderr."""
    for number, player in enumerate(arena.result.players):
        for reason, (secret, fault) in arena.faults(number).items():
            click.echo(f"{player.command}: {reason} on {secret}: {fault.detail}", err=True)
            for line in fault.stderr:
                click.echo(f"  | {line}", err=True)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)


@contextlib.contextmanager
def live() -> Iterator[Callable[[ArenaProgress], None] | None]:
    """A line on stderr that tells how it goes; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("player {task.fields[number]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console(stderr=True), transient=True) as bars:
        tasks: dict[int, Any] = {}

        def report(now: ArenaProgress) -> None:
            if now.player not in tasks:
                tasks[now.player] = bars.add_task(
                    "", total=now.answers, number=now.player + 1, state=""
                )
            done = now.games + now.failures
            mean = "–" if now.mean is None else f"{now.mean:.4f}"
            rate = done / now.seconds if now.seconds else 0.0
            state = f"mean {mean}, {now.failures} failed, {rate:.0f} games/s"
            bars.update(tasks[now.player], completed=done, state=state)

        yield report
