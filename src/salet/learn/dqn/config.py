"""The configuration of a DQN training run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from salet.errors import InputError, UnknownNameError
from salet.learn.common.config import UNLIMITED, check_ranges, checked_fields

LAYERS = ("encoder", "hidden", "output")


@dataclass(frozen=True)
class DqnConfig:
    """Deep Q-learning: the game, the network, the experience and the schedule.

    One round plays `games` games in lockstep and then takes `updates` gradient steps.
    """

    # ---- the game
    game: str = "original"
    """a name from `salet games`"""
    mode: str = "normal"
    """normal, hard or strict"""
    cap: int = 6
    """maximum number of guesses"""
    reward: str = "guesses"
    """a scheme from `salet.env.rewards`"""
    words: int = 0
    """number of words to play with, drawn at random (0: all); a curriculum increases it"""
    source: str = "answers"
    """train on the game's `answers`, or on the `others`: guesses that are never answers"""
    holdout: int = 0
    """number of answers withheld from training, to test on"""
    hidden: bool = False
    """whether the test words are unknown in training even as guesses"""
    validation: int = 0
    """number of words withheld from training to choose the checkpoint (0: the training words do)"""
    augment: str = "none"
    """how words are made up to train on: none, permute (reorder the letters of a word), replace
    (change one letter), splice (join the front of one word to the back of another)"""
    augmented: int = 0
    """number of made-up words"""

    # ---- the network
    observation: str = "counts-313+candidates"
    """input of the network: names from `salet.env.observations`, joined by +"""
    encoder: str = "features"
    """`features`, or `sequence`: a recurrent network over the observation `history`"""
    head: str = "letters"
    """letters, pairs, words, embedding or convex"""
    width: int = 256
    """units in each layer"""
    layers: int = 1
    """number of hidden layers, each with a residual connection"""
    norm: bool = False
    """whether the inputs of hidden layers are normalised"""
    start: str = ""
    """weights file to start from"""
    freeze: tuple[str, ...] = ()
    """layers that do not learn: encoder, hidden, output"""

    # ---- learning
    learning_rate: float = 5e-4
    """Adam's learning rate at the start"""
    final_learning_rate: float = 5e-4
    """learning rate at the end, reached along a cosine"""
    batch: int = 64
    """transitions in a gradient step"""
    updates: int = 4
    """gradient steps in a round"""
    gamma: float = 1.0
    """discount for each guess"""
    steps: int = 1
    """n of n-step returns: rewards summed before bootstrapping"""
    double: bool = True
    """double Q-learning: the online network chooses the guess that the target network values"""
    tau: float = 1e-3
    """step of the target network towards the online network after each gradient step"""
    clip: float = 10.0
    """maximum norm of a gradient"""

    # ---- experience
    games: int = 8
    """games played in lockstep"""
    rounds: int = 10_000
    """rounds of the run"""
    warmup: int = 100
    """games before learning starts"""
    epsilon: float = 1.0
    """probability of a random guess at the start"""
    final_epsilon: float = 0.01
    """probability from `epsilon_rounds` on, reached by exponential decay"""
    epsilon_rounds: int = 1_000
    """rounds until epsilon is final"""
    exploration: str = "mixed"
    """what a random guess is: the best one under random `outputs` (as in the original DQN), any of
    the `words`, one of the `candidates` that can still be the answer, or `mixed`: a candidate or
    the best under random outputs, with equal probability"""
    buffer: int = 25_000
    """capacity of the replay buffer, in games"""
    alpha: float = 0.4
    """exponent of the priorities: 0 samples uniformly, 1 in proportion to the errors"""
    beta: float = 1.0
    """exponent of the importance weights that correct for the priorities"""
    hard_answers: float = 0.0
    """answers are drawn in proportion to (losses + 1e-5) to this power; 0 draws uniformly"""

    # ---- the run
    evaluate_every: int = 500
    """rounds between evaluations by greedy play of all validation words; the best weights are
    saved"""
    seed: int = 0
    """random seed; the same seed gives the same run"""
    stages: tuple[dict[str, Any], ...] = ()
    """a run in stages: for each a table of the fields that differ. A stage starts with the best
    network of the one before, an empty replay buffer and a new optimizer"""

    def __post_init__(self) -> None:
        check_ranges(self, _RANGES)
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownNameError(name, getattr(self, name), known)
        for layer in self.freeze:
            if layer not in LAYERS:
                raise UnknownNameError("layer to freeze", str(layer), LAYERS)
        if set(self.freeze) == set(LAYERS):
            raise InputError("freeze names every layer; leave at least one to learn")
        if self.buffer < self.games:
            raise InputError(
                f"buffer = {self.buffer} is smaller than games = {self.games}; "
                "it must hold at least one round"
            )
        if (self.augment == "none") != (self.augmented == 0):
            raise InputError(
                f"augment = {self.augment!r} with augmented = {self.augmented}: give both a method "
                "and a number, or neither"
            )
        if self.encoder == "sequence" and self.observation != "history":
            raise InputError("encoder = 'sequence' needs observation = 'history'")

    @property
    def stage_configs(self) -> tuple[DqnConfig, ...]:
        """The configuration of each stage; a run without stages is one stage."""
        if not self.stages:
            return (self,)
        return tuple(dataclasses.replace(self, **stage, stages=()) for stage in self.stages)


_CHOICES = {
    "exploration": ("outputs", "words", "candidates", "mixed"),
    "encoder": ("features", "sequence"),
    "source": ("answers", "others"),
    "augment": ("none", "permute", "replace", "splice"),
}
_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("words", "holdout", "validation", "warmup", "seed"), (0, UNLIMITED)),
    **dict.fromkeys(("rounds", "epsilon_rounds", "evaluate_every"), (1, UNLIMITED)),
    **dict.fromkeys(("learning_rate", "final_learning_rate"), (0.0, 1.0)),
    **dict.fromkeys(("epsilon", "final_epsilon", "gamma", "tau", "alpha", "beta"), (0, 1)),
    **dict.fromkeys(("cap", "steps"), (1, 255)),
    **dict.fromkeys(("batch", "games"), (1, 10**5)),
    "augmented": (0, 10**6),
    "width": (1, 8192),
    "layers": (0, 64),
    "updates": (1, 10**6),
    "buffer": (1, 10**7),
    "clip": (0.0, UNLIMITED),
    "hard_answers": (0.0, 10.0),
}
"""Smallest and largest value of each number; larger ones would run out of memory."""
_SAME_IN_ALL_STAGES = (
    *("game", "cap", "mode", "observation", "encoder", "head", "width", "layers", "norm"),
    *("source", "holdout", "hidden", "validation"),  # or one would train on what another tests
    *("start", "stages", "seed"),
)


def dqn_config_from(fields: dict[str, Any]) -> DqnConfig:
    """A configuration from plain data, with every key, type and stage checked."""
    checked = checked_fields(DqnConfig, fields)
    stages = []
    for stage in checked.pop("stages", ()):
        if not isinstance(stage, dict):
            raise InputError(f"stages: {stage!r} is not a table; write [[stages]] for each")
        for name in stage:
            if name in _SAME_IN_ALL_STAGES:
                raise InputError(f"{name!r} is the same in all stages; give it at the top")
        stages.append(checked_fields(DqnConfig, stage))
    config = DqnConfig(**checked, stages=tuple(stages))
    _ = config.stage_configs  # refuses a stage that is not valid
    return config
