"""The configuration of a policy training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salet.errors import InputError
from salet.learn.common.config import UNLIMITED, check_ranges, checked_fields


@dataclass(frozen=True)
class PolicyConfig:
    """Examples from other word lists, then from self-play.

    A run has `lists` rounds, each with a new list of answers that is drawn from the game's words
    and solved exactly, and then `plays` rounds of self-play: of the game itself and of more drawn
    lists. Nothing that is proven about the game itself is ever used.
    """

    # ---- the game
    game: str = "original"
    """a name from `salet games`; played in normal mode"""
    cap: int = 6
    """maximum number of guesses"""

    # ---- the network
    pool: int = 128
    """learned features of a word that are averaged over a set"""
    word: int = 256
    """hidden units of the encoder of guesses"""
    width: int = 384
    """units in each layer between a set and its query"""
    layers: int = 2
    """number of residual blocks"""
    query: int = 128
    """length of a guess's encoding"""
    candidate: int = 32
    """length of the additional encoding of remaining answers"""

    # ---- examples
    lists: int = 60
    """rounds with a new list"""
    list_answers: int = 2315
    """answers of a drawn list"""
    openers: int = 5
    """first guesses from which a list is solved"""
    list_memory: int = 100
    """number of lists whose examples are kept, the latest"""
    plays: int = 30
    """rounds of self-play"""
    play_widths: tuple[int, ...] = (8, 8, 6, 5)
    """proposals in each set of self-play, by turn; the last width goes for all later turns"""
    play_ahead: tuple[int, ...] = (50, 12)
    """guesses compared one ply ahead to choose one proposal, by turn; none in later turns"""
    play_lists: int = 3
    """every this many rounds a drawn list is played as well (0: never)"""
    play_memory: int = 3
    """number of self-plays of the game whose examples are kept, the latest, and as many of lists"""
    early_memory: int = 20_000
    """sets of the game's first two turns kept from all self-plays, each with its best result"""
    own_share: float = 0.5
    """share of each batch that comes from self-play, once there is some"""
    early_share: float = 0.125
    """share of each batch that comes from the first two turns of self-play of the game"""

    # ---- learning
    steps: int = 100
    """gradient steps in each round"""
    batch: int = 256
    """examples in a gradient step"""
    others: int = 600
    """random guesses in the softmax, besides those that occur in the batch"""
    learning_rate: float = 1.5e-3
    """AdamW's learning rate at the start"""
    final_learning_rate: float = 3e-5
    """learning rate at the end, reached along a cosine"""
    decay: float = 1e-4
    """weight decay"""
    temperature: float = 0.7
    """additional guesses for which a guess counts 1 / e of the best (times sqrt(n / 50) in sets of
    more than 50)"""
    clip: float = 5.0
    """maximum norm of a gradient"""

    # ---- the run
    evaluate_every: int = 5
    """rounds between evaluations: games of every answer by the network alone, after which weights
    and a checkpoint are written"""
    seed: int = 0
    """random seed; the same seed gives the same run"""

    def __post_init__(self) -> None:
        check_ranges(self, _RANGES)
        if self.own_share + self.early_share > 1:
            raise InputError("own_share and early_share sum to more than 1")
        if not self.play_widths or min(self.play_widths) < 1:
            raise InputError(f"play_widths = {list(self.play_widths)}: give numbers from 1")
        if min(self.play_ahead, default=1) < 1:
            raise InputError(f"play_ahead = {list(self.play_ahead)}: give numbers from 1")

    @property
    def rounds(self) -> int:
        """Rounds of the whole run."""
        return self.lists + self.plays


_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("pool", "word", "width", "query", "candidate"), (1, 8192)),
    **dict.fromkeys(("lists", "openers", "list_memory", "play_memory"), (1, UNLIMITED)),
    **dict.fromkeys(("early_memory", "steps", "evaluate_every"), (1, UNLIMITED)),
    **dict.fromkeys(("plays", "play_lists", "seed"), (0, UNLIMITED)),
    **dict.fromkeys(("own_share", "early_share"), (0, 1)),
    **dict.fromkeys(("learning_rate", "final_learning_rate", "decay"), (0.0, 1.0)),
    "cap": (3, 255),  # in two guesses there is nothing to learn
    "layers": (0, 64),
    "list_answers": (3, UNLIMITED),
    "batch": (1, 10**5),
    "others": (0, 10**6),
    "temperature": (1e-3, UNLIMITED),
    "clip": (1e-9, UNLIMITED),
}
"""smallest and largest value; beyond the largest, memory runs out"""


def policy_config_from(fields: dict[str, Any]) -> PolicyConfig:
    """A configuration from plain data, with every key and type checked."""
    return PolicyConfig(**checked_fields(PolicyConfig, fields))
