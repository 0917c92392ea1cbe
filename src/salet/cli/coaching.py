"""How advice looks in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from salet.cli.show import tiles

if TYPE_CHECKING:
    from salet.coach.advice import Advice
    from salet.game.game import Game

WORDS_SHOWN = 30


def headline(game: Game) -> str:
    """Which game this is."""
    limit = "no cap" if game.cap is None else f"{game.cap} guesses"
    return f"[bold]{game.name}[/]: {game.answer_count} answers, {limit}, {game.mode} mode"


def board(game: Game, rows: Sequence[tuple[str, str]]) -> Any:
    """The rows so far, numbered, on coloured tiles."""
    from rich.text import Text

    from salet.game.notation import TILES

    text = Text()
    for number, (guess, feedback) in enumerate(rows, 1):
        text.append(f"{number}  ", "dim")
        if game.rule.notation is TILES:
            text.append_text(tiles(guess, feedback))
        else:
            text.append(f"{guess} {feedback}")
        text.append("\n")
    text.right_crop(1)
    return text


def picture(advice: Advice) -> Any:
    """Advice as people read it: what remains, the best guesses, why, and what else to know."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        _remaining(advice),
        Text(),
        _table(advice),
        Text(),
        Text(advice.explanation),
        *(Text(f"· {note}", style="dim") for note in advice.notes),
    )


def _remaining(advice: Advice) -> Any:
    from rich.text import Text

    some = " ".join(advice.words[:WORDS_SHOWN])
    more = " …" if advice.remaining > WORDS_SHOWN else ""
    kind = "guess" if advice.outside else "answer"
    many = "es" if advice.outside else "s"
    verb = "remain" if advice.remaining != 1 else "remains"
    count = f"{advice.remaining} {kind}{many if advice.remaining != 1 else ''} {verb}: "
    return Text.assemble((count, "bold"), some, more)


def _table(advice: Advice) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("guess")
    losing = any(row.losses > 0 for row in advice.suggestions)
    bounded = not all(row.proven for row in advice.suggestions)
    extra = [*(["at least"] if bounded else []), *(["lost"] if losing else [])]
    for name in ("expected", *extra, "worst", "groups", "largest", "wins now"):
        table.add_column(name, justify="right")
    for place, row in enumerate(advice.suggestions):
        more = [f"{row.lower:.4f}"] if bounded else []
        if losing:
            more.append(f"{row.losses:.2%}")
        table.add_row(
            row.guess,
            f"{'' if row.proven else 'at most '}{row.expected:.4f}",
            *more,
            "" if row.worst is None else str(row.worst),
            str(row.groups),
            str(row.largest),
            f"{row.win:.1%}" if row.candidate else "",
            style="bold" if place == 0 else None,
        )
    return table
