"""Verdicts: thresholds, bounds and every text."""

from __future__ import annotations

import itertools
import random

import pytest

from salet.coach.verdicts import (
    Balance,
    Deficit,
    Luck,
    behind,
    luck_of,
    luck_text,
    percent,
    result_text,
    verdict,
    verdict_text,
)
from salet.search.value import Bounds, Cost


def exactly(losses: int, guesses: int) -> Bounds:
    return Bounds(Cost(losses, guesses), Cost(losses, guesses))


def between(lower: int, upper: int, games: tuple[int, int] = (0, 0)) -> Bounds:
    return Bounds(Cost(games[0], lower), Cost(games[1], upper))


BEST = exactly(0, 200)
TEXTS = [
    (BEST, BEST, "best", "best: no guess is better"),
    (exactly(0, 206), BEST, "fine", "fine: 0.06 guesses behind the best"),
    (exactly(0, 209), BEST, "fine", "fine: 0.09 guesses behind the best"),
    (exactly(0, 210), BEST, "costly", "costly: 0.10 guesses behind the best"),
    (exactly(1, 190), BEST, "fine", "fine: adds 1 % to the chance of losing"),
    (exactly(33, 167), BEST, "costly", "costly: adds 33 % to the chance of losing"),
    (
        exactly(33, 267), BEST, "costly",
        "costly: adds 33 % to the chance of losing and 0.67 guesses behind the best",
    ),
    (between(195, 205), BEST, "fine", "fine, perhaps best: at most 0.05 guesses behind the best"),
    (
        between(195, 240), BEST, "undecided",
        "not decided yet: at most 0.40 guesses behind the best",
    ),
    (
        between(205, 240), BEST, "undecided",
        "not decided yet: 0.05 to 0.40 guesses behind the best",
    ),
    (between(220, 240), BEST, "costly", "costly: 0.20 to 0.40 guesses behind the best"),
    (between(202, 207), BEST, "fine", "fine: 0.02 to 0.07 guesses behind the best"),
    (
        between(220, 240, (0, 5)), BEST, "undecided",
        "not decided yet: adds at most 5 % to the chance of losing",
    ),
    (
        between(220, 240, (2, 5)), BEST, "costly",
        "costly: adds 2 % to 5 % to the chance of losing",
    ),
    (exactly(0, 500), between(480, 500), "undecided",
     "not decided yet: at most 0.20 guesses behind the best"),
]  # fmt: skip


@pytest.mark.parametrize(("guess", "best", "name", "text"), TEXTS)
def test_texts(guess: Bounds, best: Bounds, name: str, text: str) -> None:
    found = behind(guess, best, 100, 6)
    assert (verdict(found), verdict_text(found)) == (name, text)


def test_a_tiny_distance_is_no_zero() -> None:
    found = behind(exactly(0, 200_001), exactly(0, 200_000), 100_000, 6)
    assert verdict_text(found) == "fine: less than 0.01 guesses behind the best"
    assert [percent(share) for share in (0, 1 / 3, 1, 0.0004, 0.5)] == [
        "0 %", "33.3 %", "100 %", "0.04 %", "50 %",
    ]  # fmt: skip


def test_bounds_hold_whatever_the_costs_are() -> None:
    """Costs between bounds give a distance between bounds, and a verdict that stays possible."""
    rng = random.Random(5)
    names = ("best", "fine", "costly")
    for _ in range(3000):
        costs = sorted(Cost(rng.randint(0, 2), rng.randint(100, 140)) for _ in range(6))
        best = Bounds(costs[0], costs[2])
        guess = Bounds(*sorted((costs[rng.randint(1, 3)], costs[rng.randint(3, 5)])))
        truth_best = costs[rng.randint(0, 2)]
        possible = [cost for cost in costs if guess.lower <= cost <= guess.upper]
        truth_guess = max(truth_best, rng.choice(possible))
        if not guess.lower <= truth_guess <= guess.upper:
            continue
        found = behind(guess, best, 50, 4)
        truth = behind(Bounds(truth_guess, truth_guess), Bounds(truth_best, truth_best), 50, 4)
        assert found.games_lower <= truth.games_lower <= found.games_upper
        assert found.price_lower <= truth.price_lower + 1e-12
        assert truth.price_upper <= found.price_upper + 1e-12
        if found.guesses_lower is not None and truth.games_lower == 0:
            assert found.guesses_lower <= truth.guesses_lower <= found.guesses_upper
        said, right = verdict(found), verdict(truth)
        assert said in ("undecided", right) or (said, right) == ("fine", "best")
        assert right in names and verdict_text(truth).startswith(right)


