"""What can be switched in MCDP. The defaults are the algorithm; all else is for measuring."""

from __future__ import annotations

import math
from dataclasses import dataclass

from salet.errors import InputError

CHOICES = ("softmax", "greedy", "on-policy")
UPDATES = ("queue", "lock")


@dataclass(frozen=True)
class McdpConfig:
    """How MCDP searches."""

    choice: str = "softmax"
    """softmax or greedy: over the memoised scores, off-policy; on-policy: mostly the action that
    has the best plan so far, as classic Monte-Carlo does"""
    temperature: float = 0.001
    """of the softmax. Scores lie between 0 and 1, those of good guesses close together: at 1 every
    guess is about as likely as any other"""
    exploration: float = 0.1
    """how often on-policy choice takes any action instead"""
    memoise: bool = True
    """remove solved paths from the choice and draw children in proportion to their open gap; off:
    choose among all actions and draw children in proportion to their answers"""
    dp_threshold: int = 48
    """states of at most so many answers (of so many reachable states, for other processes) are
    solved by dynamic programming when they are met; 0: none, all of them: pure dynamic programming
    """
    plain: bool = False
    """dynamic programming in plain Python instead of the compiled exact search"""
    rollout: bool = True
    """bound new states from above by a greedy rollout; off: by one answer after the other"""
    narrow: bool = True
    """drop guesses that split nothing, or that split as another does; children inherit that"""
    keep_values: bool = True
    """remember V* of solved states, so that other ways to the same state find it"""
    keep_transitions: bool = True
    """remember which states follow an action; off: they are made anew at every visit"""
    keep_scores: bool = True
    """remember scores and bounds of all actions of a state; off: they are made anew"""
    updates: str = "queue"
    """queue: threads evaluate, one applies what they found, in order, so that the result does not
    depend on who was faster; lock: threads run whole episodes and take turns at the tables"""
    threads: int = 1
    batch: int = 4
    """states in evaluation for each thread (with one thread: 1)"""
    seed: int = 0
    memory: float = 2.0
    """most gigabytes for tables, bounds and memos"""

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise InputError(f"choice {self.choice!r}: there are {', '.join(CHOICES)}")
        if self.updates not in UPDATES:
            raise InputError(f"updates {self.updates!r}: there are {' and '.join(UPDATES)}")
        if not 0 < self.temperature < math.inf:
            raise InputError(f"temperature {self.temperature:g}: give a number above 0")
        if not 0 <= self.exploration <= 1:
            raise InputError(f"exploration {self.exploration:g}: give a share between 0 and 1")
        if self.dp_threshold < 0:
            raise InputError(f"dp-threshold {self.dp_threshold}: give 0 or more answers")
        if self.threads < 1 or self.batch < 1:
            raise InputError(f"{self.threads} threads, batch {self.batch}: give at least 1")
        if not 0 < self.memory < math.inf:
            raise InputError(f"memory {self.memory:g}: give some gigabytes, as 2")
