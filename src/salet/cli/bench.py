"""`salet bench`: rank everything there is on one list."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.show import console, emit
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.bench.run import BenchResult, EntryComparison
    from salet.bench.suites import GameSpec


@click.command(
    epilog=examples(
        "salet bench --suite quick",
        "salet bench --suite full --peer alex1770=../wordle/wordle --out results",
        'salet bench --player "mine=./player words.txt" --game original:first=200',
        "salet bench --strategy expected-size:temperature=0.01 --strategy mine.py:Player",
        "salet bench --history",
        "salet bench --compare parts entropy",
    )
)
@click.option("--suite", default="quick", show_default=True, metavar="SUITE",
              help="quick or full.")  # fmt: skip
@click.option("--strategy", "strategies", multiple=True, metavar="S",
              help="A strategy to be measured too, with its options.")  # fmt: skip
@click.option("--player", "players", multiple=True, metavar="NAME=CMD",
              help="A program to be measured too, over pipes.")  # fmt: skip
@click.option("--protocol", default="go-stop", show_default=True, metavar="P",
              help="What --player programs speak: go-stop or jsonl.")  # fmt: skip
@click.option("--peer", "peers", multiple=True, metavar="NAME=PATH",
              help="A solver to be timed against ours: alex1770.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default="bench", show_default=True,
              metavar="DIR", help="Where reports and history are kept.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
              help="Instances of each program  [one for each core].")  # fmt: skip
@click.option("--limit", type=click.FloatRange(0, min_open=True), default=3600.0,
              show_default=True, metavar="S", help="Most seconds for an entry.")  # fmt: skip
@click.option("--turns", type=click.IntRange(1), default=3, show_default=True, metavar="N",
              help="How often each side of a --peer is timed.")  # fmt: skip
@click.option("--history", is_flag=True, help="Show how the figures moved between commits.")
@click.option("--compare", nargs=2, metavar="A B",
              help="Compare two entries of the last run in DIR.")  # fmt: skip
@json_option
@game_options()
def command(
    choice: GameChoice,
    suite: str,
    strategies: tuple[str, ...],
    players: tuple[str, ...],
    protocol: str,
    peers: tuple[str, ...],
    out: Path,
    jobs: int,
    limit: float,
    turns: int,
    history: bool,
    compare: tuple[str, str] | None,
    as_json: bool,
) -> None:
    """Measure every player on one list with one cap, and rank them.

    Writes bench.json, bench.md and bench.svg to DIR. A run that was interrupted goes on where it
    was; an entry that fails is reported with the reason.
    """
    if history:
        show_history(out, as_json)
        return
    if compare is not None:
        show_comparison(compare, out, choice, as_json)
        return
    from salet.arena.child_process import parse_command
    from salet.arena.protocols import protocol_named
    from salet.bench.run import run_bench
    from salet.bench.suites import parse_named

    protocol_named(protocol)
    programs = [parse_named(text, "--player") for text in players]
    for _, program in programs:
        parse_command(program)
    with live() as report:
        result = run_bench(
            spec_of(choice),
            suite=suite,
            strategies=strategies,
            programs=programs,
            protocol=protocol,
            peers=[parse_named(text, "--peer") for text in peers],
            directory=out,
            limit=limit,
            jobs=jobs,
            turns=turns,
            progress=report,
        )
    if as_json:
        emit(result.to_dict())
    else:
        show(result, out)


def spec_of(choice: GameChoice) -> GameSpec:
    """The game options, to be handed to other processes."""
    from salet.bench.suites import GameSpec

    return GameSpec(
        game=choice.game or "original",
        answers=None if choice.answers is None else str(choice.answers),
        guesses=None if choice.guesses is None else str(choice.guesses),
        rule=choice.rule,
        mode=choice.chosen_mode,
        cap=choice.cap,
    )


def show(result: BenchResult, directory: Path) -> None:
    """The table for people."""
    from rich.table import Table

    from salet.bench.report import conditions

    out = console()
    out.print(f"{conditions(result.to_dict())}; a lost game counts cap + 1")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player")
    table.add_column("opener")
    for title in ("mean", "total", "worst", "lost", "play s", "prepare s", "peak MB"):
        table.add_column(title, justify="right", no_wrap=True)
    for m in result.entries:
        if m.error is not None:
            continue
        figures = (m.total, m.worst, m.losses, m.seconds, m.prepare_seconds, m.peak_mb)
        mean = "–" if m.mean is None else f"{m.mean:.4f}"
        table.add_row(
            m.name, m.opener or "–", mean, *("–" if f is None else str(f) for f in figures)
        )
    out.print(table)
    for m in result.entries:
        if m.error is not None:
            out.print(f"[red]failed[/] {m.name}: {m.error}", soft_wrap=True)
    for peer in result.peers:
        ratio = "–" if peer.ratio is None else f"{peer.ratio:.1f}"
        why = "" if peer.error is None else f" ({peer.error})"
        out.print(f"{peer.name}: we are {ratio} times as fast{why}", soft_wrap=True)
    out.print(f"written to {directory}/bench.json, bench.md and bench.svg")


def show_history(directory: Path, as_json: bool) -> None:
    """How each figure moved."""
    from salet.bench.history import FILE, History

    if not (directory / FILE).is_file():
        raise InputError(f"no history in {str(directory)!r}; run `salet bench --out {directory}`")
    with History(directory) as history:
        points = list(history.points())
    rows: list[dict[str, Any]] = [
        {
            "name": point.name,
            "game": point.game,
            "date": point.date,
            "commit": point.commit,
            "mean": point.measure.mean,
            "total": point.measure.total,
            "seconds": point.measure.seconds,
            "prepare_seconds": point.measure.prepare_seconds,
            "error": point.measure.error,
        }
        for point in points
    ]
    if as_json:
        emit({"history": rows})
        return
    out = console()
    before: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (row["game"], row["name"], row["date"])):
        figure = row["game"], row["name"]
        last = before.get(figure)
        moved = ""
        if last is not None and row["total"] is not None and last["total"] is not None:
            moved = f"  total {row['total'] - last['total']:+d}"
            if row["seconds"] and last["seconds"]:
                moved += f", time x {row['seconds'] / last['seconds']:.2f}"
        if last is None:
            out.print(f"[bold]{row['name']}[/] on {row['game']}", soft_wrap=True)
        mean = "failed" if row["mean"] is None else f"mean {row['mean']:.4f}"
        seconds = "" if row["seconds"] is None else f", {row['seconds']:.2f} s"
        out.print(f"  {row['date']}  {row['commit'] or 'no commit':12}  {mean}{seconds}{moved}",
                  soft_wrap=True)  # fmt: skip
        before[figure] = row


def show_comparison(
    names: tuple[str, str], directory: Path, choice: GameChoice, as_json: bool
) -> None:
    """Two entries of the last run."""
    import msgspec

    from salet.bench.history import FILE, History
    from salet.bench.run import compare_entries
    from salet.bench.worker import open_game

    if not (directory / FILE).is_file():
        raise InputError(f"no history in {str(directory)!r}; run `salet bench --out {directory}`")
    game = open_game(spec_of(choice))
    with History(directory) as history:
        last = {point.name: point.measure for point in history.points(game.name)}
    found = compare_entries(list(last.values()), game.answers, *names)
    if found is None:
        raise InputError(f"{names[0]!r} and {names[1]!r} have played no answer in common")
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        _print_comparison(found)


def _print_comparison(found: EntryComparison) -> None:
    out = console()
    out.print(f"{found.second} against {found.first}: {found.comparison.sentence()}",
              soft_wrap=True)  # fmt: skip
    for name, pairs in (
        (found.first, found.comparison.best),
        (found.second, found.comparison.worst),
    ):
        shown = ", ".join(f"{word} by {abs(by)}" for word, by in pairs) or "on none"
        out.print(f"{name} wins most: {shown}", soft_wrap=True)


@contextlib.contextmanager
def live() -> Iterator[Callable[[str, int, int], None] | None]:
    """What is measured now, on stderr; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with console(stderr=True).status("") as status:
        yield lambda what, done, steps: status.update(f"{done + 1} of {steps}: {what}")
