"""A kernel in hand-written vector instructions: count repeated patterns for LANES guesses.

Numba's loops store the vectors of such a count to memory after every step; here they stay in
registers, which is three times as fast. Everything else is an ordinary `@kernel` (jit.py). With
NUMBA_DISABLE_JIT=1 a plain Python version replaces it, as with other kernels.
"""

from __future__ import annotations

import os
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES_VARIABLE = "SALET_VECTOR_LANES"
"""Environment variable: the width of vectors where code is compiled for another machine."""
LANES = int(os.environ.get(LANES_VARIABLE, "0")) or (
    64 if llvmlite.binding.get_host_cpu_features().get("avx512bw") else 32
)
"""Guesses per vector of patterns: 64 fill one register of AVX-512, 32 one of AVX2."""
BLOCK = 4
"""Answers compared with each earlier one at the same time, so that its patterns are read once."""


def _repeats_plain(
    rows: Any, base: int, members: Any, n: int, _scratch: Any, out: Any, limit: int
) -> None:
    """out[g] = 1 + the number of the n members whose pattern for guess g an earlier member has,
    for the LANES guesses that start at `base`.

    Counts only grow, so counting stops once all of them have reached `limit`: a count is exact
    below `limit`, otherwise it is a lower bound of at least `limit`.
    """
    block = rows[members[:n], base : base + LANES]
    repeats = np.ones(LANES, np.int64)
    for i in range(n):
        repeats += (block[:i] == block[i]).any(axis=0)
        if i % BLOCK == BLOCK - 1 and repeats.min() >= limit:
            break
    out[base : base + LANES] = repeats


@intrinsic
def _repeats_vector(
    _context: Any,
    rows: Any,
    _base: Any,
    members: Any,
    _n: Any,
    scratch: Any,
    out: Any,
    _limit: Any,
) -> Any:
    """`_repeats_plain`, compiled. `scratch` has room for n rows of LANES patterns."""
    integer = types.int64
    signature = types.void(rows, integer, members, integer, scratch, out, integer)
    return signature, _generate


