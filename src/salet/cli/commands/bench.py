"""`salet bench`: rank all players on one list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    jobs_option,
    json_option,
    protocol_option,
    timeout_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.bench.suites import GameSpec


@click.command(
    epilog=examples(
        "salet bench --suite full --game original --peer alex1770=../wordle/wordle --out results",
        'salet bench --player "mine=./player words.txt" --strategy mine.py:Player --hard',
        "salet bench --compare parts entropy",
        "salet bench --history",
    )
)
@click.option("--suite", default="quick", show_default=True, metavar="SUITE",
              help="The players to measure: quick or full.")  # fmt: skip
@click.option("--strategy", "strategies", multiple=True, metavar="S",
              help="Another strategy to measure, with its options; repeatable.")  # fmt: skip
@click.option("--player", "players", multiple=True, metavar="NAME=CMD",
              help="A program to measure, over pipes; repeatable.")  # fmt: skip
@protocol_option
@click.option("--peer", "peers", multiple=True, metavar="NAME=PATH",
              help="Another solver to time against ours: alex1770.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default="bench", show_default=True,
              metavar="DIR", help="Directory of the reports and the history.")  # fmt: skip
@jobs_option("Number of concurrent instances of each program.")
@timeout_option("--limit", 3600.0, "Time limit of an entry.")
@click.option("--turns", type=click.IntRange(1), default=3, show_default=True, metavar="N",
              help="Timing runs of each side against a --peer.")  # fmt: skip
@click.option("--history", is_flag=True, help="Show how the figures changed between commits.")
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

    Writes bench.json, bench.md and bench.svg to DIR. An interrupted run is resumed; an entry that
    fails is reported with the reason.
    """
    if history:
        _show_history(out, as_json)
        return
    if compare is not None:
        _show_comparison(compare, out, choice, as_json)
        return
    from salet.arena.child_process import parse_command
    from salet.arena.protocols import protocol_named
    from salet.bench.run import run_bench
    from salet.bench.suites import parse_named

    protocol_named(protocol)
    programs = [parse_named(text, "--player") for text in players]
    for _, program in programs:
        parse_command(program)
    with live_progress("starting", bar=True) as update:
        result = run_bench(
            _spec(choice),
            suite=suite,
            strategies=strategies,
            programs=programs,
            protocol=protocol,
            peers=[parse_named(text, "--peer") for text in peers],
            directory=out,
            limit=limit,
            jobs=jobs,
            turns=turns,
            progress=lambda entry, done, steps: update(entry, done=done, total=steps),
        )
    if as_json:
        emit(result.to_dict())
    else:
        from salet.cli.render.bench import bench_view

        show(*bench_view(result, out))


def _spec(choice: GameChoice) -> GameSpec:
    """The game options in a form that can be passed to other processes."""
    from salet.bench.suites import GameSpec
    from salet.game.named import words_named

    return GameSpec(
        game=words_named(choice.name).name,  # not an alias: shipped plans go by the full name
        answers=None if choice.answers is None else str(choice.answers),
        guesses=None if choice.guesses is None else str(choice.guesses),
        rule=choice.rule,
        mode=choice.chosen_mode,
        cap=choice.cap,
    )


def _check_history(directory: Path) -> None:
    from salet.bench.history import FILE

    if not (directory / FILE).is_file():
        raise InputError(f"no history in {str(directory)!r}; run `salet bench --out {directory}`")


def _show_history(directory: Path, as_json: bool) -> None:
    """Print how each figure changed."""
    from salet.bench.history import BenchHistory

    _check_history(directory)
    with BenchHistory(directory) as history:
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
            for point in history.points()
        ]
    if as_json:
        emit({"history": rows})
    else:
        from salet.cli.render.bench import history_view

        show(*history_view(rows))


def _show_comparison(
    names: tuple[str, str], directory: Path, choice: GameChoice, as_json: bool
) -> None:
    """Print how two entries of the last run compare."""
    import msgspec

    from salet.bench.history import BenchHistory
    from salet.bench.run import compare_entries
    from salet.bench.worker import open_game

    _check_history(directory)
    game = open_game(_spec(choice))
    with BenchHistory(directory) as history:
        last = {point.name: point.measure for point in history.points(game.name)}
    found = compare_entries(list(last.values()), game.answers, *names)
    if found is None:
        raise InputError(f"{names[0]!r} and {names[1]!r} have played no answer in common")
    if as_json:
        emit(msgspec.to_builtins(found))
    else:
        from salet.cli.render.bench import comparison_view

        show(*comparison_view(found))
