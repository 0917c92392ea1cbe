"""Settings of MCDP."""

from __future__ import annotations

import math
from dataclasses import dataclass

from salet.errors import InputError


@dataclass(frozen=True)
class McdpConfig:
    """How MCDP searches."""

    temperature: float = 0.005
    """temperature of the softmax over estimated values (for games: mean guesses); 0: greedy"""
    dp_threshold: int = 128
    """largest size (see `DecisionProcess.is_small`) of a new state that is solved by dynamic
    programming; it grows with the square root of the visits. 0: none"""
    threads: int = 1
    batch: int = 4
    """states evaluated at a time, for each of several threads"""
    seed: int = 0
    memory: float = 2.0
    """maximum size of all tables, bounds and states, in gigabytes"""

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise InputError(f"temperature {self.temperature:g}: give 0 or a number above")
        if self.dp_threshold < 0:
            raise InputError(f"dp-threshold {self.dp_threshold}: give 0 or more answers")
        if self.threads < 1 or self.batch < 1:
            raise InputError(f"{self.threads} threads, batch {self.batch}: give at least 1")
        if not 0 < self.memory < math.inf:
            raise InputError(
                f"memory {self.memory:g}: give a number of gigabytes above 0, such as 2"
            )