def test_guesses_saved_by_losing_games_are_no_gain() -> None:
    found = behind(exactly(1, 100), exactly(0, 200), 100, 6)
    assert found.guesses_upper == -1 and found.price_upper == pytest.approx(0.06)


def test_luck_is_a_rank_among_the_answers() -> None:
    """By counting answers one by one."""
    rng = random.Random(3)
    for _ in range(200):
        outcomes = [
            (id_, rng.randint(1, 5), Cost(rng.randint(0, 1), rng.randint(0, 9)))
            for id_ in range(rng.randint(1, 5))
        ]
        each = [
            (cost.losses / weight, cost.guesses / weight, id_)
            for id_, weight, cost in outcomes
            for _ in range(weight)
        ]
        for id_, weight, cost in outcomes:
            mine = (cost.losses / weight, cost.guesses / weight)
            found = luck_of(outcomes, id_)
            assert found.luckier == pytest.approx(sum(e[:2] > mine for e in each) / len(each))
            assert found.unluckier == pytest.approx(sum(e[:2] < mine for e in each) / len(each))


@pytest.mark.parametrize(
    ("luckier", "unluckier", "text"),
    [
        (0.0, 0.0, "no luck in it"),
        (0.8, 0.1, "luckier than 8 of 10"),
        (0.899, 0.1, "luckier than 8 of 10"),
        (0.977, 0.0, "luckier than 97 of 100"),
        (0.3, 0.59, "unluckier than half"),
        (0.0, 0.99, "unluckier than 99 of 100"),
        (0.4, 0.4, "about as lucky as most"),
    ],
)
def test_luck_in_words(luckier: float, unluckier: float, text: str) -> None:
    assert luck_text(Luck(luckier, unluckier)) == text


def account(**changes) -> Balance:
    fields = {
        "used": 3, "cap": 6, "won": True, "over": True, "expected": 3.421, "lost": 0.059,
        "luck": 0.48, "to_come": 0.0, "risk_start": 0.0, "risk_end": 0.0, "lost_games": 0.0,
        "luck_games": 0.0,
    }  # fmt: skip
    return Balance(**{**fields, **changes})


def test_results_in_words() -> None:
    assert result_text(account()) == (
        "found in 3 of 6: 3.421 expected + 0.059 by choices - 0.480 by luck"
    )
    assert result_text(account(cap=None, luck=-0.5)).endswith("+ 0.500 by bad luck")
    lost = account(won=False, used=6, risk_end=1.0, lost_games=1 / 3, luck_games=-2 / 3)
    assert result_text(lost) == (
        "lost after 6: 0 % at the start + 33.3 % by choices + 66.7 % by bad luck = 100 % chance "
        "of losing"
    )
    narrow = account(used=6, lost_games=0.5, luck_games=0.5)
    assert result_text(narrow).endswith(
        "; 0 % at the start + 50 % by choices - 50 % by luck = 0 % chance of losing"
    )
    left = account(won=False, over=False, to_come=1.5, used=2)
    assert result_text(left).startswith("not finished after 2 of 6, 1.500 guesses to come: ")


def test_every_combination_of_bounds_has_a_text() -> None:
    amounts = (0.0, 0.004, 0.05, 0.5)
    for lower, upper, games, most in itertools.product(amounts, repeat=4):
        if lower <= upper and games <= most:
            found = Deficit(
                guesses_lower=lower, guesses_upper=upper, games_lower=games, games_upper=most,
                price_lower=lower + 6 * games, price_upper=upper + 6 * most,
            )  # fmt: skip
            text = verdict_text(found)
            assert not text.endswith(": ") and "nan" not in text
