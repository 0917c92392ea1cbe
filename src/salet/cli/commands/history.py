"""`salet history`: the player's own games, stored in one file on this device."""

from __future__ import annotations

import datetime
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import emit, show
from salet.errors import InputError, SaletError

if TYPE_CHECKING:
    from salet.coach.game_history import GameHistory, SavedGame
    from salet.coach.history_summary import OpenerValue
    from salet.coach.share_texts import SharedGames
    from salet.search.value import Cost

MAX_BYTES = 64 << 20
file_option = click.option("--file", "path", type=click.Path(path_type=Path), metavar="FILE",
                           show_default="in your data directory",
                           help="The history file.")  # fmt: skip


@click.group(name="history", invoke_without_command=True, epilog=examples(
    "salet history",
    "salet history --last 0 --json",
    "salet history import results.txt",
    "salet history export games.jsonl",
))  # fmt: skip
@file_option
@click.option("--last", type=click.IntRange(0), default=10, show_default=True, metavar="N",
              help="Games to list.")  # fmt: skip
@json_option
@click.pass_context
def command(ctx: click.Context, path: Path | None, last: int, as_json: bool) -> None:
    """Show your games: streaks, averages, trends of skill and luck, your openers ranked.

    Games are added by `salet play`, `salet analyse --keep` and `salet history import`. They are
    stored in one file of JSON lines; nothing leaves this device.
    """
    ctx.obj = path
    if ctx.invoked_subcommand is not None:
        return
    import msgspec

    from salet.coach.history_summary import summarise

    file = chosen_file(path)
    found = _read(file)
    summary = summarise(found.games, datetime.date.today(), _opener_value)
    if as_json:
        emit({
            "file": str(file),
            "summary": msgspec.to_builtins(summary),
            "games": msgspec.to_builtins(found.games[-last:] if last else []),
            "damaged": msgspec.to_builtins(found.damaged),
        })  # fmt: skip
        return
    from salet.cli.render.history import history_view

    show(*history_view(found.games, summary, last))


@command.command("import", epilog=examples(
    "salet history import results.txt",
    "salet history import games.jsonl",
    "salet history import - --game nerdle < results.txt",
))  # fmt: skip
@click.argument("source", metavar="FILE|-")
@click.option("--game", metavar="NAME", show_default="by the title of each text",
              help="The game of all results in the file.")  # fmt: skip
@file_option
@json_option
@click.pass_obj
def import_(
    group_path: Path | None, path: Path | None, source: str, game: str | None, as_json: bool
) -> None:
    """Add old results: share texts, one after the other, or an exported history.

    The date of a Wordle follows from its number. Other games need a date before them, as
    2026-11-18. Games that are already in the history are not added twice.
    """
    from salet.coach.game_history import add_games
    from salet.coach.share_texts import read_shares

    length = 5
    if game is not None:
        from salet.game.game import Game

        length = Game.named(game).length
    found = read_shares(_text(source), datetime.date.today(), game, length)
    for refused in found.refused:
        click.echo(f"salet: {source} {refused}", err=True)
    if not found.games:
        reason = f"; {len(found.refused)} could not be read" if found.refused else ""
        raise InputError(
            f"{source!r} contains no result such as 'Wordle 1,234 4/6' and its squares{reason}"
        )
    file = chosen_file(path or group_path)
    _report(file, found, add_games(file, found.games), as_json)


def _report(path: Path, found: SharedGames, added: list[SavedGame], as_json: bool) -> None:
    known = len(found.games) - len(added)
    if as_json:
        emit({
            "file": str(path),
            "added": len(added),
            "known": known,
            "refused": [str(refused) for refused in found.refused],
        })  # fmt: skip
        return
    refused = f", {len(found.refused)} refused" if found.refused else ""
    click.echo(f"{len(added)} added, {known} already known{refused}: {path}")


