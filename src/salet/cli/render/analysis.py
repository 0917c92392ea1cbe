"""The analysis of a game, and the likeliest words behind a grid."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from salet.cli.render.board import tiles
from salet.cli.render.console import line
from salet.cli.render.games import headline
from salet.coach.verdicts import percent, result_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.coach.analysis import Alternative, Amount, Analysis
    from salet.coach.grid_inference import GridReading
    from salet.coach.grids import Grid
    from salet.coach.joint_analysis import JointAnalysis
    from salet.game.game import Game


_STYLES = {"best": "green", "fine": "", "costly": "bold red", "undecided": "dim"}
WORDS_SHOWN = 12


def analysis_view(game: Game, found: Analysis, details: bool = False) -> list[RenderableType]:
    """Every turn in a table and in words, perfect play beside it, how it adds up, the score."""
    both: list[RenderableType] = [Text(), _both_games(found)] if found.perfect else []
    return [
        headline(game),
        _turns(found),
        Text(),
        *(line for number in range(len(found.turns)) for line in _verdict(found, number, details)),
        *both,
        Text(f"\n{result_text(found.balance)}"),
        _score(found),
        *(Text(f"· {note}", style="dim") for note in found.notes),
    ]


def _score(found: Analysis) -> Text:
    """The score; for a lost game with the remark that it rates the choices alone."""
    alone = "" if found.won else " for the choices alone"
    return Text.assemble((f"score {found.score}", "bold"), f" of 99{alone} ({found.formula})")


def _turns(found: Analysis) -> Table:
    """A row for each turn; the chance of losing has a column where a game can be lost."""
    losing = any(turn.lost.games or turn.luck.games for turn in found.turns)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("guess", no_wrap=True)
    table.add_column("best", no_wrap=True)
    for name in ("expected", "then", *(["losing"] if losing else []), "lost", "luck", "left"):
        table.add_column(name, justify="right", no_wrap=True)
    for turn in found.turns:
        over = turn.expected_after.games == 1
        table.add_row(
            _tiles(turn.guess, turn.feedback),
            turn.best,
            f"{'' if turn.proven else '≤ '}{float(turn.expected_before.guesses):.3f}",
            "lost" if over else f"{float(turn.expected_after.guesses):.3f}",
            *([percent(float(turn.expected_after.games))] if losing else []),
            Text(amount(turn.lost, ""), _STYLES[turn.verdict]),
            amount(turn.luck, "+"),
            f"{turn.remaining_before} → {turn.remaining_after}",
        )
    return table


def amount(what: Amount, sign: str) -> str:
    """An amount in guesses, or as a chance of losing if it has any: that outweighs guesses."""
    if what.games:
        return f"{sign and ('+' if what.games > 0 else '-')}{percent(abs(float(what.games)))}"
    return f"{float(what.guesses):{sign}.3f}"


def _verdict(found: Analysis, number: int, details: bool) -> list[Text]:
    """The verdict on a turn in plain words, with `details` the explanation too."""
    turn = found.turns[number]
    left = " ".join(turn.words[:WORDS_SHOWN]) + (" …" if len(turn.words) > WORDS_SHOWN else "")
    tail = f"; {turn.remaining_after} left: {left}" if turn.words else ""
    head = Text.assemble(
        f"{number + 1}  ",
        (f"{turn.guess.upper()} {turn.verdict_text}", _STYLES[turn.verdict]),
        f"; {turn.luck_text}{tail}",
    )
    return [head, *([Text(f"   {turn.explanation}", style="dim")] if details else [])]


def _both_games(found: Analysis) -> Table:
    """The game as it was played, and as perfect play finds the same answer."""
    used, perfect = len(found.turns), found.perfect
    mine = f"you, in {used}" if found.won else "you, lost" if found.over else f"you, after {used}"
    won = perfect[-1].remaining_after == 0
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in (mine, f"perfect play, {f'in {len(perfect)}' if won else 'lost'}"):
        table.add_column(name, no_wrap=True)
        table.add_column("left", justify="right", no_wrap=True)
    for turns in itertools.zip_longest(found.turns, perfect):
        cells: list[RenderableType] = []
        for turn in turns:
            if turn is None:
                cells += ["", ""]
            else:
                cells += [_tiles(turn.guess, turn.feedback), str(turn.remaining_after)]
        table.add_row(*cells)
    return table


def _tiles(guess: str, feedback: str) -> Text:
    return tiles(guess, feedback) if "," not in feedback else Text(f"{guess} {feedback}")


def alternative_view(other: Alternative) -> list[RenderableType]:
    """The value of another guess in one turn."""
    after = f"then {other.next}" if other.next else "lost" if other.lost_game else "found"
    return [
        Text(
            f"\nwhat if {other.turn} {other.guess} ({other.feedback}): lost "
            f"{amount(other.lost, '')}, luck {amount(other.luck, '+')}, "
            f"{other.remaining_after} left, {after}"
        ),
        Text(other.explanation),
    ]


def reading_view(game: Game, grid: Grid, reading: GridReading) -> list[RenderableType]:
    """The likeliest words behind each row of a grid."""
    rows = []
    for number, (colours, words) in enumerate(zip(grid.rows, reading.rows, strict=True), 1):
        shown = "".join("BYG"[colour] for colour in colours)
        rows.append(line(f"{number} {shown}  {' '.join(likely.word for likely in words)}"))
    answers = " ".join(likely.word for likely in reading.answers)
    return [headline(game), *rows, line(f"answer: {answers} ({reading.possible} are possible)")]


def joint_analysis_view(found: JointAnalysis) -> list[Text | Table]:
    """A game on several boards, turn by turn."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("guess")
    table.add_column("solved")
    for name in ("lost", "luck", "to come", "answers left"):
        table.add_column(name, justify="right")
    table.add_column("better")
    for turn in found.turns:
        mark = "" if turn.proven else "~"
        table.add_row(
            turn.guess,
            " ".join(f"board {board}" for board in turn.solved),
            f"{mark}{turn.lost:.2f}" + (f" {percent(turn.lost_games)}" * (turn.lost_games > 0)),
            f"{mark}{turn.luck:+.2f}",
            f"{turn.expected_after:.2f}",
            " ".join(str(count) if count else "-" for count in turn.remaining_after),
            "" if turn.best == turn.guess else turn.best,
        )
    used = len(found.turns)
    left = sum(turn == 0 for turn in found.solved_in)
    end = f"{left} boards open after {used}" if left else f"all {found.boards} boards in {used}"
    games = f" and {percent(found.lost_games)} of winning" if found.lost_games > 0 else ""
    total = f"{end}; lost {found.lost:.2f} guesses{games} by choices, luck {found.luck:+.2f}"
    return [table, Text(), Text(total), *(Text(f"· {note}", "dim") for note in found.notes)]
