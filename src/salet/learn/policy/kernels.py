"""Compiled loops over many sets of answers at once.

Sets lie end to end: set `s` has the words `words[starts[s] : starts[s + 1]]`, ascending.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Indices, Ints
from salet.numeric.jit import kernel


@kernel
def fill_set_features(
    codes: Codes,
    words: Indices,
    starts: Ints,
    turns: Ints,
    alphabet: int,
    max_count: int,
    max_turns: int,
    out: NDArray[np.float32],
) -> None:
    """Fill the features of each set, as documented by `salet.learn.policy.network.set_features`."""
    length = codes.shape[1]
    marks = (length + 2) * alphabet
    pairs = alphabet * (alphabet - 1) // 2
    share = np.zeros(marks, np.float32)
    joint = np.zeros(pairs, np.float32)
    count = np.zeros(alphabet, np.int64)
    letters = np.zeros(length, np.int64)
    for s in range(starts.shape[0] - 1):
        share[:] = 0
        joint[:] = 0
        n = starts[s + 1] - starts[s]
        for t in range(starts[s], starts[s + 1]):
            word = codes[words[t]]
            distinct = 0
            for p in range(length):
                x = np.int64(word[p])
                share[p * alphabet + x] += 1
                count[x] += 1
                if count[x] == 1:
                    share[length * alphabet + x] += 1
                    for k in range(distinct):
                        low, high = min(x, letters[k]), max(x, letters[k])
                        joint[low * (2 * alphabet - low - 1) // 2 + high - low - 1] += 1
                    letters[distinct] = x
                    distinct += 1
                elif count[x] == 2:
                    share[(length + 1) * alphabet + x] += 1
            for k in range(distinct):
                count[letters[k]] = 0
        for i in range(marks):
            share[i] /= n
            out[s, i] = share[i]
            out[s, marks + i] = 4 * share[i] * (1 - share[i])
        present = share[length * alphabet : (length + 1) * alphabet]
        pair = 0
        for i in range(alphabet):
            for j in range(i + 1, alphabet):
                out[s, 2 * marks + pair] = 4 * (joint[pair] / n - present[i] * present[j])
                pair += 1
        rest = out[s, 2 * marks + pairs :]
        rest[:] = 0
        rest[0] = np.log(n) / 4
        rest[1] = 1 / n
        if n <= max_count:
            rest[1 + n] = 1
        rest[2 + max_count + min(turns[s], max_turns - 1)] = 1


@kernel
def fill_word_features(codes: Codes, alphabet: int, out: Codes) -> None:
    """out[word]: one-hot letters by position, then letters that occur, then letters that occur
    more than once."""
    length = codes.shape[1]
    for w in range(codes.shape[0]):
        for p in range(length):
            x = codes[w, p]
            out[w, p * alphabet + x] = 1
            if out[w, length * alphabet + x]:
                out[w, (length + 1) * alphabet + x] = 1
            out[w, length * alphabet + x] = 1
