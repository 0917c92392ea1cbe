"""The memory of a search: records that can be read by name, scratch that starts clean."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import random_puzzle
from salet.search.exact.stack import COUNTERS, FRAME, UNKNOWN, build_stack, scan_memory

pytestmark = pytest.mark.tiny


@pytest.mark.parametrize("fields", [FRAME, COUNTERS], ids=["frame", "counters"])
def test_no_field_is_named_like_an_attribute_of_numpy(fields):
    """`frame.count` must be the field in compiled code and without the compiler."""
    record = np.zeros(1, [("nothing", np.int64)]).view(np.recarray)[0]
    assert not [name for name in fields.names if hasattr(record, name)]
    assert {fields[name] for name in fields.names} == {np.dtype(np.int64)}


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_a_frame_is_a_view_into_the_stack(mode):
    stack = build_stack(random_puzzle(random.Random(1), mode=mode).layout, 3)
    for at, name in enumerate(FRAME.names):
        frame = stack.frames[1]
        setattr(frame, name, at + 1)
    assert stack.frames[1].tolist() == tuple(range(1, len(FRAME.names) + 1))
    stack.counters[0].nodes += 5
    assert stack.counters[0].nodes == 5


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_new_stack_is_ready_for_the_start_of_a_game(mode, wide):
    puzzle = random_puzzle(random.Random(2), mode=mode, wide=wide, answers=6, others=3)
    depth = 4
    stack = build_stack(puzzle.layout, depth)
    assert len(stack.frames) == len(stack.answers) == depth + 2  # the start, and parts of the last
    assert stack.frames[0].legal == len(puzzle.guesses)
    assert stack.legal[0].tolist() == sorted(puzzle.guesses)
    assert len(stack.legal) == (1 if mode == "normal" else depth + 2)
    assert (stack.greens == UNKNOWN).all()
    assert not stack.needs.any()
    assert not stack.tally.any()
    assert not stack.is_candidate.any()
    assert len(stack.tally) >= puzzle.patterns
    assert np.shares_memory(stack.gathered, stack.gathered_packed)
    counts, block = scan_memory(puzzle.layout)
    assert len(counts) % 64 == 0
    assert len(block) >= 64 * 256
