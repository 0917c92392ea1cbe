"""What the coach advises, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from salet.coach.advice import Advice

WORDS_SHOWN = 30


def advice_view(advice: Advice) -> Group:
    """What remains, the best guesses, why, and what else to know."""
    return Group(
        _remaining(advice),
        Text(),
        _suggestions(advice),
        Text(),
        Text(advice.explanation),
        *(Text(f"· {note}", style="dim") for note in advice.notes),
    )


def _remaining(advice: Advice) -> Text:
    one = advice.remaining == 1
    noun = ("guess" if one else "guesses") if advice.outside else ("answer" if one else "answers")
    words = " ".join(advice.words[:WORDS_SHOWN])
    more = " …" if advice.remaining > WORDS_SHOWN else ""
    count = f"{advice.remaining} {noun} {'remains' if one else 'remain'}: "
    return Text.assemble((count, "bold"), words, more)


def _suggestions(advice: Advice) -> Table:
    """A row for each guess; bounds and losses have columns only where there are any."""
    losing = any(row.losses > 0 for row in advice.suggestions)
    bounded = not all(row.proven for row in advice.suggestions)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("guess")
    extra = [*(["at least"] if bounded else []), *(["lost"] if losing else [])]
    for name in ("expected", *extra, "worst", "groups", "largest", "wins now"):
        table.add_column(name, justify="right")
    for index, row in enumerate(advice.suggestions):
        table.add_row(
            row.guess,
            f"{'' if row.proven else 'at most '}{row.expected:.4f}",
            *([f"{row.lower:.4f}"] if bounded else []),
            *([f"{row.losses:.2%}"] if losing else []),
            "" if row.worst is None else str(row.worst),
            str(row.groups),
            str(row.largest),
            f"{row.win:.1%}" if row.candidate else "",
            style="bold" if index == 0 else None,
        )
    return table
