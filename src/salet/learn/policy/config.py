"""What a training run of the second agent is told."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from salet.errors import InputError, UnknownNameError


@dataclass(frozen=True)
class PolicyConfig:
    """Lessons from other lists, then from own play.

    A run has `lists` rounds, each with a new list of answers drawn from the game's words and solved
    exactly, then `plays` rounds of own play: of the game itself, and of other drawn lists. What
    is proven of the game itself is never looked at.
    """

    # ---- the game
    game: str = "original"
    """a name of `salet games`; played in normal mode"""
    cap: int = 6
    """most guesses"""

    # ---- the network
    pool: int = 128
    """features of a word that are averaged over a set"""
    word: int = 256
    """hidden units of the encoder of guesses"""
    width: int = 384
    """units of each layer between a set and its query"""
    layers: int = 2
    """residual layers of two steps each"""
    query: int = 128
    """length of a guess's encoding"""
    candidate: int = 32
    """length of the encoding that counts for remaining answers only"""

    # ---- lessons
    lists: int = 60
    """rounds with a new list"""
    list_answers: int = 2315
    """answers of a drawn list"""
    openers: int = 5
    """first guesses that a list is walked through from"""
    list_memory: int = 100
    """lists remembered, the latest"""
    plays: int = 30
    """rounds of own play"""
    play_widths: tuple[int, ...] = (8, 8, 6, 5)
    """guesses proposed in each set of own play, by turn; the last goes for all later turns"""
    play_ahead: tuple[int, ...] = (50, 12)
    """one proposal of a set is the one of so many guesses that looks best one guess ahead, by turn;
    not in later turns"""
    play_lists: int = 3
    """every so many rounds own play is of a drawn list as well (0: never)"""
    play_memory: int = 3
    """plays of the game remembered, the latest, and as many of lists"""
    early_memory: int = 20_000
    """sets of the game's first two turns remembered from all plays, each with its best result"""
    own_share: float = 0.5
    """share of each batch that is from own play, once there is some"""
    early_share: float = 0.125
    """share that is from the first two turns of own play of the game"""

    # ---- learning
    steps: int = 100
    """steps of learning in each round"""
    batch: int = 256
    """lessons in one step"""
    others: int = 600
    """random guesses that the good ones are compared with in one step, besides those of its own"""
    learning_rate: float = 1.5e-3
    """AdamW's rate at the start"""
    final_learning_rate: float = 3e-5
    """and at the end, approached along a cosine"""
    decay: float = 1e-4
    """weight decay"""
    temperature: float = 0.7
    """a guess that takes so much more than the best counts 1 / e (times the root of n / 50 in
    larger sets)"""
    clip: float = 5.0
    """greatest norm of a gradient"""

    # ---- the run
    evaluate_every: int = 5
    """rounds between games of every answer by the network alone, when weights and checkpoint are
    written"""
    seed: int = 0
    """the same seed gives the same run"""

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            if not least <= getattr(self, name) <= most:
                given = getattr(self, name)
                raise InputError(f"{name} = {given}: give a number from {least} to {most}")
        for name in ("own_share", "early_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} = {getattr(self, name)}: give a number from 0 to 1")
        if self.own_share + self.early_share > 1:
            raise InputError("own_share and early_share are more than 1 together")
        if not self.play_widths or min(self.play_widths) < 1:
            raise InputError(f"play_widths = {list(self.play_widths)}: give numbers from 1")
        if min(self.play_ahead, default=1) < 1:
            raise InputError(f"play_ahead = {list(self.play_ahead)}: give numbers from 1")

    @property
    def rounds(self) -> int:
        """Rounds of the whole run."""
        return self.lists + self.plays


_MANY = 10**9
_LIMITS: dict[str, tuple[float, float]] = {
    "cap": (3, 255),  # in two guesses there is nothing to learn
    "pool": (1, 8192),
    "word": (1, 8192),
    "width": (1, 8192),
    "layers": (0, 64),
    "query": (1, 8192),
    "candidate": (1, 8192),
    "lists": (1, _MANY),
    "list_answers": (3, _MANY),
    "openers": (1, _MANY),
    "list_memory": (1, _MANY),
    "plays": (0, _MANY),
    "play_lists": (0, _MANY),
    "play_memory": (1, _MANY),
    "early_memory": (1, _MANY),
    "steps": (1, _MANY),
    "batch": (1, 10**5),
    "others": (0, 10**6),
    "learning_rate": (0.0, 1.0),
    "final_learning_rate": (0.0, 1.0),
    "decay": (0.0, 1.0),
    "temperature": (1e-3, _MANY),
    "clip": (1e-9, _MANY),
    "evaluate_every": (1, _MANY),
    "seed": (0, _MANY),
}
"""least and most; what is more takes more memory than a machine of today has"""
_FIELDS = {field.name: field for field in dataclasses.fields(PolicyConfig)}
_SAID = {int: "a whole number", float: "a number", str: "a text", tuple: "a list of whole numbers"}


def policy_config_from(fields: dict[str, Any]) -> PolicyConfig:
    """A configuration from plain data, every key and type checked."""
    return PolicyConfig(**{name: _typed(name, value) for name, value in fields.items()})


def _typed(name: str, value: Any) -> Any:
    if name not in _FIELDS:
        raise UnknownNameError("key", name, _FIELDS)
    kind = type(_FIELDS[name].default)
    if kind is tuple and isinstance(value, list | tuple) and all(type(w) is int for w in value):
        return tuple(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise InputError(f"{name} = {value!r}: give {_SAID[kind]}")
    return value
