"""Statistics of a history, against counting day by day."""

from __future__ import annotations

import datetime
import random

import pytest

from salet.coach.game_history import SavedGame
from salet.coach.history_summary import (
    OpenerValue,
    averages,
    distribution,
    own_openers,
    streaks,
    summarise,
)

TODAY = datetime.date(2024, 3, 31)


def game(days_ago: int, used: int = 4, **changes) -> SavedGame:
    day = (TODAY - datetime.timedelta(days=days_ago)).isoformat()
    fields = {"id": f"{day} {used}", "date": day, "game": "nyt", "won": True, "used": used}
    return SavedGame(**{**fields, **changes})


def naive_streaks(games: list[SavedGame]) -> tuple[int, int]:
    """By looking at every day of the year before today."""
    days = [(TODAY - datetime.timedelta(days=ago)).isoformat() for ago in range(366, -1, -1)]
    good = []
    for day in days:
        results = [one.won for one in games if one.date == day]
        good.append(bool(results) and all(results))
    longest = run = 0
    for is_good in good:
        run = run + 1 if is_good else 0
        longest = max(longest, run)
    has_today = any(one.date == days[-1] for one in games)
    current = 0
    for is_good in reversed(good if has_today else good[:-1]):
        if not is_good:
            break
        current += 1
    return current, longest


def test_streaks_are_those_of_the_calendar() -> None:
    rng = random.Random(1)
    for _ in range(300):
        games = [
            game(rng.randint(0, 12), won=rng.random() < 0.85) for _ in range(rng.randint(0, 20))
        ]
        games.sort(key=lambda one: one.date)
        assert streaks(games, TODAY) == naive_streaks(games)


def test_lost_games_stand_beside_the_mean() -> None:
    games = [game(3, 3, score=90, luck=0.5), game(2, 5), game(1, 6, won=False, score=20, luck=2.0)]
    found = averages(games)
    assert (found.games, found.won, found.guesses) == (3, 2, 4.0)
    assert (found.skill, found.luck) == (55.0, 0.5)
    assert distribution(games) == {"1": 0, "2": 0, "3": 1, "4": 0, "5": 1, "X": 1}
    assert averages([]).guesses is None and distribution([]) == {"X": 0}


def test_months_and_count_of_analysed_games() -> None:
    found = summarise([game(40, score=50), game(3), game(2, 2, score=80)], TODAY)
    assert [(month.month, month.averages.games) for month in found.months] == [
        ("2024-02", 1), ("2024-03", 2),
    ]  # fmt: skip
    assert found.analysed == 2 and found.max_streak == 2 and found.streak == 0


def test_openers_are_ranked_by_exact_value_then_by_results() -> None:
    def worth(name: str, mode: str, word: str) -> OpenerValue | None:
        assert (name, mode) == ("nyt", "normal")
        known = {"slate": (3.44, 0.0), "crane": (3.46, 0.0), "fuzzy": (3.3, 0.01)}
        if word not in known:
            return None
        expected, losses = known[word]
        return OpenerValue(expected=expected, losses=losses, rank=1, ranked=9)

    words = ["crane", "slate", "adieu", "fuzzy", "audio", "slate"]
    games = [
        game(10 - at, 3 + (word == "adieu"), words=[word, "other", "words"])
        for at, word in enumerate(words)
    ]
    found = own_openers(games, worth)
    assert [one.word for one in found] == ["slate", "crane", "fuzzy", "audio", "adieu"]
    assert found[0].averages.games == 2 and found[0].expected == pytest.approx(3.44)
    assert found[-1].expected is None and own_openers([game(1)], worth) == []
