"""How guesses split the remaining answers: the numbers behind heuristics and bounds.

A guess splits the remaining answers into groups, one for each pattern. `splits` counts the groups
of many guesses in one pass.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from salet.array_types import Bools, Floats, Indices, Ints, Patterns
from salet.game.state import State
from salet.numeric.jit import lean_kernel


@dataclass(frozen=True, eq=False)
class Splits:
    """How each of several guesses splits the n answers of a state into groups of sizes n_c."""

    state: State
    guesses: Indices
    is_candidate: Bools
    """whether the guess itself can be the answer"""
    parts: Ints
    """the number of groups"""
    largest: Ints
    """max n_c"""
    squares: Ints
    """sum of n_c**2"""
    n_log_n: Floats
    """sum of n_c log2 n_c; the entropy in bits is log2 n - n_log_n / n"""

    @property
    def answers(self) -> int:
        """n"""
        return len(self.state.candidates)

    @property
    def entropy(self) -> Floats:
        """Bits of information in the feedback; 0 where there is only one group."""
        bits = math.log2(self.answers) - self.n_log_n / self.answers
        return np.where(self.parts == 1, 0.0, bits)

    @functools.cached_property
    def own_weights(self) -> Ints:
        """The weight of the guess itself if it is a candidate, else 0."""
        weights = self.state.game.weights
        if weights is None:
            return self.is_candidate.astype(np.int64)
        own = np.zeros(len(self.guesses), np.int64)
        own[self.is_candidate] = weights[self.guesses[self.is_candidate]]
        return own

    @functools.cached_property
    def max_weights(self) -> Ints:
        """The sum over the groups of the maximum weight in each."""
        weights, candidates = self.state.game.weights, self.state.candidates
        if weights is None:
            return self.parts
        table = self.state.game.compiled
        by_weight = candidates[np.argsort(-weights[candidates], kind="stable")]
        sums = np.empty(len(self.guesses), np.int64)
        ids = table.laid_out_for(len(candidates))
        seen = np.full(table.patterns, -1, np.int64)
        sum_max_weights(ids, by_weight, weights, self.guesses, seen, sums)
        return sums

    @functools.cached_property
    def guess_bounds(self) -> Ints:
        """Lower bounds on the totals of plans that begin with each guess: 3n - k - w for k groups,
        w = 1 for a candidate [exact/bounds.py, guess bound]."""
        return 3 * self.state.weight - self.own_weights - self.max_weights


def splits(state: State, guesses: Indices | None = None) -> Splits:
    """How each guess (all legal ones unless given) splits the state's answers."""
    listed = state.legal if guesses is None else guesses
    table = state.game.compiled
    candidates = state.candidates
    parts, largest, squares = out = np.empty((3, len(listed)), np.int64)
    n_log_n = np.empty(len(listed))
    n_log = _n_log_table(len(candidates))
    ids = table.laid_out_for(len(candidates))
    sizes = np.zeros(table.patterns, np.int32)
    count_groups(ids, candidates, listed, n_log, sizes, out, n_log_n)
    is_candidate = np.zeros(len(state.game.lexicon), bool)
    is_candidate[candidates] = True
    return Splits(state, listed, is_candidate[listed], parts, largest, squares, n_log_n)


@functools.lru_cache(maxsize=64)
def _n_log_table(max_n: int) -> Floats:
    """[n] = n log2 n, for n = 0 (where it is 0) to max_n."""
    return np.array([0.0, *(n * math.log2(n) for n in range(1, max_n + 1))])


@lean_kernel
def count_groups(
    table: Patterns,
    candidates: Indices,
    guesses: Indices,
    n_log: Floats,
    sizes: Indices,
    out: Ints,
    n_log_n: Floats,
) -> None:
    """out[:, k] = number, largest size and sum of squared sizes of the groups of guess k.

    `sizes` is scratch, zero before and after, with a place for each pattern.
    """
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


@lean_kernel
def sum_max_weights(
    table: Patterns,
    by_weight: Indices,
    weights: Ints,
    guesses: Indices,
    seen: Ints,
    out: Ints,
) -> None:
    """out[k] = the sum of the maximum weights of the groups of guess k. Answers come by weight,
    descending: the first of a group is its heaviest. `seen[pattern]` is scratch, -1 before."""
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        total = np.int64(0)
        for a in by_weight:
            if seen[row[a]] != k:
                seen[row[a]] = k
                total += weights[a]
        out[k] = total
