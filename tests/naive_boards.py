"""Several boards by brute force over joint states; nothing is imported from salet.

A joint state is the set of all tuples of different answers that fit the feedback so far.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import naive

Answers = tuple[str | None, ...]
"""an answer for each board; None for a solved one"""


def start(answers: Sequence[str], boards: int) -> frozenset[Answers]:
    """All tuples of different answers."""
    return frozenset(itertools.permutations(answers, boards))


def after(
    rule: str, state: frozenset[Answers], guess: str
) -> dict[tuple[naive.Pattern | None, ...], frozenset[Answers]]:
    """The states that can follow a guess, by the feedback of all boards."""
    found: dict[tuple[naive.Pattern | None, ...], set[Answers]] = {}
    for answers in state:
        feedback = tuple(
            None if answer is None else naive.RULES[rule](guess, answer) for answer in answers
        )
        left = tuple(None if answer == guess else answer for answer in answers)
        found.setdefault(feedback, set()).add(left)
    return {feedback: frozenset(tuples) for feedback, tuples in found.items()}


def least_total(
    rule: str, guesses: Sequence[str], state: frozenset[Answers], left: int = 99
) -> int:
    """The fewest guesses over all tuples of a state, by trying every guess everywhere; a game that
    is lost with so many guesses left counts one more."""

    @functools.cache
    def total(here: frozenset[Answers], left: int) -> int:
        still_open = sum(answer is not None for answer in next(iter(here)))
        if not still_open:
            return 0
        if left < still_open:
            return len(here) * (left + 1)
        best = None
        for guess in guesses:
            below = after(rule, here, guess)
            if here in below.values():
                continue  # nothing was learnt and nothing solved
            value = len(here) + sum(total(state, left - 1) for state in below.values())
            best = value if best is None else min(best, value)
        assert best is not None
        return best

    return total(state, left)


def least_lost(
    rule: str, guesses: Sequence[str], state: frozenset[Answers], left: int
) -> tuple[int, int]:
    """(lost, total): the fewest games lost with so many guesses left, then the fewest guesses, of
    which a lost game counts one more than are left. By trying every guess everywhere."""

    @functools.cache
    def best(here: frozenset[Answers], left: int) -> tuple[int, int]:
        still_open = sum(answer is not None for answer in next(iter(here)))
        if not still_open:
            return 0, 0
        if left < still_open:
            return len(here), len(here) * (left + 1)
        values = []
        for guess in guesses:
            below = [best(after_it, left - 1) for after_it in after(rule, here, guess).values()]
            values.append(
                (sum(lost for lost, _ in below), len(here) + sum(total for _, total in below))
            )
        return min(values)

    return best(state, left)
