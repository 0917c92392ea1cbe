"""Rate a guess before it is played, without naming a better one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from salet.coach import explain
from salet.coach.appraisal import LISTED, Appraiser
from salet.coach.coach import AdviceOptions
from salet.coach.position import Position
from salet.coach.verdicts import Deficit, verdict, verdict_text
from salet.search.budget import Clock

FEW = 100
"""Largest rank that the text mentions."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a guess; names no other guess."""

    guess: str
    verdict: str
    """best, fine, costly, or undecided while the bounds allow several"""
    text: str
    """verdict, reason and what the guess does, in plain words"""
    behind: Deficit
    rank_lower: int
    """1 + the number of guesses that are certainly better"""
    rank_upper: int
    """1 + the number of guesses that may be better"""
    legal: int
    """number of legal guesses"""
    remaining: int
    """number of remaining answers"""
    groups: int
    largest: int
    candidate: bool
    """whether it can be the answer"""
    win: float
    """chance that it is"""
    weights: str
    """`equal`, or how the answers are weighted"""
    proven: bool
    """whether all bounds are exact"""
    seconds: float


def ratings(
    position: Position, guess: int, options: AdviceOptions, clock: Clock
) -> Iterator[Rating]:
    """Yield ratings of a legal guess, ever tighter, until it is exact or time is up."""
    word = position.state.game.guesses[guess]
    asked = replace(options, count=LISTED, consider=(word,))
    appraiser = Appraiser(position, guess, clock, asked)
    yield _rating(position, guess, appraiser)
    for _ in appraiser.tighten():
        yield _rating(position, guess, appraiser)
    yield _rating(position, guess, appraiser)


def _rating(position: Position, guess: int, appraiser: Appraiser) -> Rating:
    found = appraiser.appraisal()
    adviser, row = appraiser.adviser, found.guess_row
    remaining = len(position.state.candidates)
    rank_lower, rank_upper = _rank(appraiser, guess)
    legal = len(adviser.guess_bounds.guesses)
    weighted = position.state.game.weights is not None
    return Rating(
        guess=row.guess,
        verdict=verdict(found.behind),
        text=_text(found.behind, explain.why(row, remaining, weighted), rank_upper, legal),
        behind=found.behind,
        rank_lower=rank_lower,
        rank_upper=rank_upper,
        legal=legal,
        remaining=remaining,
        groups=row.groups,
        largest=row.largest,
        candidate=row.candidate,
        win=row.win,
        weights=position.coach.weighting,
        proven=found.proven,
        seconds=round(adviser.clock.seconds, 3),
    )


def _text(behind: Deficit, why: str, rank: int, legal: int) -> str:
    among = f"; among the best {rank} of {legal}" if 1 < rank <= min(FEW, legal // 10) else ""
    return f"{verdict_text(behind)}{among}; it {why.removeprefix('it ')}"


def _rank(appraiser: Appraiser, guess: int) -> tuple[int, int]:
    """Bounds on the rank of the guess, from the bounds of all others."""
    adviser = appraiser.adviser
    known = adviser.known
    mine = known[guess].bounds
    better = sum(other.bounds.upper < mine.lower for other in known.values())
    table = adviser.coach.openers
    if table is not None and not adviser.state.turn:
        better = max(better, sum(cost < mine.lower for _, cost in table.valued))
    maybe = set(adviser.guess_bounds.below(mine.upper)) - {guess}
    maybe -= {other for other in maybe & set(known) if known[other].bounds.lower >= mine.upper}
    if adviser.is_settled():  # no guess is better than the best
        best = known[known.ranking()[0]].bounds.upper
        maybe = maybe if mine.upper > best else set()
    return 1 + better, 1 + max(better, len(maybe))
