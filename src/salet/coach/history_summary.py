"""What a history of games says: streaks, averages, trends of skill and luck, own openers.

Lost games are never averaged into guesses: the mean is that of the games won, and beside it stands
how many were lost.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence

import msgspec

from salet.coach.game_history import KeptGame

ONE_DAY = datetime.timedelta(days=1)


class Averages(msgspec.Struct, frozen=True, kw_only=True):
    """What some games have in common."""

    games: int
    won: int
    guesses: float | None
    """mean of the games won"""
    skill: float | None
    """mean score of the games that were analysed"""
    luck: float | None
    """mean of the guesses that luck brought in them"""


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a month."""

    month: str
    """as 2026-11"""
    averages: Averages


class OwnOpener(msgspec.Struct, frozen=True, kw_only=True):
    """A first word of one's own."""

    word: str
    game: str
    mode: str
    averages: Averages
    expected: float | None = None
    """guesses that perfect play takes after it, if that is known"""
    losses: float | None = None
    """chance of losing after it, under perfect play"""
    rank: int | None = None
    """among all openers whose worth is known"""
    ranked: int | None = None
    """how many these are"""


class OpenerWorth(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an opener: fields of OwnOpener."""

    expected: float
    losses: float
    rank: int
    ranked: int


class HistorySummary(msgspec.Struct, frozen=True, kw_only=True):
    """A history in numbers."""

    averages: Averages
    distribution: dict[str, int]
    """games by guesses used; `X` are the lost ones"""
    streak: int
    """days in a row, until today or yesterday, on which every game was won"""
    max_streak: int
    months: list[Month]
    openers: list[OwnOpener]
    """best first: by their exact worth where it is known, then by one's own mean"""
    analysed: int
    """games whose skill is known"""


Worth = Callable[[str, str, str], OpenerWorth | None]
"""(game, mode, word) -> what is known of the opener"""


def summarise(
    games: Sequence[KeptGame], today: datetime.date, worth: Worth = lambda *_: None
) -> HistorySummary:
    """The summary of games that are sorted by date."""
    current, longest = streaks(games, today)
    months: dict[str, list[KeptGame]] = {}
    for game in games:
        months.setdefault(game.date[:7], []).append(game)
    return HistorySummary(
        averages=averages(games),
        distribution=distribution(games),
        streak=current,
        max_streak=longest,
        months=[Month(month=month, averages=averages(played)) for month, played in months.items()],
        openers=own_openers(games, worth),
        analysed=sum(game.score is not None for game in games),
    )


def averages(games: Sequence[KeptGame]) -> Averages:
    """Means over games: each over those in which the number is known."""
    return Averages(
        games=len(games),
        won=sum(game.won for game in games),
        guesses=_mean(game.used for game in games if game.won),
        skill=_mean(game.score for game in games if game.score is not None),
        luck=_mean(game.luck for game in games if game.luck is not None and game.won),
    )


def distribution(games: Iterable[KeptGame]) -> dict[str, int]:
    """Games by guesses used, without gaps; `X` are the lost ones."""
    used = [game.used for game in games if game.won]
    counts = {str(number): used.count(number) for number in range(1, max(used, default=0) + 1)}
    return {**counts, "X": sum(not game.won for game in games)}


def streaks(games: Iterable[KeptGame], today: datetime.date) -> tuple[int, int]:
    """The current streak and the longest: days in a row on which every game was won. The current
    one ended if nothing was played yesterday and today, or if the last day has a lost game."""
    days: dict[datetime.date, bool] = {}
    for game in games:
        day = datetime.date.fromisoformat(game.date)
        days[day] = days.get(day, True) and game.won
    run = longest = 0
    before = None
    for day in sorted(days):
        run = (run + 1 if before == day - ONE_DAY else 1) if days[day] else 0
        longest, before = max(longest, run), day
    is_current = before is not None and before >= today - ONE_DAY
    return run if is_current else 0, longest


def own_openers(games: Iterable[KeptGame], worth: Worth) -> list[OwnOpener]:
    """First words, the best first."""
    played: dict[tuple[str, str, str], list[KeptGame]] = {}
    for game in games:
        if game.words:
            played.setdefault((game.game, game.mode, game.words[0]), []).append(game)
    found = []
    for (name, mode, word), some in played.items():
        known = worth(name, mode, word)
        fields = {} if known is None else msgspec.structs.asdict(known)
        found.append(OwnOpener(word=word, game=name, mode=mode, averages=averages(some), **fields))
    return sorted(found, key=_opener_order)


def _opener_order(opener: OwnOpener) -> tuple[bool, float, float, float, str]:
    """Known worth first; chance of losing before guesses; then one's own results."""
    mine = opener.averages
    return (
        opener.expected is None,
        opener.losses or 0.0,
        opener.expected or 0.0,
        99.0 if mine.guesses is None else mine.guesses,
        opener.word,
    )


def _mean(numbers: Iterable[float]) -> float | None:
    found = list(numbers)
    return sum(found) / len(found) if found else None
