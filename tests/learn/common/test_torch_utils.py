"""Torch helpers."""

from __future__ import annotations

import torch
from torch import nn

from salet.learn.common.torch_utils import (
    fast_training,
    load_training,
    prefixed,
    seeded,
    training_arrays,
    unprefixed,
)


def step(module, optimizer):
    optimizer.zero_grad()
    module(torch.ones(1, 3)).sum().backward()
    optimizer.step()


def test_seeded_modules_are_equal_and_leave_the_random_state_alone():
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    one, two = (seeded(lambda: nn.Linear(3, 2), 7) for _ in range(2))
    assert torch.equal(one.weight, two.weight)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_threads_and_tiny_numbers_are_as_before_after_a_training():
    tiny, before = torch.tensor([1e-39]), torch.get_num_threads()
    with fast_training():
        assert torch.get_num_threads() == 1
        assert (tiny * 1).item() == 0
    assert torch.get_num_threads() == before
    assert (tiny * 1).item() > 0


def test_a_restored_module_and_optimizer_take_the_same_steps():
    modules = [seeded(lambda: nn.Linear(3, 2), seed) for seed in (1, 2)]
    optimizers = [torch.optim.Adam(module.parameters()) for module in modules]
    step(modules[0], optimizers[0])
    arrays = training_arrays({"linear": modules[0]}, optimizers[0])
    load_training({"linear": modules[1]}, optimizers[1], arrays)
    for module, optimizer in zip(modules, optimizers, strict=True):
        step(module, optimizer)
    assert torch.equal(modules[0].weight, modules[1].weight)


def test_prefixes():
    arrays = prefixed("own", {"a": 1}) | prefixed("own-lists", {"a": 2})
    assert arrays == {"own.a": 1, "own-lists.a": 2}
    assert unprefixed("own", arrays) == {"a": 1}
