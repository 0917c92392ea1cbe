"""`salet analyse`: skill and luck of a game, guess by guess."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import (
    GameChoice,
    chosen_weights,
    examples,
    game_options,
    json_option,
    likely_option,
    past_option,
    read_past_answers,
    weights_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import counted_progress, live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from datetime import date as date_type

    from salet.coach.analysis import Analysis
    from salet.coach.coach import Coach
    from salet.coach.grids import Grid
    from salet.game.game import Game

_TILES = frozenset("bywgx")


@click.command(
    epilog=examples(
        "salet analyse salet acorn grand --what-if 2:round",
        "salet analyse salet:bybbb acorn:ybbyy grand:ggggg --game original --json",
        "salet analyse salet acorn grand --grid '⬛🟨⬛⬛⬛ 🟨⬛⬛🟨🟨 🟩🟩🟩🟩🟩'",
        "salet analyse --grid - < shared.txt",
        "salet analyse salet acorn grand --keep --date 2026-11-17",
        "salet analyse --game original:boards=2 slate crony grand --answer grand/crony",
    )
)
@click.argument("words", nargs=-1)
@click.option("--answer", metavar="WORD", show_default="the last word", help="The answer.")
@click.option("--grid", metavar="TEXT|-",
              help="A share grid in any palette (- reads stdin). It is checked against the words; "
              "without words, the likeliest words behind it are listed.")  # fmt: skip
@click.option("--what-if", metavar="TURN:WORD",
              help="Also value another guess in that turn.")  # fmt: skip
@click.option("--palette", default="dark", show_default=True, metavar="P",
              help="Squares of the summary: dark, light, contrast, letters, slack …")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=20.0, show_default=True,
              metavar="S", help="Time limit; values not exact by then are bounds.")  # fmt: skip
@click.option("--details", is_flag=True, help="Also explain every guess, and name the best one.")
@weights_option
@likely_option
@past_option
@click.option("--keep", is_flag=True, help="Add the game to your history (`salet history`).")
@click.option("--date", metavar="DATE", show_default="today, or by the number in the grid",
              help="With --keep: the date of the game, as 2026-11-18.")  # fmt: skip
@click.option("--file", "path", type=click.Path(path_type=Path), metavar="FILE",
              show_default="in your data directory",
              help="With --keep: the history file.")  # fmt: skip
@json_option
@game_options()
def command(
    choice: GameChoice,
    words: tuple[str, ...],
    answer: str | None,
    grid: str | None,
    what_if: str | None,
    palette: str,
    seconds: float,
    details: bool,
    weights: str | None,
    likely: bool,
    past: str | None,
    keep: bool,
    date: str | None,
    path: Path | None,
    as_json: bool,
) -> None:
    """Find skill and luck of a game: what each guess cost against the best, and what was luck.

    WORDS are the guesses; the last one is the answer. Each may be followed by its feedback, as in
    crane:bybbg or crane bybbg. A share grid may be pasted among them; a `*` after its count means
    hard mode. On several boards give the feedback of all, as in crane:bybbg/bbbyb, or --answer
    with a word for each, as in crane/slate.
    """
    from salet.coach.coach import Coach
    from salet.coach.grids import check_palette, parse
    from salet.coach.likelihood_change import analysis_change

    check_palette(palette)
    day = None if date is None else _past_day(date)
    if not keep and (day or path) is not None:
        raise InputError("--date and --file are for saving the game; give --keep as well")
    asked = None if what_if is None else _parse_what_if(what_if)
    game = choice.open()
    if game.boards > 1:
        given = {"--grid": grid, "--what-if": what_if, "--details": details, "--weights": weights,
                 "--likely": likely, "--past": past, "--keep": keep}  # fmt: skip
        _analyse_joint(game, words, answer, seconds, as_json, given)
        return
    guesses, squares = _split(words, sys.stdin.read() if grid == "-" else grid, game)
    shared = None if squares is None else parse(squares, game.length)
    if shared is not None and shared.hard and not choice.hard and choice.mode is None:
        game = dataclasses.replace(choice, hard=True).open()
    if past == grid == "-":
        raise InputError("--grid - and --past - cannot both read stdin; give one a file")
    used = read_past_answers(past, game)
    coach = Coach(game, past=used, weights=chosen_weights(weights, likely))
    if not guesses:
        _show_reading(coach, shared, answer, as_json)
        return
    request = _Request(guesses, answer, shared, seconds)
    live = sys.stdout.isatty() and not as_json
    found = _updating_live(coach, request, details) if live else _with_progress(coach, request)
    other = None
    if asked is not None:
        with live_progress("valuing the other guess"):
            other = coach.what_if(guesses, *asked, answer=answer, seconds=seconds)
    plain = found if coach.equal is coach else _with_progress(coach.equal, request)
    change = None if plain is found else analysis_change(found, plain)
    if keep:  # all games of a history are analysed with equal weights, to be comparable
        _save(plain, shared, day, path)
    if as_json:
        fields = {**found.to_dict(), "summary": found.summary(palette)}
        fields |= {} if other is None else {"what_if": other.to_dict()}
        emit(fields if change is None else {**fields, "likelihood_change": change})
        return
    from salet.cli.render.analysis import alternative_view, analysis_view

    show(*([] if live else analysis_view(game, found, details)))
    show(*([] if change is None else [f"· {change}"]), "")
    click.echo(found.summary(palette))
    if other is not None:
        show(*alternative_view(other))


def _analyse_joint(
    game: Game,
    words: tuple[str, ...],
    answers: str | None,
    seconds: float,
    as_json: bool,
    unsuitable: Mapping[str, object],
) -> None:
    """Print what the guesses on several boards were worth; `unsuitable` options must be empty."""
    from salet.coach.coach import Coach

    for name, value in unsuitable.items():
        if value:
            raise InputError(f"{name} is for one board, and {game.name} has {game.boards}")
    with live_progress("analysing every turn"):
        found = Coach(game).analyse_joint(words, answers, seconds=seconds)
    if as_json:
        emit(found.to_dict())
        return
    from salet.cli.render.analysis import joint_analysis_view
    from salet.cli.render.games import headline

    show(headline(game), *joint_analysis_view(found))


def _past_day(text: str) -> date_type:
    """Parse a date that is not in the future."""
    import datetime

    from salet.coach.game_history import parse_date

    day = parse_date(text)
    if day > datetime.date.today():
        raise InputError(f"date {text!r} is in the future; give the date of the game")
    return day


def _save(found: Analysis, grid: Grid | None, day: date_type | None, path: Path | None) -> None:
    """Add the game to the history, dated by the number of the puzzle if the grid has one."""
    import datetime

    from salet.cli.commands.history import chosen_file
    from salet.coach.game_history import add_games, daily_date, daily_number, game_from_analysis
    from salet.coach.share_texts import number_in

    today = datetime.date.today()
    number = None if grid is None else number_in(grid.title)
    if number is not None:
        day = day or daily_date(number)
    elif day is not None and found.game.startswith("nyt"):
        number = daily_number(day)
    file = chosen_file(path)
    added = add_games(file, [game_from_analysis(found, day or today, number)])
    click.echo(f"{'saved to' if added else 'already in'} {file}", err=True)


@dataclasses.dataclass(frozen=True)
class _Request:
    """A game to be analysed."""

    guesses: list[str]
    answer: str | None
    grid: Grid | None
    seconds: float

    def analyses(self, coach: Coach, **watched: Any) -> Iterator[Analysis]:
        return coach.analyses(
            self.guesses, answer=self.answer, grid=self.grid, seconds=self.seconds, **watched
        )


def _with_progress(coach: Coach, request: _Request) -> Analysis:
    """The last analysis, with a progress bar on stderr."""
    with counted_progress("analysing every turn") as report:
        *_, last = request.analyses(coach, progress=report)
    return last


def _updating_live(coach: Coach, request: _Request, details: bool) -> Analysis:
    """Show the analysis at once and update it while it tightens; any key ends the search."""
    from rich.console import Group
    from rich.live import Live

    from salet.cli.assist_session import announce_compiling
    from salet.cli.keyboard import key_pressed
    from salet.cli.render.analysis import analysis_view
    from salet.cli.render.console import console

    announce_compiling()
    with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
        for found in request.analyses(coach, cancel=pressed):
            live.update(Group(*analysis_view(coach.game, found, details)), refresh=True)
    return found


def _split(words: tuple[str, ...], grid: str | None, game: Game) -> tuple[list[str], str | None]:
    """Separate the guesses from the grid: squares in --grid, after a guess, or on their own."""
    from salet.game.lexicon import key

    guesses: list[str] = []
    squares = [] if grid is None else [grid]
    for word in words:
        guess, _, feedback = word.partition(":")
        is_listed = key(guess) in game.lexicon.indices
        if feedback and (is_listed or guess.isalpha()):
            guesses.append(guess)
            squares.append(feedback)
        elif not feedback and (is_listed or (word.isalpha() and set(word.lower()) - _TILES)):
            guesses.append(word)
        else:
            squares.append(word)
    return guesses, "\n".join(squares) if squares else None


def _parse_what_if(text: str) -> tuple[int, str]:
    turn, _, word = text.partition(":")
    if not turn.isdigit() or not word:
        raise InputError(f"--what-if {text!r}: write the turn and a word, as in 2:crane")
    return int(turn), word


def _show_reading(coach: Coach, grid: Grid | None, answer: str | None, as_json: bool) -> None:
    """Print the likeliest words behind a grid."""
    import msgspec

    from salet.coach.grid_inference import infer_words

    if grid is None:
        raise InputError("give the words of a game, or --grid with its squares")
    game = coach.game
    reading = infer_words(coach, grid, answer)
    if as_json:
        fields: dict[str, Any] = msgspec.to_builtins(reading)
        emit({"game": game.name, "mode": game.mode, "cap": game.cap, **fields})
    else:
        from salet.cli.render.analysis import reading_view

        show(*reading_view(game, grid, reading))
