"""Heuristics: the cost of a guess from the sizes of the groups it makes.

Each takes the `Splits` of many guesses and returns a cost for each; lower is better. Costs are
integers where possible; floating-point costs have a tolerance within which two guesses count as
equal, so that rounding errors decide no tie.
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
    """Maximum information, which is the minimum of the sum of n_c log2 n_c."""
    return splits.n_log_n


def expected_size(splits: Splits) -> Costs:
    """Minimum expected group size, which is the maximum of 1 - squares / n**2 eliminated."""
    return splits.squares


def parts(splits: Splits) -> Costs:
    """Maximum number of groups."""
    return -splits.parts


def minimax(splits: Splits) -> Costs:
    """Minimum size of the largest group."""
    return splits.largest


def _expected_guesses(splits: Splits, rest: Floats) -> Costs:
    """p * 1 + (1 - p) * rest, where p is the probability that the guess is correct."""
    chance = splits.is_candidate / splits.answers
    return np.where(splits.parts == 1, np.inf, chance + (1 - chance) * rest)


def entropic(splits: Splits) -> Costs:
    """Expected guesses if every later guess gives as many bits: log2 n / H + 1."""
    bits = np.where(splits.parts == 1, 1.0, splits.entropy)
    return _expected_guesses(splits, math.log2(splits.answers) / bits + 1)


def statistical(splits: Splits) -> Costs:
    """Expected guesses if every guess splits as well: 1 + ln n / ln(n / R), R = squares / n."""
    n = splits.answers
    ratio = np.where(splits.parts == 1, 2.0, n * n / splits.squares)
    return _expected_guesses(splits, 1 + math.log(n) / np.log(ratio))


@dataclass(frozen=True)
class Heuristic:
    """A cost function with its tolerance."""

    name: str
    cost: Callable[[Splits], Costs]
    tolerance: float
    """largest difference of two costs that count as equal"""
    summary: str


HEURISTICS: Mapping[str, Heuristic] = MappingProxyType(
    {
        heuristic.name: heuristic
        for heuristic in (
            Heuristic("entropy", entropy, 1e-8, "maximum information"),
            Heuristic("expected-size", expected_size, 0, "minimum expected group size"),
            Heuristic("parts", parts, 0, "maximum number of groups"),
            Heuristic("minimax", minimax, 0, "minimum size of the largest group"),
            Heuristic("entropic", entropic, 1e-10, "fewest guesses expected from entropy"),
            Heuristic("statistical", statistical, 1e-10, "fewest guesses expected from group size"),
        )
    }
)


PREDICTORS: Mapping[str, Callable[[Splits], Costs]] = MappingProxyType(
    {"entropic": entropic, "statistical": statistical}
)
"""Heuristics that predict the expected number of guesses."""


def predictor_named(name: str) -> Callable[[Splits], Costs]:
    """The predictor of that name."""
    if name not in PREDICTORS:
        raise UnknownNameError("predictor", name, PREDICTORS)
    return PREDICTORS[name]


def heuristic_named(name: str) -> Heuristic:
    """The heuristic of that name."""
    try:
        return HEURISTICS[name]
    except KeyError:
        raise UnknownNameError("heuristic", name, HEURISTICS) from None
