"""Players by name: `entropy`, `expected-size:temperature=0.01`, `mine.py:Player`, plug-ins."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

from salet.errors import InputError, UnknownNameError
from salet.game.state import State
from salet.search.shipped import FOLDER
from salet.strategies.base import Strategy
from salet.strategies.dqn import Dqn, DqnFinish, DqnPly
from salet.strategies.exact import Exact
from salet.strategies.greedy import Greedy, RandomCandidate
from salet.strategies.learned import Learned, LearnedFinish, LearnedPly
from salet.strategies.mcdp import Mcdp
from salet.strategies.mcts import Mcts
from salet.strategies.planned import Planned

GROUP = "salet.strategies"
"""entry-point group in which other packages register players"""

STRATEGIES: Mapping[str, Callable[..., Strategy]] = MappingProxyType(
    {
        "random": RandomCandidate,
        "entropy": partial(Greedy, "entropy"),
        "expected-size": partial(Greedy, "expected-size"),
        "parts": partial(Greedy, "parts"),
        "minimax": partial(Greedy, "minimax"),
        "entropic": partial(Greedy, "entropic"),
        "statistical": partial(Greedy, "statistical"),
        "exact": Exact,
        "mcts": Mcts,
        "mcdp": Mcdp,
        "dqn": Dqn,
        "dqn-finish": DqnFinish,
        "dqn-ply": DqnPly,
        "learned": Learned,
        "learned-finish": LearnedFinish,
        "learned-ply": LearnedPly,
    }
)
"""name -> a factory; of `ties` and `seed` it is given those that it takes"""


def strategy_named(spec: str, *, ties: str = "candidate", seed: int = 0) -> Strategy:
    """The player that a text such as `entropy` or `mine.py:Player` stands for."""
    path, mark, name = spec.rpartition(":")
    if mark and path.endswith(".py"):
        factory = _from_file(Path(path), name)
        options: dict[str, Any] = {}
    else:
        head, _, rest = spec.partition(":")
        if head == "plan":
            return _planned(spec, rest)
        factory = _registered(head)
        options = _options(spec, rest, factory)
    given = {"ties": ties, "seed": seed}
    taken = {name: value for name, value in given.items() if name in _parameters(factory)}
    try:
        player = factory(**taken, **options)
    except TypeError as error:  # abstract, or asking for more than it can be given
        raise InputError(f"strategy {spec!r} cannot be made: {error}") from None
    player.name = spec
    return player


def _planned(spec: str, file: str) -> Strategy:
    if not file:
        raise InputError(f"strategy {spec!r}: name the plan, as in 'plan:FILE'")
    shipped = FOLDER / f"{file}.json"
    player = Planned(shipped if shipped.is_file() and not Path(file).is_file() else file)
    player.name = spec
    return player


def strategy_names() -> list[str]:
    """Built-in players, then those of plug-ins."""
    return [*STRATEGIES, "plan", *sorted(point.name for point in entry_points(group=GROUP))]


def _registered(name: str) -> Callable[..., Strategy]:
    if name in STRATEGIES:
        return STRATEGIES[name]
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                return _factory(point.load(), name)
            except ImportError as error:
                raise InputError(f"plug-in {name!r} does not load: {error}") from None
    hint = "or give your own as FILE.py:NAME"
    raise UnknownNameError("strategy", name, strategy_names(), hint)


def _parameters(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {}


def _options(spec: str, text: str, factory: Callable[..., Any]) -> dict[str, Any]:
    """`key=value,…` checked against the factory's parameters and converted to their types."""
    known = {
        name: parameter.default
        for name, parameter in _parameters(factory).items()
        if name not in ("ties", "seed") and parameter.default is not inspect.Parameter.empty
    }
    options: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        name = name.replace("-", "_")
        if name not in known:
            takes = f"it takes {', '.join(known) or 'none'}"
            raise UnknownNameError(f"option of strategy {spec!r}:", name, known, takes)
        kind = str if known[name] is None else type(known[name])
        try:
            options[name] = kind(value)
        except ValueError:
            raise InputError(f"strategy {spec!r}: {value!r} is no {kind.__name__}") from None
    return options


def _from_file(path: Path, name: str) -> Callable[..., Strategy]:
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}; give a strategy of your own as FILE.py:NAME")
    module_spec = importlib.util.spec_from_file_location(f"salet_strategy_{path.stem}", path)
    if module_spec is None or module_spec.loader is None:
        raise InputError(f"{str(path)!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module  # dataclasses look their module up
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_spec.name]
        raise InputError(f"{str(path)!r} fails with {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if found is None:
        names = [key for key in vars(module) if not key.startswith("_")]
        raise UnknownNameError(f"name in {str(path)!r}:", name, names)
    return _factory(found, name)


def _factory(found: Any, name: str) -> Callable[..., Strategy]:
    """A Strategy class or instance, or a plain function of the state."""
    if isinstance(found, Strategy):
        return lambda: found
    if isinstance(found, type):
        if issubclass(found, Strategy):
            return found
        if not callable(getattr(found, "choose", None)):
            raise InputError(f"class {name!r} has no method choose(state) that returns a guess")
        duck: Any = found
        return lambda: _Wrapped(duck().choose)
    if callable(found):
        return lambda: _Wrapped(found)
    raise InputError(f"{name!r} is neither a Strategy nor a function of the state")


class _Wrapped(Strategy):
    def __init__(self, choose: Callable[[State], str | int]) -> None:
        self._choose = choose

    def choose(self, state: State) -> str | int:
        return self._choose(state)
