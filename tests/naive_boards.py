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


def least_total(rule: str, guesses: Sequence[str], state: frozenset[Answers]) -> int:
    """The fewest guesses over all tuples of a state, by trying every guess everywhere."""

    @functools.cache
    def total(here: frozenset[Answers]) -> int:
        if all(answer is None for answer in next(iter(here))):
            return 0
        best = None
        for guess in guesses:
            below = after(rule, here, guess)
            if here in below.values():
                continue  # nothing was learnt and nothing solved
            value = len(here) + sum(map(total, below.values()))
            best = value if best is None else min(best, value)
        assert best is not None
        return best

    return total(state)
