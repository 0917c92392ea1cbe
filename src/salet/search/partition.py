"""How guesses split a set of answers: the numbers that heuristics are made of.

A guess splits the answers still possible into groups, one for each pattern. `splits` counts the
groups of many guesses in one pass.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from salet.array_types import Bools, Floats, Indices, Ints, Patterns
from salet.game.state import State
from salet.numeric.jit import kernel


@dataclass(frozen=True, eq=False)
class Splits:
    """For every guess of a list, how it splits the same n answers into groups of sizes n_c."""

    answers: int
    """n"""
    guesses: Indices
    """the guesses, as places in the order of guesses"""
    is_candidate: Bools
    """can the guess itself be the answer?"""
    parts: Ints
    """the number of groups"""
    largest: Ints
    """max n_c"""
    squares: Ints
    """sum n_c**2"""
    n_log_n: Floats
    """sum n_c log2 n_c; the entropy in bits is log2 n - n_log_n / n"""

    @property
    def entropy(self) -> Floats:
        """Bits of information that the feedback gives; 0 where it can tell nothing."""
        bits = math.log2(self.answers) - self.n_log_n / self.answers
        return np.where(self.parts == 1, 0.0, bits)


def splits(state: State, guesses: Indices | None = None) -> Splits:
    """How each guess (all legal ones unless given) splits the state's answers."""
    listed = state.legal if guesses is None else guesses
    table = state.game.compiled
    candidates = state.candidates
    parts, largest, squares = out = np.empty((3, len(listed)), np.int64)
    n_log_n = np.empty(len(listed))
    n_log = _n_log(len(candidates))
    ids = table.laid_out_for(len(candidates))
    _count(ids, table.patterns, candidates, listed, n_log, out, n_log_n)
    is_candidate = np.zeros(len(state.game.lexicon), bool)
    is_candidate[candidates] = True
    return Splits(len(candidates), listed, is_candidate[listed], parts, largest, squares, n_log_n)


@functools.lru_cache(maxsize=64)
def _n_log(most: int) -> Floats:
    """n_log[n] = n log2 n, from n = 0 (0 by convention) to the most."""
    return np.array([0.0, *(n * math.log2(n) for n in range(1, most + 1))])


@kernel
def _count(
    table: Patterns,
    patterns: int,
    candidates: Indices,
    guesses: Indices,
    n_log: Floats,
    out: Ints,
    n_log_n: Floats,
) -> None:
    sizes = np.zeros(patterns, np.int32)
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        for a in candidates:
            sizes[row[a]] += 1
        parts, largest, squares = 0, 0, 0
        total = 0.0
        for a in candidates:
            size = sizes[row[a]]
            if size > 0:
                sizes[row[a]] = 0
                parts += 1
                largest = max(largest, size)
                squares += size * size
                total += n_log[size]
        out[0, k], out[1, k], out[2, k] = parts, largest, squares
        n_log_n[k] = total
