"""What the guesses of a game were worth, and which words may stand behind a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from salet.cli.render.board import tiles
from salet.cli.render.console import line
from salet.cli.render.games import headline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.coach.analysis import Alternative, Analysis
    from salet.coach.grid_inference import GridReading
    from salet.coach.grids import Grid
    from salet.game.game import Game


def analysis_view(game: Game, found: Analysis) -> list[RenderableType]:
    """Every turn in a table and in words, how they add up, and the score."""
    start = float(found.turns[0].expected_before.guesses)
    end = float(found.turns[-1].expected_after.guesses)
    to_come = f" and {end:.3f} to come" if end else ""
    return [
        headline(game),
        _turns(found),
        *(Text(f"{number}  {turn.explanation}") for number, turn in enumerate(found.turns, 1)),
        Text(
            f"\n{len(found.turns)} guesses{to_come} = {start:.3f} expected + "
            f"{float(found.lost.guesses):.3f} lost - ({float(found.luck.guesses):+.3f}) luck"
        ),
        Text.assemble((f"score {found.score}", "bold"), f" of 99 ({found.formula})"),
        *(Text(f"· {note}", style="dim") for note in found.notes),
    ]


def _turns(found: Analysis) -> Table:
    """A row for each turn; lost games have columns only where a game can be lost."""
    losing = any(turn.lost.games or turn.luck.games for turn in found.turns)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("guess", no_wrap=True)
    table.add_column("best", no_wrap=True)
    extra = ["games", "luck"] if losing else []
    for name in ("expected", "then", "lost", "luck", *extra, "left"):
        table.add_column(name, justify="right", no_wrap=True)
    for turn in found.turns:
        games = [f"{float(turn.lost.games):.1%}", f"{float(turn.luck.games):+.1%}"]
        table.add_row(
            tiles(turn.guess, turn.feedback) if "," not in turn.feedback else turn.guess,
            turn.best,
            f"{'' if turn.proven else '≤ '}{float(turn.expected_before.guesses):.3f}",
            f"{float(turn.expected_after.guesses):.3f}",
            f"{float(turn.lost.guesses):.3f}",
            f"{float(turn.luck.guesses):+.3f}",
            *(games if losing else []),
            f"{turn.remaining_before} → {turn.remaining_after}",
        )
    return table


def alternative_view(other: Alternative) -> list[RenderableType]:
    """What another guess would have been worth in one turn."""
    after = f"then {other.next}" if other.next is not None else "found"
    return [
        Text(
            f"\nwhat if {other.turn} {other.guess} ({other.feedback}): lost "
            f"{float(other.lost.guesses):.3f}, luck {float(other.luck.guesses):+.3f}, "
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