@command.command(epilog=examples("salet history export games.jsonl", "salet history export -"))
@click.argument("target", metavar="FILE|-")
@file_option
@click.pass_obj
def export(group_path: Path | None, path: Path | None, target: str) -> None:
    """Write all games as JSON lines, for another device or the web page; `-` is stdout."""
    from salet.coach.game_history import format_line
    from salet.storage import output

    found = _read(chosen_file(path or group_path))
    text = b"".join(format_line(game) for game in found.games)
    if target == "-":
        click.echo(text, nl=False)
        return
    with output(Path(target)) as file:
        file.write(text)
    click.echo(f"{len(found.games)} games: {target}", err=True)


@command.command(epilog=examples("salet history analyse", "salet history analyse --seconds 5"))
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=10.0, show_default=True,
              metavar="S", help="Time limit for each game.")  # fmt: skip
@file_option
@click.pass_obj
def analyse(group_path: Path | None, path: Path | None, seconds: float) -> None:
    """Find skill and luck of the saved games whose words are known."""
    import msgspec

    from salet.cli.render.progress import live_progress
    from salet.coach.coach import Coach
    from salet.coach.game_history import add_games, game_from_analysis
    from salet.game.game import Game

    @functools.cache
    def coach(game: str, mode: str) -> Coach:
        return Coach(Game.named(game, mode=mode))

    file = chosen_file(path or group_path)
    games = [game for game in _read(file).games if game.words and game.score is None]
    done = 0
    with live_progress("analysing", bar=True) as update:
        for number, game in enumerate(games, 1):
            update(f"{game.date} {game.game}", done=number - 1, total=len(games))
            try:
                found = coach(game.game, game.mode).analyse(
                    game.words, answer=game.answer, seconds=seconds
                )
                day = datetime.date.fromisoformat(game.date)
                analysed = game_from_analysis(found, day, game.number)
            except SaletError as error:
                click.echo(f"salet: {game.date} {game.game} {game.id}: {error}", err=True)
                continue
            add_games(file, [msgspec.structs.replace(analysed, id=game.id, source=game.source)])
            done += 1
    click.echo(f"{done} of {len(games)} analysed: {file}")


def chosen_file(path: Path | None) -> Path:
    """The history file given, or the default one."""
    from salet.coach.game_history import history_path

    return history_path() if path is None else path


def _read(path: Path) -> GameHistory:
    """The history; lines that cannot be read are reported."""
    from salet.coach.game_history import read_history

    found = read_history(path)
    for damaged in found.damaged:
        click.echo(f"salet: {path} {damaged}; it is left as it is", err=True)
    return found


def _text(source: str) -> str:
    """The text to be imported."""
    try:
        raw = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else _bytes(Path(source))
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"cannot read {source!r}: it is not UTF-8 text") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot read {source!r}: {reason}") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"{source!r} is larger than {MAX_BYTES >> 20} MB; that is not a history")
    return text


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _opener_value(game: str, mode: str, word: str) -> OpenerValue | None:
    """The value of an opener from the shipped table; None if unknown."""
    from salet.coach.history_summary import OpenerValue

    costs, answers = _costs(game, mode)
    cost = costs.get(word)
    if cost is None:
        return None
    return OpenerValue(
        expected=cost.guesses / answers,
        losses=cost.losses / answers,
        rank=1 + sum(other < cost for other in costs.values()),
        ranked=len(costs),
    )


@functools.cache
def _costs(game: str, mode: str) -> tuple[dict[str, Cost], int]:
    """The cost of every opener whose value is known, and the number of answers."""
    from salet.game.game import Game
    from salet.search.opener_table import shipped_openers

    try:
        opened = Game.named(game, mode=mode)
    except SaletError:  # a pack that is not installed here
        return {}, 0
    table = shipped_openers(opened)
    valued = [] if table is None else table.valued
    return {opener.guess: cost for opener, cost in valued}, opened.answer_count
