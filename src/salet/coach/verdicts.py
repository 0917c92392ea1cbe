"""Verdicts in plain words: how far a guess is behind the best, and how lucky its feedback was.

Every sentence that judges a guess or a game is written here; commands and the page show these texts
unchanged.

A guess is judged by its *price* in guesses: the mean guesses that it gives away, where a lost game
counts as many as the cap allows. Losing a game early saves guesses, which do not count as a gain.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from salet.search.value import Bounds, Cost

BEST, FINE, COSTLY, UNDECIDED = "best", "fine", "costly", "undecided"
FINE_PRICE = 0.1
"""A guess whose price is below this is `fine`."""
UNCAPPED = 6
"""Price of a lost game, in guesses, if there is no cap."""


class Deficit(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on how far a guess is behind the best; equal once both are exact."""

    guesses_lower: float | None
    """mean guesses more than the best; None while the number of lost games is open"""
    guesses_upper: float | None
    games_lower: float
    """increase of the chance of losing"""
    games_upper: float
    price_lower: float
    """both combined, in guesses"""
    price_upper: float


class Luck(msgspec.Struct, frozen=True):
    """How the feedback of a guess compares with that of the other answers."""

    luckier: float
    """share of the answers that would have left a worse position"""
    unluckier: float
    """share of the answers that would have left a better one"""


def behind(guess: Bounds, best: Bounds, weight: int, cap: int | None) -> Deficit:
    """How far a guess with these bounds is behind the best one."""
    games_lower = max(0, guess.lower.losses - best.upper.losses)
    games_upper = guess.upper.losses - best.lower.losses
    lower = upper = None
    if guess.lower.losses == guess.upper.losses and best.lower.losses == best.upper.losses:
        lower = guess.lower.guesses - best.upper.guesses
        upper = guess.upper.guesses - best.lower.guesses
        lower = lower if games_lower else max(0, lower)
    lost = cap or UNCAPPED
    most = (lost - 1) * weight  # between the first guess and the last
    return Deficit(
        guesses_lower=None if lower is None else lower / weight,
        guesses_upper=None if upper is None else upper / weight,
        games_lower=games_lower / weight,
        games_upper=games_upper / weight,
        price_lower=(max(0, lower or 0) + lost * games_lower) / weight,
        price_upper=(max(0, most if upper is None else upper) + lost * games_upper) / weight,
    )


def verdict(found: Deficit) -> str:
    """`best`, `fine` or `costly`; `undecided` while the bounds allow several."""
    lower, upper = _level(found.price_lower), _level(found.price_upper)
    if lower == upper or (lower, upper) == (0, 1):
        return (BEST, FINE, COSTLY)[upper]
    return UNDECIDED


def _level(price: float) -> int:
    return 0 if price == 0 else 1 if price < FINE_PRICE else 2


def verdict_text(found: Deficit) -> str:
    """The verdict and its reason: `fine: 0.06 guesses behind the best`."""
    name = verdict(found)
    if name == BEST:
        return "best: no guess is better"
    exact = found.price_lower == found.price_upper
    if name == FINE and not exact and found.price_lower == 0:
        return f"fine, perhaps best: {_distance(found, exact)}"
    return f"{'not decided yet' if name == UNDECIDED else name}: {_distance(found, exact)}"


def _distance(found: Deficit, exact: bool) -> str:
    parts = []
    if found.games_upper > 0:
        parts.append(_added_losses(found.games_lower, found.games_upper))
    lower, upper = found.guesses_lower, found.guesses_upper
    if lower is not None and upper is not None and upper > 0:
        if exact:
            parts.append(f"{_number(upper)} guesses behind the best")
        elif lower > 0:
            parts.append(f"{_number(lower)} to {_number(upper)} guesses behind the best")
        else:
            parts.append(f"at most {_number(upper)} guesses behind the best")
    return " and ".join(parts)


def _added_losses(lower: float, upper: float) -> str:
    if lower == upper:
        return f"adds {percent(upper)} to the chance of losing"
    if lower > 0:
        return f"adds {percent(lower)} to {percent(upper)} to the chance of losing"
    return f"adds at most {percent(upper)} to the chance of losing"


