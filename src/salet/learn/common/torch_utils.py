"""Torch helpers: reproducible weights, a single thread, and state as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
from numpy.typing import NDArray
from torch import nn

Arrays = dict[str, NDArray[Any]]
Module = TypeVar("Module", bound=nn.Module)

_ADAM_STATE = ("step", "exp_avg", "exp_avg_sq")


def seeded(make: Callable[[], Module], seed: int = 0) -> Module:
    """The module that `make` builds with this seed; torch's own random state is left alone."""
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        return make()


@contextmanager
def fast_training() -> Iterator[None]:
    """Run torch on one thread, with numbers below 1e-38 as 0.

    For small matrices, more threads cost more than they gain. The tiny numbers occur where a
    parameter has had no gradient for long: its mean gradient in Adam fades, changes no weight any
    more, but makes arithmetic with it many times slower.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)


def module_arrays(module: nn.Module) -> Arrays:
    """The parameters of a module."""
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


def load_module(module: nn.Module, arrays: Arrays) -> None:
    """Restore the parameters saved by `module_arrays`."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})


def training_arrays(modules: Mapping[str, nn.Module], optimizer: torch.optim.Optimizer) -> Arrays:
    """The parameters of modules, under the name of each, and the state of an Adam optimizer."""
    arrays: Arrays = {}
    for name, module in modules.items():
        arrays |= prefixed(name, module_arrays(module))
    for number, state in optimizer.state_dict()["state"].items():
        arrays |= {f"adam.{number}.{name}": state[name].numpy() for name in _ADAM_STATE}
    return arrays


def load_training(
    modules: Mapping[str, nn.Module], optimizer: torch.optim.Optimizer, arrays: Arrays
) -> None:
    """Restore the state saved by `training_arrays`."""
    for name, module in modules.items():
        load_module(module, unprefixed(name, arrays))
    states: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in unprefixed("adam", arrays).items():
        number, _, name = key.partition(".")
        states.setdefault(int(number), {})[name] = torch.from_numpy(array)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})


def prefixed(prefix: str, arrays: Arrays) -> Arrays:
    """The arrays under names that start with `prefix` and a dot."""
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def unprefixed(prefix: str, arrays: Arrays) -> Arrays:
    """The arrays saved by `prefixed`, among others."""
    start = f"{prefix}."
    return {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}
