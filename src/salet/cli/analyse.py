"""`salet analyse`: what the guesses of a game were worth."""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, Any

import click

from salet.cli.coaching import headline
from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.show import console, emit, progress, tiles
from salet.errors import InputError

_TILES = frozenset("bywgx")

if TYPE_CHECKING:
    from salet.coach.analyse import Alternative, Analysis
    from salet.coach.behind import Reading
    from salet.coach.coach import Coach
    from salet.coach.grids import Grid
    from salet.game.game import Game


@click.command(
    epilog=examples(
        "salet analyse salet acorn grand",
        "salet analyse crane match latch hatch batch patch --answer watch --game original",
        "salet analyse salet acorn grand --grid '⬛🟨⬛⬛⬛ 🟨⬛⬛🟨🟨 🟩🟩🟩🟩🟩'",
        "salet analyse salet:bybbb acorn:ybbyy grand:ggggg",
        "salet analyse --grid - < shared.txt",
        "salet analyse salet acorn grand --what-if 2:round --json",
    )
)
@click.argument("words", nargs=-1)
@click.option("--answer", metavar="WORD", help="The answer, if the last word is not.")
@click.option("--grid", metavar="TEXT|-",
              help="A share grid in any palette (- reads stdin): checked against the words; "
              "without words, the likeliest ones behind it.")  # fmt: skip
@click.option("--what-if", metavar="TURN:WORD", help="Also say what another guess was worth.")
@click.option("--palette", default="dark", show_default=True, metavar="P",
              help="Squares of the summary: dark, light, contrast, letters, slack …")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=60.0, show_default=True,
              metavar="S", help="Search at most so long.")  # fmt: skip
@json_option
@game_options("nyt")
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

    WORDS are the guesses, the last one the answer. The squares may also stand among them, as the
    game shares them. `*` in a grid means hard mode.
    """
    from salet.coach import analyse
    from salet.coach.coach import Coach

    asked = None if what_if is None else _asked(what_if)
    game = choice.open()
    guesses, shared = _parted(words, grid, game)
    squares = _grid(shared, game.length)
    if squares is not None and squares.hard and not choice.hard and choice.mode is None:
        game = dataclasses.replace(choice, hard=True).open()
    coach = Coach(game)
    if not guesses:
        _read(coach, squares, answer, as_json)
        return
    with progress("pricing every turn") as report:
        found = analyse.analyse(
            coach, guesses, answer=answer, grid=squares, seconds=seconds, progress=report
        )
        other = None
        if asked is not None:
            other = analyse.what_if(coach, guesses, *asked, answer=answer, seconds=seconds)
    if as_json:
        fields = {**found.to_dict(), "summary": found.summary(palette)}
        emit(fields if other is None else {**fields, "what_if": other.to_dict()})
        return
    _show(coach, found, palette)
    if other is not None:
        _show_other(other)


def _parted(words: tuple[str, ...], grid: str | None, game: Game) -> tuple[list[str], str | None]:
    """Guesses, and the text of a grid: an argument with squares, line ends or letters for tiles
    belongs to it, and so does what stands behind a guess as in crane:bybbg."""
    from salet.game.lexicon import key

    if grid == "-":
        grid = sys.stdin.read()
    guesses: list[str] = []
    squares = [] if grid is None else [grid]
    for word in words:
        guess, _, feedback = word.partition(":")
        if guess.isalpha() and feedback:
            guesses.append(guess)
            squares.append(feedback)
        elif word.isalpha() and (key(word) in game.lexicon.places or set(word.lower()) - _TILES):
            guesses.append(word)
        else:
            squares.append(word)
    return guesses, "\n".join(squares) if squares else None


def _grid(text: str | None, length: int) -> Grid | None:
    from salet.coach.grids import parse

    return None if text is None else parse(text, length)


def _asked(text: str) -> tuple[int, str]:
    turn, _, word = text.partition(":")
    if not turn.isdigit() or not word:
        raise InputError(f"--what-if {text!r}: write the turn and a word, as in 2:crane")
    return int(turn), word


def _show(coach: Coach, found: Analysis, palette: str) -> None:
    from rich.table import Table

    out = console()
    out.print(headline(coach.game))
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    games = any(turn.lost.games or turn.luck.games for turn in found.turns)
    table.add_column("guess", no_wrap=True)
    table.add_column("best", no_wrap=True)
    names = ["expected", "then", "lost", "luck", *(["games", "luck"] if games else []), "left"]
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for turn in found.turns:
        most = "" if turn.proven else "≤ "
        pair = [f"{float(turn.lost.games):.1%}", f"{float(turn.luck.games):+.1%}"] if games else []
        table.add_row(
            tiles(turn.guess, turn.feedback) if "," not in turn.feedback else turn.guess,
            turn.best,
            f"{most}{float(turn.expected_before.guesses):.3f}",
            f"{float(turn.expected_after.guesses):.3f}",
            f"{float(turn.lost.guesses):.3f}",
            f"{float(turn.luck.guesses):+.3f}",
            *pair,
            f"{turn.remaining_before} → {turn.remaining_after}",
        )
    out.print(table)
    for number, turn in enumerate(found.turns, 1):
        out.print(f"{number}  {turn.explanation}", markup=False)
    start = float(found.turns[0].expected_before.guesses)
    end = float(found.turns[-1].expected_after.guesses)
    out.print(
        f"\n{len(found.turns)} guesses{f' and {end:.3f} to come' if end else ''} = {start:.3f} "
        f"expected + {float(found.lost.guesses):.3f} lost - ({float(found.luck.guesses):+.3f}) luck"
    )
    out.print(f"[bold]score {found.score}[/] of 99 ({found.formula})")
    for note in found.notes:
        out.print(f"· {note}", style="dim", markup=False)
    out.print()
    click.echo(found.summary(palette))


def _show_other(other: Alternative) -> None:
    out = console()
    after = f"then {other.next}" if other.next is not None else "found"
    out.print(
        f"\nwhat if {other.turn} {other.guess} ({other.feedback}): lost "
        f"{float(other.lost.guesses):.3f}, luck {float(other.luck.guesses):+.3f}, "
        f"{other.remaining_after} left, {after}"
    )
    out.print(other.explanation, markup=False)


def _read(coach: Coach, grid: Grid | None, answer: str | None, as_json: bool) -> None:
    """The words that a grid without words may have had."""
    from salet.coach.behind import behind

    if grid is None:
        raise InputError("give the words of a game, or --grid with its squares")
    reading = behind(coach, grid, answer)
    if as_json:
        emit(_fields(coach, reading))
        return
    out = console()
    out.print(headline(coach.game))
    for number, (row, words) in enumerate(zip(grid.rows, reading.rows, strict=True), 1):
        shown = "".join("BYG"[colour] for colour in row)
        out.print(f"{number} {shown}  " + " ".join(likely.word for likely in words))
    out.print(
        f"answer: {' '.join(likely.word for likely in reading.answers)} "
        f"({reading.possible} are possible)"
    )


def _fields(coach: Coach, reading: Reading) -> dict[str, Any]:
    import msgspec

    game = coach.game
    about = {"game": game.name, "mode": game.mode, "cap": game.cap}
    fields: dict[str, Any] = msgspec.to_builtins(reading)
    return {**about, **fields}