def _number(guesses: float) -> str:
    """Two digits; a positive number is never shown as zero."""
    return f"{guesses:.2f}" if guesses >= 0.005 else "less than 0.01"


def percent(share: float) -> str:
    """A share as a percentage: `33.3 %`, `0.04 %`, `100 %`."""
    shown = 100 * share
    if shown and abs(shown) < 0.1:
        return f"{shown:.2f} %"
    return f"{shown:.1f}".removesuffix(".0") + " %"


def luck_of(outcomes: Iterable[tuple[int, int, Cost]], pattern: int) -> Luck:
    """How lucky the feedback `pattern` was among `outcomes`: (pattern, weight, cost) of each."""
    found = list(outcomes)
    means = {
        id_: (Fraction(cost.losses, weight), Fraction(cost.guesses, weight))
        for id_, weight, cost in found
    }
    mine, total = means[pattern], sum(weight for _, weight, _ in found)
    return Luck(
        sum(weight for id_, weight, _ in found if means[id_] > mine) / total,
        sum(weight for id_, weight, _ in found if means[id_] < mine) / total,
    )


def luck_text(luck: Luck) -> str:
    """Luck in words, such as `luckier than 8 of 10`."""
    if luck.luckier == luck.unluckier == 0:
        return "no luck in it"
    if luck.luckier >= 0.5:
        return f"luckier than {_of_ten(luck.luckier)}"
    if luck.unluckier >= 0.5:
        return f"unluckier than {_of_ten(luck.unluckier)}"
    return "about as lucky as most"


def _of_ten(share: float) -> str:
    """`half`, `8 of 10`, or `97 of 100` from nine in ten on; rounded down, so that it is true."""
    tenths = int(10 * share + 1e-9)
    if tenths == 5:
        return "half"
    return f"{tenths} of 10" if tenths < 9 else f"{int(100 * share + 1e-9)} of 100"


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """Where the result of a game came from: expectation, losses by choices, and luck, in guesses
    and in chances of losing."""

    used: int
    cap: int | None
    won: bool
    over: bool
    expected: float
    """guesses at the start"""
    lost: float
    luck: float
    to_come: float
    """expected guesses to come at the end; 0 if the game is over"""
    risk_start: float
    """chance of losing at the start"""
    risk_end: float
    """1 for a lost game"""
    lost_games: float
    luck_games: float


def result_text(balance: Balance) -> str:
    """How the game ended, and how expectation, choices and luck add up to that."""
    limit = "" if balance.cap is None else f" of {balance.cap}"
    if balance.over and not balance.won:
        return (
            f"lost after {balance.used}: {_risks(balance)}"
            f" = {percent(balance.risk_end)} chance of losing"
        )
    start = f"{balance.expected:.3f} expected + {balance.lost:.3f} by choices"
    sign = "-" if balance.luck >= 0 else "+"
    account = f"{start} {sign} {abs(balance.luck):.3f} by {_luck_name(balance.luck)}"
    if balance.won:
        text = f"found in {balance.used}{limit}: {account}"
    else:
        text = (
            f"not finished after {balance.used}{limit}, "
            f"{balance.to_come:.3f} guesses to come: {account}"
        )
    if max(balance.risk_start, abs(balance.lost_games), abs(balance.luck_games)) > 0:
        text += f"; {_risks(balance)} = {percent(balance.risk_end)} chance of losing"
    return text


def _luck_name(luck: float) -> str:
    return "luck" if luck >= 0 else "bad luck"


def _risks(balance: Balance) -> str:
    """The chance of losing at the start, what choices added, and what luck changed."""
    sign = "-" if balance.luck_games >= 0 else "+"
    return (
        f"{percent(balance.risk_start)} at the start + {percent(balance.lost_games)} by choices "
        f"{sign} {percent(abs(balance.luck_games))} by {_luck_name(balance.luck_games)}"
    )
