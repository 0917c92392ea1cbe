"""The coach's advice, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from salet.coach.explain import trap_line
from salet.coach.verdicts import percent

if TYPE_CHECKING:
    from salet.coach.advice import Advice
    from salet.coach.hints import Hint
    from salet.coach.joint_adviser import JointAdvice, JointSuggestion
    from salet.coach.joint_hints import JointHint, JointRating
    from salet.coach.rating import Rating

WORDS_SHOWN = 30


def advice_view(advice: Advice) -> Group:
    """What remains, the best guesses, why, and what else to know."""
    return Group(
        _remaining(advice),
        Text(),
        _suggestions(advice),
        Text(),
        Text(advice.explanation),
        *(Text(f"· {trap_line(trap)}") for trap in advice.traps),
        *(Text(f"· {note}", style="dim") for note in advice.notes),
    )


def joint_advice_view(advice: JointAdvice) -> Group:
    """What remains on every board, the best guesses, and what else to know."""
    losing = any(row.losses for row in advice.suggestions)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("guess")
    for name in ("expected", *(["lost"] if losing else []), "solves a board", "which"):
        table.add_column(name, justify="right")
    for index, row in enumerate(advice.suggestions):
        everywhere = len(row.boards) == sum(count > 0 for count in advice.remaining) > 3
        table.add_row(
            row.guess,
            f"{'' if row.proven else 'about '}{row.expected:.3f}",
            *([_losses(row)] if losing else []),
            percent(row.solves) if row.boards else "",
            "any" if everywhere else " ".join(map(str, row.boards)),
            style="bold" if index == 0 else None,
        )
    counts = []
    for number, (count, words) in enumerate(zip(advice.remaining, advice.words, strict=True), 1):
        shown = "solved" if count == 0 else f"{count}: {' '.join(words[:8])}"
        more = " …" if count > 8 else ""
        counts.append(Text.assemble((f"board {number}  ", "bold"), shown, more))
    if len(set(advice.remaining)) == 1 and not advice.turn:
        counts = [Text(f"every board  {advice.remaining[0]} answers")]
    return Group(
        *counts,
        Text(),
        table,
        Text(),
        Text(f"{advice.explanation}{', proven best' if advice.proven else ''}"),
        *(Text(f"· {note}", style="dim") for note in advice.notes),
    )


def _losses(row: JointSuggestion) -> str:
    if row.losses is None:
        return ""
    return f"{'' if row.proven else 'about '}{percent(row.losses)}"


def rating_view(rating: Rating | JointRating) -> Group:
    """The rating of a guess; names no other word."""
    notes = "" if rating.proven else " (so far)"
    return Group(Text(f"{rating.guess.upper()} is {rating.text}{notes}"))


def hint_view(hint: Hint | JointHint) -> Group:
    """One step of help."""
    return Group(*(Text(line) for line in hint.text.split("\n")))


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
