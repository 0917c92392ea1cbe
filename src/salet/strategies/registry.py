"""Players by name: `entropy`, `expected-size:temperature=0.01`, `mine.py:Player`, plug-ins.

A player's module is imported when the player is asked for, so that listing names costs nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from salet.errors import InputError, UnknownNameError
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.game.state import State

GROUP = "salet.strategies"
"""Entry-point group in which other packages register players."""


@dataclass(frozen=True)
class BuiltIn:
    """Where to find the factory of a built-in player."""

    module: str
    """module of `salet.strategies`"""
    factory: str
    """name of the factory, which is given those of `ties` and `seed` that it accepts"""
    arguments: tuple[str, ...] = ()
    """first arguments of the factory"""

    def load(self) -> Callable[..., Strategy]:
        """Import the module and return the factory."""
        module = importlib.import_module(f"salet.strategies.{self.module}")
        return partial(getattr(module, self.factory), *self.arguments)


STRATEGIES: Mapping[str, BuiltIn] = MappingProxyType(
    {
        "random": BuiltIn("greedy", "RandomCandidate"),
        "entropy": BuiltIn("greedy", "Greedy", ("entropy",)),
        "expected-size": BuiltIn("greedy", "Greedy", ("expected-size",)),
        "parts": BuiltIn("greedy", "Greedy", ("parts",)),
        "minimax": BuiltIn("greedy", "Greedy", ("minimax",)),
        "entropic": BuiltIn("greedy", "Greedy", ("entropic",)),
        "statistical": BuiltIn("greedy", "Greedy", ("statistical",)),
        "exact": BuiltIn("exact", "Exact"),
        "boards": BuiltIn("boards", "BoardsPlayer"),
        "forcing": BuiltIn("forcing", "ForcingPlayer"),
        "mcts": BuiltIn("mcts", "Mcts"),
        "mcdp": BuiltIn("mcdp", "Mcdp"),
        "dqn": BuiltIn("dqn", "Dqn"),
        "dqn-finish": BuiltIn("dqn", "DqnFinish"),
        "dqn-ply": BuiltIn("dqn", "DqnPly"),
        "learned": BuiltIn("learned", "Learned"),
        "learned-finish": BuiltIn("learned", "LearnedFinish"),
        "learned-ply": BuiltIn("learned", "LearnedPly"),
    }
)
"""Built-in players by name."""


def strategy_named(spec: str, *, ties: str = "candidate", seed: int = 0) -> Strategy:
    """The player that a text such as `entropy` or `mine.py:Player` denotes."""
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
        raise InputError(f"strategy {spec!r} cannot be created: {error}") from None
    player.name = spec
    return player


def _planned(spec: str, file: str) -> Strategy:
    from salet.search.shipped import shipped_plan_path
    from salet.strategies.planned import Planned

    if not file:
        raise InputError(f"strategy {spec!r}: name the plan, as in 'plan:FILE'")
    shipped = None if Path(file).is_file() else shipped_plan_path(file)
    player = Planned(shipped or file)
    player.name = spec
    return player


def strategy_names() -> list[str]:
    """The names of the built-in players, then of those of plug-ins."""
    return [*STRATEGIES, "plan", *sorted(point.name for point in entry_points(group=GROUP))]


def _registered(name: str) -> Callable[..., Strategy]:
    if name in STRATEGIES:
        return STRATEGIES[name].load()
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                return _factory(point.load(), name)
            except ImportError as error:
                raise InputError(f"plug-in {name!r} cannot be loaded: {error}") from None
    names = strategy_names()
    hint = f"known: {', '.join(names)}, or your own as FILE.py:NAME"
    raise UnknownNameError("strategy", name, names, hint)


def _parameters(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {}


def _options(spec: str, text: str, factory: Callable[..., Any]) -> dict[str, Any]:
    """Parse `key=value,…` and convert the values to the types of the factory's parameters."""
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
            hint = f"known: {', '.join(known) or 'none'}"
            raise UnknownNameError(f"option of strategy {spec!r}:", name, known, hint)
        type_ = str if known[name] is None else type(known[name])
        try:
            options[name] = type_(value)
        except ValueError:
            expected = "a whole number" if type_ is int else "a number"
            raise InputError(f"strategy {spec!r}: {name}={value!r} is not {expected}") from None
    return options


def _from_file(path: Path, name: str) -> Callable[..., Strategy]:
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}; give your own strategy as FILE.py:NAME")
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
    """The factory of a user's strategy class or instance, or of a function of the state."""
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
    """A player made of a function."""

    def __init__(self, choose: Callable[[State], str | int]) -> None:
        self._choose = choose

    def choose(self, state: State) -> str | int:
        return self._choose(state)
