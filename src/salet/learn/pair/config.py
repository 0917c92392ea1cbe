"""The configuration of a training run of the pair network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salet.learn.common.config import UNLIMITED, check_ranges, checked_fields


@dataclass(frozen=True)
class PairConfig:
    """Lists of answers drawn from the training words, solved exactly.

    A run has `tell_rounds` rounds, in which the network learns which answers look alike after a
    guess, and then `value_rounds`, in which it learns what a set of answers is worth. Each round
    draws new lists.
    """

    # ---- the words
    game: str = "original"
    """a name from `salet games`: its guesses are the words; those that
    `salet.learn.common.word_lists.is_held_out` are never answers"""
    cap: int = 6
    """maximum number of guesses"""

    # ---- the network
    depth: int = 3
    """dimensions of the place of a relation"""
    similar: int = 8
    """learned features of the similarities within a set"""
    width: int = 48
    """units of the value's hidden layers"""

    # ---- examples
    lists: int = 1
    """lists drawn in each round"""
    list_answers: int = 2315
    """answers of three lists in five; the others have from `min_answers` to twice as many"""
    min_answers: int = 200
    """fewest answers of a list"""
    openers: int = 2
    """first guesses followed in each list"""
    guesses: int = 8
    """second guesses followed in each group"""
    max_answers: int = 250
    """largest set that is solved"""

    # ---- learning
    tell_rounds: int = 6
    """rounds of learning which answers look alike"""
    value_rounds: int = 1
    """rounds of learning values"""
    tell_steps: int = 400
    """gradient steps of a round, while learning which answers look alike"""
    value_steps: int = 400
    """gradient steps of a round, while learning values"""
    batch: int = 1024
    """sets in a gradient step of learning values; half as many guesses of each kind before"""
    learning_rate: float = 3e-3
    """Adam's learning rate at the start of learning values; ten times as much before that"""

    # ---- the run
    evaluate_every: int = 10
    """rounds between evaluations: the network alone plays a list that is drawn from training words
    and not trained on; weights and a checkpoint are written"""
    seed: int = 0
    """random seed; the same seed gives the same run"""

    def __post_init__(self) -> None:
        check_ranges(self, _RANGES)

    @property
    def rounds(self) -> int:
        """Rounds of the whole run."""
        return self.tell_rounds + self.value_rounds


_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("similar", "width"), (1, 8192)),
    **dict.fromkeys(("lists", "openers", "guesses", "evaluate_every"), (1, UNLIMITED)),
    **dict.fromkeys(("tell_rounds", "value_rounds", "tell_steps", "value_steps"), (1, UNLIMITED)),
    "cap": (3, 255),
    "depth": (2, 64),
    "list_answers": (3, UNLIMITED),
    "min_answers": (3, UNLIMITED),
    "max_answers": (3, 255),
    "batch": (1, 10**5),
    "learning_rate": (0.0, 1.0),
    "seed": (0, UNLIMITED),
}
"""smallest and largest value"""


def pair_config_from(fields: dict[str, Any]) -> PairConfig:
    """A configuration from plain data, with every key and type checked."""
    return PairConfig(**checked_fields(PairConfig, fields))
