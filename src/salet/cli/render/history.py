"""A history of games: results, streaks, averages, trends, openers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from salet.cli.render.console import line
from salet.coach.verdicts import percent

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.coach.game_history import SavedGame
    from salet.coach.history_summary import Averages, HistorySummary, OwnOpener

_LEVELS = "▁▂▃▄▅▆▇█"
_BAR = 30
"""Width of the longest bar."""
TREND = 40
"""games in a chart"""
_LUCK = 1.5
"""Luck, in guesses, at the top and bottom of its chart."""


def history_view(
    games: Sequence[SavedGame], summary: HistorySummary, last: int
) -> list[RenderableType]:
    """The statistics of a history and its last games."""
    if not games:
        return [
            line("There are no games yet. `salet play` and `salet analyse --keep` add games,"),
            line("`salet history import FILE` old results."),
        ]
    openers: list[RenderableType] = [Text(), _openers(summary.openers)] if summary.openers else []
    recent: list[RenderableType] = [Text(), _games(games[-last:])] if last else []
    return [
        _headline(summary),
        Text(),
        _distribution(summary),
        *_trends(games, summary),
        Text(),
        _months(summary),
        *openers,
        *recent,
    ]


def _headline(summary: HistorySummary) -> Text:
    mine = summary.averages
    lost = mine.games - mine.won
    parts = [
        _count(mine.games, "game"),
        f"{mine.won} won" + ("" if mine.guesses is None else f" in {mine.guesses:.2f} guesses"),
        f"{lost} lost ({percent(lost / mine.games)})",
        f"streak {_count(summary.streak, 'day')}, longest {summary.max_streak}",
    ]
    return Text("; ".join(parts), style="bold")


def _count(amount: int, noun: str) -> str:
    return f"{amount} {noun}{'' if amount == 1 else 's'}"


def _distribution(summary: HistorySummary) -> Text:
    most = max(summary.distribution.values())
    lines = []
    for name, count in summary.distribution.items():
        bar = "█" * (-(-_BAR * count // most) if count else 0)
        style = "red" if name == "X" else "green"
        lines.append(Text.assemble((f"{name:>2} ", "dim"), (bar, style), f" {count}"))
    return Text("\n").join(lines)


def chart(values: Sequence[float | None], low: float, high: float) -> str:
    """One column for each value; `x` where there is none."""
    top = len(_LEVELS) - 1
    return "".join(
        "x"
        if value is None
        else _LEVELS[round(top * min(1.0, max(0.0, (value - low) / (high - low))))]
        for value in values
    )


def _trends(games: Sequence[SavedGame], summary: HistorySummary) -> list[RenderableType]:
    """Charts of skill and luck over the last analysed games; a lost game has an x for luck."""
    analysed = [game for game in games if game.score is not None][-TREND:]
    mine = summary.averages
    if not analysed or mine.skill is None:
        return []
    skill = chart([game.score for game in analysed], 0, 99)
    luck = chart([game.luck if game.won else None for game in analysed], -_LUCK, _LUCK)
    mean = "" if mine.luck is None else f"{mine.luck:+.2f} guesses"
    return [
        Text(),
        line(("skill ", "dim"), f"{skill}  {mine.skill:.0f} of 99 on average"),
        line(("luck  ", "dim"), f"{luck}  {mean} (x is lost)"),
    ]


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(names[0], no_wrap=True)
    for name in names[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _cells(mine: Averages) -> list[str]:
    return [
        str(mine.games),
        str(mine.games - mine.won),
        "" if mine.guesses is None else f"{mine.guesses:.2f}",
        "" if mine.skill is None else f"{mine.skill:.0f}",
        "" if mine.luck is None else f"{mine.luck:+.2f}",
    ]


def _months(summary: HistorySummary) -> Table:
    table = _table("month", "games", "lost", "guesses", "skill", "luck")
    for month in summary.months:
        table.add_row(month.month, *_cells(month.averages))
    return table


def _openers(openers: Sequence[OwnOpener]) -> Table:
    table = _table(
        "opener", "games", "lost", "guesses", "skill", "luck", "perfect", "losing", "rank"
    )
    for opener in openers:
        value = ["", "", ""]
        if opener.expected is not None and opener.losses is not None:
            rank = f"{opener.rank} of {opener.ranked}"
            value = [f"{opener.expected:.3f}", percent(opener.losses), rank]
        hard = "" if opener.mode == "normal" else f" ({opener.mode})"
        table.add_row(opener.word + hard, *_cells(opener.averages), *value)
    return table


def _games(games: Sequence[SavedGame]) -> Table:
    """The last games, the newest at the end."""
    table = _table("date", "game", "result", "skill", "luck")
    table.add_column("guesses")
    for game in games:
        name = game.game if game.number is None else f"Wordle {game.number}"
        limit = "" if game.cap is None else f"/{game.cap}"
        hard = "*" if game.mode == "hard" else ""
        table.add_row(
            game.date,
            name,
            Text(f"{game.used if game.won else 'X'}{limit}{hard}", "" if game.won else "red"),
            "" if game.score is None else str(game.score),
            "" if game.luck is None else f"{game.luck:+.2f}" if game.won else "lost",
            " ".join(game.words or game.rows),
        )
    return table