def _generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit the LLVM code of `_repeats_vector`."""
    rows, base, members, n, scratch, out, limit = args
    rows, members, scratch, out = (
        context.make_array(signature.args[at])(context, builder, args[at]) for at in (0, 2, 4, 5)
    )
    code = _Code(builder, signature.args[0].dtype.bitwidth)
    # 1. Copy the patterns next to each other, since rows of the table are far apart.
    first = code.address(rows.data, base, code.bits // 8)
    stride = builder.extract_value(rows.strides, 0)
    block = builder.ptrtoint(scratch.data, code.word)
    with cgutils.for_range(builder, n) as loop:
        member = builder.load(builder.gep(members.data, [loop.index]))
        if signature.args[2].dtype.bitwidth < 64:
            member = builder.sext(member, code.word)
        patterns = code.load(builder.add(first, builder.mul(member, stride)))
        code.store(patterns, code.address_of_row(block, loop.index))
    # 2. Compare BLOCK members at a time with all members before them. New patterns are counted,
    # since their number always fits the width of a pattern; all other members are repeats.
    counts = cgutils.alloca_once_value(builder, code.constant(0))
    seen = [cgutils.alloca_once_value(builder, code.constant(0)) for _ in range(BLOCK)]
    at = cgutils.alloca_once_value(builder, code.word(0))
    more, whole, rest, done = (builder.append_basic_block() for _ in range(4))
    builder.branch(more)
    builder.position_at_end(more)
    i = builder.load(at)
    end = builder.add(i, code.word(BLOCK))
    builder.cbranch(builder.icmp_signed("<=", end, n), whole, rest)
    builder.position_at_end(whole)
    code.count(block, i, BLOCK, seen, counts)
    builder.store(end, at)
    # A lane is below the limit while 1 + end - count < limit, that is count > 1 + end - limit.
    bar = builder.sub(builder.add(end, code.word(1)), limit)
    bars = code.spread(builder.trunc(bar, code.lane))
    below_limit = builder.bitcast(
        builder.icmp_unsigned(">", builder.load(counts), bars), ir.IntType(LANES)
    )
    proceed = builder.or_(
        builder.icmp_signed("<", bar, code.word(0)),
        builder.icmp_unsigned("!=", below_limit, ir.IntType(LANES)(0)),
    )
    builder.cbranch(proceed, more, done)
    # 3. Compare the remaining members, fewer than BLOCK.
    builder.position_at_end(rest)
    choice = builder.switch(builder.sub(n, builder.load(at)), done)
    for size in range(1, BLOCK):
        case = builder.append_basic_block()
        choice.add_case(code.word(size), case)
        builder.position_at_end(case)
        start = builder.load(at)
        code.count(block, start, size, seen, counts)
        builder.store(builder.add(start, code.word(size)), at)
        builder.branch(done)
    # 4. Store the repeats in the type of `out`.
    builder.position_at_end(done)
    wide = _Code(builder, signature.args[5].dtype.bitwidth)
    compared = wide.spread(
        code.resized_word(builder.add(builder.load(at), code.word(1)), wide.lane)
    )
    repeats = builder.sub(compared, code.resized(builder.load(counts), wide.vector))
    wide.store(repeats, wide.address(out.data, base, wide.bits // 8))
    return context.get_dummy_value()


class _Code:
    """Emits vector instructions for patterns of a given width."""

    def __init__(self, builder: Any, bits: int) -> None:
        self.builder, self.bits = builder, bits
        self.word, self.lane = ir.IntType(64), ir.IntType(bits)
        self.vector = ir.VectorType(self.lane, LANES)

    def constant(self, value: int) -> Any:
        return ir.Constant(self.vector, [value] * LANES)

    def spread(self, value: Any) -> Any:
        """The same number in every lane."""
        one = self.builder.insert_element(
            ir.Constant(self.vector, ir.Undefined), value, ir.IntType(32)(0)
        )
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(one, one, zeros)

    def address(self, data: Any, index: Any, size: int) -> Any:
        start = self.builder.ptrtoint(data, self.word)
        return self.builder.add(start, self.builder.mul(index, self.word(size)))

    def address_of_row(self, block: Any, i: Any) -> Any:
        return self.builder.add(block, self.builder.mul(i, self.word(LANES * self.bits // 8)))

    def load(self, address: Any) -> Any:
        return self.builder.load(self.builder.inttoptr(address, self.vector.as_pointer()), align=1)

    def store(self, value: Any, address: Any) -> None:
        self.builder.store(value, self.builder.inttoptr(address, self.vector.as_pointer()), align=1)

    def resized(self, value: Any, vector: Any) -> Any:
        """Counts as a vector type with lanes of another width."""
        width = vector.element.width
        if width > self.bits:
            return self.builder.zext(value, vector)
        return self.builder.trunc(value, vector) if width < self.bits else value

    def resized_word(self, value: Any, lane: Any) -> Any:
        """A 64-bit number as a lane type."""
        return self.builder.trunc(value, lane) if lane.width < 64 else value

    def equal(self, a: Any, b: Any) -> Any:
        """-1 (all ones) in the lanes that are equal, 0 in the others."""
        return self.builder.sext(self.builder.icmp_unsigned("==", a, b), self.vector)

    def count(self, block: Any, i: Any, size: int, seen: list[Any], counts: Any) -> None:
        """Add the number of new patterns among members i, …, i + size - 1 to the counts."""
        builder = self.builder
        new = [
            self.load(self.address_of_row(block, builder.add(i, self.word(t)))) for t in range(size)
        ]
        for t in range(size):
            found = self.constant(0)
            for u in range(t):
                found = builder.or_(found, self.equal(new[t], new[u]))
            builder.store(found, seen[t])
        with cgutils.for_range(builder, i) as loop:
            old = self.load(self.address_of_row(block, loop.index))
            for t in range(size):
                found = builder.or_(builder.load(seen[t]), self.equal(new[t], old))
                builder.store(found, seen[t])
        total = builder.add(builder.load(counts), self.constant(size))
        for t in range(size):
            total = builder.add(total, builder.load(seen[t]))
        builder.store(total, counts)


_settings: Any = numba.config
count_block: Any = _repeats_plain if _settings.DISABLE_JIT else _repeats_vector
