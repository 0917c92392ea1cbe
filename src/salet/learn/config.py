"""What a training run is told: one TOML file, checked before anything starts."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from salet.errors import InputError, UnknownNameError
from salet.learn.policy.config import PolicyConfig, policy_config_from

EXPLORATIONS = ("outputs", "words", "candidates", "mixed")
ENCODERS = ("features", "sequence")
SOURCES = ("answers", "others")
AUGMENTATIONS = ("none", "permute", "replace", "splice")
LAYERS = ("encoder", "hidden", "output")


@dataclass(frozen=True)
class DqnConfig:
    """Deep Q-learning: the game, the network, the experience and the schedule.

    One round plays `games` games in lock-step and then makes `updates` steps of learning.
    """

    # ---- the game
    game: str = "original"
    """a name of `salet games`"""
    mode: str = "normal"
    """normal, hard or strict"""
    cap: int = 6
    """most guesses"""
    reward: str = "guesses"
    """a scheme of `salet.env.rewards`"""
    words: int = 0
    """play with so many of the words only, drawn at random (0: all): curricula grow it"""
    source: str = "answers"
    """train on the game's `answers`, or on the `others`, the guesses that are never answers"""
    holdout: int = 0
    """so many answers are kept from training, to test on"""
    hidden: bool = False
    """are the test words unknown in training even as guesses?"""
    validation: int = 0
    """so many training words choose the checkpoint instead of being trained on (0: all do both)"""
    augment: str = "none"
    """words made up to train on: none, permute (a word's letters reordered), replace (a letter
    replaced), splice (the front of one word and the back of another)"""
    augmented: int = 0
    """how many words are made up"""

    # ---- the network
    observation: str = "counts-313+candidates"
    """what the network sees: kinds of `salet.env.observations`, joined by +"""
    encoder: str = "features"
    """`features`, or `sequence`: a recurrent network over the observation `history`"""
    head: str = "letters"
    """letters, pairs, words or embedding"""
    width: int = 256
    """units in each layer"""
    layers: int = 1
    """hidden layers, each added to what it was given"""
    norm: bool = False
    """are the inputs of hidden layers normalised?"""
    start: str = ""
    """weights to begin with: a file"""
    freeze: tuple[str, ...] = ()
    """layers that do not learn: encoder, hidden, output"""

    # ---- learning
    learning_rate: float = 5e-4
    """Adam's rate at the start"""
    final_learning_rate: float = 5e-4
    """and at the end, approached along a cosine"""
    batch: int = 64
    """transitions in one step of learning"""
    updates: int = 4
    """steps of learning in a round"""
    gamma: float = 1.0
    """what a reward one guess later is worth"""
    steps: int = 1
    """rewards counted before the network's own value is trusted (n-step returns)"""
    double: bool = True
    """does the learning network choose the guess whose value the target network tells?"""
    tau: float = 1e-3
    """how far the target network moves to the learning one with each step"""
    clip: float = 10.0
    """greatest norm of a gradient"""

    # ---- experience
    games: int = 8
    """games in lock-step"""
    rounds: int = 10_000
    """rounds of the run"""
    warmup: int = 100
    """games before learning begins"""
    epsilon: float = 1.0
    """chance of a random guess at the start"""
    final_epsilon: float = 0.01
    """and from `epsilon_rounds` on, approached by a constant factor"""
    epsilon_rounds: int = 1_000
    """rounds until epsilon is final"""
    exploration: str = "mixed"
    """a random guess is the best under random `outputs` (as the founding agent's was), any of the
    `words`, one of the `candidates` that can still be the answer, or `mixed`: by a coin one of the
    candidates or the best under random outputs"""
    buffer: int = 25_000
    """games remembered"""
    alpha: float = 0.4
    """priorities are errors to this power; 0 draws evenly"""
    beta: float = 1.0
    """how far importance weights make up for priorities"""
    hard_answers: float = 0.0
    """answers are drawn in proportion to (losses + 1e-5) to this power; 0 draws evenly"""

    # ---- the run
    evaluate_every: int = 500
    """rounds between greedy games of every answer; the best network is kept"""
    seed: int = 0
    """the same seed gives the same run"""
    stages: tuple[dict[str, Any], ...] = ()
    """a run in stages: each a table of fields that differ, beginning with the network of the one
    before, with an empty memory and a new optimiser"""

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            if not least <= getattr(self, name) <= most:
                given = getattr(self, name)
                raise InputError(f"{name} = {given}: give a number from {least} to {most}")
        for name in ("epsilon", "final_epsilon", "gamma", "tau", "alpha", "beta"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} = {getattr(self, name)}: give a number from 0 to 1")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownNameError(name, getattr(self, name), known)
        for layer in self.freeze:
            if layer not in LAYERS:
                raise UnknownNameError("layer to freeze", str(layer), LAYERS)
        if set(self.freeze) == set(LAYERS):
            raise InputError("freeze names every layer; leave one to learn")
        if self.buffer < self.games:
            raise InputError(
                f"buffer = {self.buffer} is smaller than games = {self.games}; "
                "it must hold at least one round"
            )
        if (self.augment == "none") != (self.augmented == 0):
            raise InputError(
                f"augment = {self.augment!r} with augmented = {self.augmented}: give both a kind "
                "and a number, or neither"
            )
        if self.encoder == "sequence" and self.observation != "history":
            raise InputError("encoder = 'sequence' reads observation = 'history'")

    def stage(self, number: int) -> DqnConfig:
        """The configuration of one stage."""
        if not self.stages:
            return self
        return dataclasses.replace(self, **self.stages[number], stages=())

    @property
    def stage_count(self) -> int:
        return max(1, len(self.stages))


