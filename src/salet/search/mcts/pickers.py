"""Pickers: rules that select the next action of a node.

A picker scores the actions, and the search selects those with the highest scores. To add one, write
a function from its parameters to a scoring function, and a line in PICKERS; the parameters can then
be given by name, as in `laplace:delta=0.1`. Every picker also accepts

- `add=newest|least`: add the next action to a node when its newest one is picked (as in the
  published code), or its least visited one (as in the article);
- `first=N`: consider only the N most promising actions (the article's first stage; a search that
  leaves out actions proves nothing).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from salet.array_types import Floats, Ints
from salet.errors import InputError, UnknownNameError


class View(NamedTuple):
    """The input of a picker; arrays have an element for each action that can be picked."""

    value: Floats
    """q3 (see predictors.py)"""
    variance: Floats
    """expected squared error of q3"""
    visits: Ints
    prior: Floats
    """q1"""
    total: int
    """visits of the node"""


Score = Callable[[View, np.random.Generator], Floats]

HOEFFDING = 6 * math.sqrt(-math.log(0.999) / 2)
"""Width of Hoeffding's bound for values in a range of 6 guesses and a p-value of 0.999."""


def thompson() -> Score:
    """Thompson sampling: each action is picked with the probability that it is the best."""

    def score(view: View, rng: np.random.Generator) -> Floats:
        return view.value + np.sqrt(view.variance) * rng.standard_normal(len(view.value))

    return score


def laplace(delta: float = 0.1) -> Score:
    """A bonus that falls as 1 / visits."""
    return lambda view, _: view.value + delta / (view.visits + 1)


def hoeffding(width: float = HOEFFDING) -> Score:
    """An upper confidence bound, whose bonus falls as 1 / sqrt(visits)."""
    return lambda view, _: view.value + width / np.sqrt(view.visits + 1)


def puct(c: float = 1.0) -> Score:
    """AlphaGo's PUCT: a bonus proportional to a prior policy, here the softmax of q1."""

    def score(view: View, _: np.random.Generator) -> Floats:
        policy = np.exp(view.prior - view.prior.max())
        policy /= policy.sum()
        scores: Floats = view.value + c * policy * math.sqrt(view.total) / (1 + view.visits)
        return scores

    return score


def epsilon_greedy(c: float = 10.0) -> Score:
    """The best action, or with probability min(1, c / visits of the node) a random one."""

    def score(view: View, rng: np.random.Generator) -> Floats:
        if rng.random() < min(1.0, c / max(view.total, 1)):
            return rng.random(len(view.value))
        return view.value

    return score


PICKERS: Mapping[str, Callable[..., Score]] = MappingProxyType(
    {
        "thompson": thompson,
        "laplace": laplace,
        "hoeffding": hoeffding,
        "puct": puct,
        "epsilon-greedy": epsilon_greedy,
        "top-n": laplace,
        "mean": epsilon_greedy,
    }
)
"""By name: a function from parameters to a scoring function."""


@dataclass(frozen=True)
class Picker:
    """A scoring function, and how nodes get their actions and estimates."""

    name: str
    score: Score
    add: str | None = None
    """newest or least; None: the default of the search"""
    first: int | None = None
    """number of actions to consider; None: all, added one by one"""
    is_mean: bool = False
    """whether q2 is the plain mean over visits, without debiasing: the article's first stage"""


def picker_named(spec: str) -> Picker:
    """The picker for a text such as `thompson` or `laplace:delta=0.1,add=least`."""
    name, _, rest = spec.partition(":")
    if name not in PICKERS:
        raise UnknownNameError("picker", name, PICKERS)
    make = PICKERS[name]
    known: dict[str, Any] = {
        key: parameter.default for key, parameter in inspect.signature(make).parameters.items()
    }
    shared: dict[str, Any] = {"add": "", "first": 0}
    given: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, _, text = item.partition("=")
        options = {**known, **shared}
        if key not in options:
            raise UnknownNameError(f"parameter of picker {name!r}:", key, options)
        given[key] = _number(spec, key, text, type(options[key]))
    add = given.pop("add", None)
    if add not in (None, "newest", "least"):
        raise InputError(f"picker {spec!r}: add is newest or least, not {add!r}")
    first = given.pop("first", 100 if name == "top-n" else None)
    return Picker(spec, make(**given), add, first, name == "mean")


def _number(spec: str, key: str, text: str, kind: type) -> Any:
    if kind is str:
        return text
    try:
        value = kind(text)
    except ValueError:
        raise InputError(f"picker {spec!r}: {key}={text!r} is not a number") from None
    if not 0 < value < math.inf:
        raise InputError(f"picker {spec!r}: {key}={text} must be more than 0")
    return value
