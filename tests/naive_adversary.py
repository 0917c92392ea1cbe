"""The adversary by brute force in plain Python; nothing is imported from salet."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import naive


def reply(rule: str, guess: str, possible: Sequence[str]) -> naive.Pattern:
    """The largest group; of equal ones fewest greens, fewest yellows, then the lower pattern, read
    as a number in base 3 whose first tile counts least (blacks before whites for pegs)."""
    groups: dict[naive.Pattern, int] = {}
    for word in possible:
        pattern = naive.RULES[rule](guess, word)
        groups[pattern] = groups.get(pattern, 0) + 1

    def order(pattern: naive.Pattern) -> tuple[object, ...]:
        if rule == "pegs":
            return -groups[pattern], *pattern
        greens, yellows = pattern.count(naive.GREEN), pattern.count(naive.YELLOW)
        return -groups[pattern], greens, yellows, pattern[::-1]

    return min(groups, key=order)


def fewest(rule: str, answers: Sequence[str], guesses: Sequence[str], mode: str = "normal") -> int:
    """The fewest guesses that force the adversary, by trying every sequence of guesses."""

    @functools.cache
    def value(possible: tuple[str, ...], allowed: tuple[str, ...]) -> int:
        if len(possible) == 1:
            return 1
        best = len(answers) + 1
        for guess in allowed:
            pattern = reply(rule, guess, possible)
            kept = tuple(word for word in possible if naive.RULES[rule](guess, word) == pattern)
            if len(kept) < len(possible):
                row = [(guess, pattern)]
                left = tuple(word for word in allowed if naive.legal(rule, mode, row, word))
                best = min(best, 1 + value(kept, left))
        return best

    return value(tuple(answers), tuple(guesses))
