"""Heuristics: how good a guess looks from the sizes of the groups it makes.

Each takes the `Splits` of many guesses and returns a cost for each, lower is better. Costs are
integers where they can be; costs in floating point carry a tolerance below which two guesses
count as equal, so that no tie is decided by rounding noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from salet.array_types import Floats, Ints
from salet.errors import UnknownNameError
from salet.search.splits import Splits

Costs = Floats | Ints


def entropy(splits: Splits) -> Costs:
    """Most information: for equal n, the least sum n_c log2 n_c."""
    return splits.n_log_n


def expected_size(splits: Splits) -> Costs:
    """Smallest expected group, that is the greatest mean fraction eliminated 1 - squares / n**2."""
    return splits.squares


def parts(splits: Splits) -> Costs:
    """Most groups."""
    return -splits.parts


def minimax(splits: Splits) -> Costs:
    """Smallest largest group."""
    return splits.largest


def _expected_guesses(splits: Splits, rest: Floats) -> Costs:
    """p * 1 + (1 - p) * rest with p the chance that the guess is right."""
    chance = splits.is_candidate / splits.answers
    return np.where(splits.parts == 1, np.inf, chance + (1 - chance) * rest)


def entropic(splits: Splits) -> Costs:
    """Expected guesses if every later guess brings as many bits: log2 n / H + 1."""
    bits = np.where(splits.parts == 1, 1.0, splits.entropy)
    return _expected_guesses(splits, math.log2(splits.answers) / bits + 1)


def statistical(splits: Splits) -> Costs:
    """Expected guesses if every guess divides as well: 1 + ln n / ln(n / R), R = squares / n."""
    n = splits.answers
    ratio = np.where(splits.parts == 1, 2.0, n * n / splits.squares)
    return _expected_guesses(splits, 1 + math.log(n) / np.log(ratio))


@dataclass(frozen=True)
class Heuristic:
    """A cost function and how far apart two costs must be to count as different."""

    name: str
    cost: Callable[[Splits], Costs]
    tolerance: float
    summary: str


HEURISTICS: Mapping[str, Heuristic] = MappingProxyType(
    {
        heuristic.name: heuristic
        for heuristic in (
            Heuristic("entropy", entropy, 1e-8, "most information"),
            Heuristic("expected-size", expected_size, 0, "smallest expected group"),
            Heuristic("parts", parts, 0, "most groups"),
            Heuristic("minimax", minimax, 0, "smallest largest group"),
            Heuristic("entropic", entropic, 1e-10, "fewest guesses expected from entropy"),
            Heuristic("statistical", statistical, 1e-10, "fewest guesses expected from group size"),
        )
    }
)


def heuristic_named(name: str) -> Heuristic:
    """The heuristic of that name, or an error that suggests one."""
    try:
        return HEURISTICS[name]
    except KeyError:
        raise UnknownNameError("heuristic", name, HEURISTICS) from None
