"""Objectives: what a plan minimises. One registry for solving and coaching."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from salet.errors import UnknownNameError

OBJECTIVES: Mapping[str, str] = MappingProxyType(
    {
        "mean": "fewest guesses in the mean, every answer within the cap",
        "worst": "fewest guesses in the worst case, then in the mean",
        "mean-then-worst": "fewest guesses in the mean, then in the worst case",
        "win-then-mean": "fewest answers lost, then fewest guesses",
    }
)
"""By name: what a plan minimises."""


def check_objective(name: str) -> None:
    """Raise an error for an unknown objective."""
    if name not in OBJECTIVES:
        raise UnknownNameError("objective", name, OBJECTIVES)
