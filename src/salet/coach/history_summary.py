"""Statistics of a history of games: streaks, averages, trends of skill and luck, own openers.

Means of guesses are over the games won; lost games are counted separately.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence

import msgspec

from salet.coach.game_history import SavedGame

ONE_DAY = datetime.timedelta(days=1)


class Averages(msgspec.Struct, frozen=True, kw_only=True):
    """Averages over some games."""

    games: int
    won: int
    guesses: float | None
    """mean of the games won"""
    skill: float | None
    """mean score of the games that were analysed"""
    luck: float | None
    """mean of the guesses gained by luck in the analysed games that were won"""


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a month."""

    month: str
    """as 2026-11"""
    averages: Averages


class OwnOpener(msgspec.Struct, frozen=True, kw_only=True):
    """An opener that the player has used, with the results after it."""

    word: str
    game: str
    mode: str
    averages: Averages
    expected: float | None = None
    """mean guesses of perfect play with this opener; None if unknown"""
    losses: float | None = None
    """chance of losing with this opener under perfect play"""
    rank: int | None = None
    """rank among all openers whose exact value is known"""
    ranked: int | None = None
    """how many these are"""


class OpenerValue(msgspec.Struct, frozen=True, kw_only=True):
    """The exact value of an opener; the fields of the same names in OwnOpener."""

    expected: float
    losses: float
    rank: int
    ranked: int


class HistorySummary(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of a history."""

    averages: Averages
    distribution: dict[str, int]
    """games by guesses used; `X` are the lost ones"""
    streak: int
    """days in a row, until today or yesterday, on which every game was won"""
    max_streak: int
    months: list[Month]
    openers: list[OwnOpener]
    """best first: by exact value where it is known, then by the player's own mean"""
    analysed: int
    """games whose skill is known"""


OpenerLookup = Callable[[str, str, str], OpenerValue | None]
"""(game, mode, word) -> the value of the opener; None if unknown"""


def summarise(
    games: Sequence[SavedGame], today: datetime.date, opener_value: OpenerLookup = lambda *_: None
) -> HistorySummary:
    """The statistics of games that are sorted by date."""
    current, longest = streaks(games, today)
    months: dict[str, list[SavedGame]] = {}
    for game in games:
        months.setdefault(game.date[:7], []).append(game)
    return HistorySummary(
        averages=averages(games),
        distribution=distribution(games),
        streak=current,
        max_streak=longest,
        months=[Month(month=month, averages=averages(played)) for month, played in months.items()],
        openers=own_openers(games, opener_value),
        analysed=sum(game.score is not None for game in games),
    )


def averages(games: Sequence[SavedGame]) -> Averages:
    """Averages over games, each over those for which the number is known."""
    return Averages(
        games=len(games),
        won=sum(game.won for game in games),
        guesses=_mean(game.used for game in games if game.won),
        skill=_mean(game.score for game in games if game.score is not None),
        luck=_mean(game.luck for game in games if game.luck is not None and game.won),
    )


def distribution(games: Iterable[SavedGame]) -> dict[str, int]:
    """Games by guesses used, without gaps; `X` are the lost ones."""
    used = [game.used for game in games if game.won]
    counts = {str(number): used.count(number) for number in range(1, max(used, default=0) + 1)}
    return {**counts, "X": sum(not game.won for game in games)}


def streaks(games: Iterable[SavedGame], today: datetime.date) -> tuple[int, int]:
    """The current and the longest streak: consecutive days on which every game was won.

    The current streak is 0 if nothing was played yesterday or today, or if a game was lost on the
    last day.
    """
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


def own_openers(games: Iterable[SavedGame], opener_value: OpenerLookup) -> list[OwnOpener]:
    """The openers of these games, best first."""
    played: dict[tuple[str, str, str], list[SavedGame]] = {}
    for game in games:
        if game.words:
            played.setdefault((game.game, game.mode, game.words[0]), []).append(game)
    found = []
    for (name, mode, word), some in played.items():
        known = opener_value(name, mode, word)
        fields = {} if known is None else msgspec.structs.asdict(known)
        found.append(OwnOpener(word=word, game=name, mode=mode, averages=averages(some), **fields))
    return sorted(found, key=_opener_order)


def _opener_order(opener: OwnOpener) -> tuple[bool, float, float, float, str]:
    """Sort key: openers of known value first, by chance of losing, then by guesses."""
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
