"""`salet analyse`: what the guesses of a game were worth."""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.render.console import emit, show
from salet.cli.render.progress import counted_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.coach.analysis import Alternative, Analysis
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
    )
)
@click.argument("words", nargs=-1)
@click.option("--answer", metavar="WORD", show_default="the last word", help="The answer.")
@click.option("--grid", metavar="TEXT|-",
              help="A share grid in any palette (- reads stdin). It is checked against the words; "
              "without words, the likeliest words behind it are listed.")  # fmt: skip
@click.option("--what-if", metavar="TURN:WORD",
              help="Also say what another guess would have been worth.")  # fmt: skip
@click.option("--palette", default="dark", show_default=True, metavar="P",
              help="Squares of the summary: dark, light, contrast, letters, slack …")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=60.0, show_default=True,
              metavar="S", help="Time limit of the search.")  # fmt: skip
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
    as_json: bool,
) -> None:
    """Price every guess of a game: what it lost against the best one, and what was luck.

    WORDS are the guesses, the last one the answer. Each may be followed by its feedback, as in
    crane:bybbg or crane bybbg; the squares that the game shares may stand among them. A `*` behind
    the count of a grid means hard mode.
    """
    from salet.coach.coach import Coach
    from salet.coach.grids import parse

    asked = None if what_if is None else _parse_what_if(what_if)
    game = choice.open()
    guesses, squares = _split(words, sys.stdin.read() if grid == "-" else grid, game)
    shared = None if squares is None else parse(squares, game.length)
    if shared is not None and shared.hard and not choice.hard and choice.mode is None:
        game = dataclasses.replace(choice, hard=True).open()
    coach = Coach(game)
    if not guesses:
        _show_reading(coach, shared, answer, as_json)
        return
    found, other = _analyse(coach, guesses, answer, shared, seconds, asked)
    if as_json:
        fields = {**found.to_dict(), "summary": found.summary(palette)}
        emit(fields if other is None else {**fields, "what_if": other.to_dict()})
        return
    from salet.cli.render.analysis import alternative_view, analysis_view

    summary = found.summary(palette)  # an unknown palette is refused before anything is printed
    show(*analysis_view(game, found), "")
    click.echo(summary)
    if other is not None:
        show(*alternative_view(other))


def _analyse(
    coach: Coach,
    guesses: list[str],
    answer: str | None,
    grid: Grid | None,
    seconds: float,
    asked: tuple[int, str] | None,
) -> tuple[Analysis, Alternative | None]:
    """The analysis, and that of the other guess that was asked about."""
    with counted_progress("pricing every turn") as report:
        found = coach.analyse(guesses, answer=answer, grid=grid, seconds=seconds, progress=report)
        if asked is None:
            return found, None
        other = coach.what_if(guesses, *asked, answer=answer, seconds=seconds)
    return found, other


def _split(words: tuple[str, ...], grid: str | None, game: Game) -> tuple[list[str], str | None]:
    """Separate the guesses from the squares, which may stand in --grid, behind a guess or alone."""
    from salet.game.lexicon import key

    guesses: list[str] = []
    squares = [] if grid is None else [grid]
    for word in words:
        guess, _, feedback = word.partition(":")
        is_listed = key(guess) in game.lexicon.places
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
    """Print the words that may stand behind a grid without words."""
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