_CHOICES = {
    "exploration": EXPLORATIONS,
    "encoder": ENCODERS,
    "source": SOURCES,
    "augment": AUGMENTATIONS,
}
_MANY = 10**9
_LIMITS: dict[str, tuple[float, float]] = {
    "cap": (1, 255),
    "words": (0, _MANY),
    "holdout": (0, _MANY),
    "validation": (0, _MANY),
    "augmented": (0, 10**6),
    "width": (1, 8192),
    "layers": (0, 64),
    "batch": (1, 10**5),
    "updates": (1, 10**6),
    "steps": (1, 255),
    "games": (1, 10**5),
    "rounds": (1, _MANY),
    "warmup": (0, _MANY),
    "epsilon_rounds": (1, _MANY),
    "evaluate_every": (1, _MANY),
    "seed": (0, _MANY),
    "buffer": (1, 10**7),
    "learning_rate": (0.0, 1.0),
    "final_learning_rate": (0.0, 1.0),
    "clip": (0.0, _MANY),
    "hard_answers": (0.0, 10.0),
}
"""least and most; what is more takes more memory than a machine of today has"""
_FIELDS = {field.name: field for field in dataclasses.fields(DqnConfig)}
_IN_EVERY_STAGE = (
    *("game", "cap", "mode", "observation", "encoder", "head", "width", "layers", "norm"),
    *("source", "holdout", "hidden", "validation"),  # or one would train on what another tests
    *("start", "stages", "seed"),
)


def config_from(fields: dict[str, Any]) -> DqnConfig:
    """A configuration from plain data, every key and type checked."""
    checked = {name: _typed(name, value) for name, value in fields.items()}
    stages = []
    for stage in checked.pop("stages", ()):
        if not isinstance(stage, dict):
            raise InputError(f"stages: {stage!r} is no table; write [[stages]] for each")
        for name in stage:
            if name in _IN_EVERY_STAGE:
                raise InputError(f"{name!r} is the same in all stages; give it at the top")
        stages.append({name: _typed(name, value) for name, value in stage.items()})
    config = DqnConfig(**checked, stages=tuple(stages))
    for number in range(config.stage_count):
        config.stage(number)  # refuses what cannot be
    return config


def _typed(name: str, value: Any) -> Any:
    if name not in _FIELDS:
        raise UnknownNameError("key", name, _FIELDS)
    kind = type(_FIELDS[name].default)
    if kind is tuple and isinstance(value, list):
        return tuple(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise InputError(f"{name} = {value!r}: give {_SAID[kind]}")
    return value


_SAID = {int: "a whole number", float: "a number", str: "a text", bool: "true or false",
         tuple: "a list"}  # fmt: skip


KINDS: Mapping[str, Callable[[dict[str, Any]], DqnConfig | PolicyConfig]] = MappingProxyType(
    {"dqn": config_from, "policy": policy_config_from}
)
"""kind of agent -> its configuration from plain data"""


def read_config(path: Path) -> DqnConfig | PolicyConfig:
    """The configuration in a TOML file; `kind` says of which agent."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"no file {str(path)!r}; give a configuration in TOML") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from None
    try:
        fields = tomllib.loads(text)
        kind = fields.pop("kind", "dqn")
        if not isinstance(kind, str) or kind not in KINDS:
            raise UnknownNameError("kind of agent", str(kind), KINDS)
        return KINDS[kind](fields)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{str(path)!r} is no TOML: {error}") from None
    except InputError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_dqn_config(path: Path) -> DqnConfig:
    """The same, where only deep Q-learning will do."""
    config = read_config(path)
    if isinstance(config, PolicyConfig):
        raise InputError(f"{str(path)!r} is of kind 'policy'; give one of kind 'dqn'")
    return config
