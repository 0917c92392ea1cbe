"""The guesses of a large state in the best order for scans of its parts.

A scan for the fewest repeats (scan.py) ends at the first guess that cannot make enough parts, since
guesses come in the order of the parts that they make of all answers. For the parts of a large state
S that is late: most guesses test letters that no answer of S has. The number of parts that a guess
makes of S itself is a better limit, because it makes no more parts of any subset of S. So once many
parts of a state have been scanned, its columns of the table are copied with the guesses in this
order. Scans take a fifth to a half of the time from then on, and find the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel
from salet.search.exact.layout import Layout
from salet.search.exact.scan import MARKED, count_marks, fewest_repeats, mark_block
from salet.search.exact.sorting import sort_by_key

MAX_SORTED = 4096
"""Largest state whose columns are copied."""
SORT_AFTER = 64
"""Scans of parts of a state after which its columns are copied, which takes about as long."""


class ScanOrder(NamedTuple):
    """A copy of the table for the answers of one state, and of the guesses in its order."""

    members: NDArray[np.int32]
    """[row]: the answers of the state."""
    stored: NDArray[np.int64]
    """[0]: their number."""
    row_of: NDArray[np.int32]
    """[answer]: its row, or -1."""
    columns: NDArray[np.uint8]
    """[row, x]: the pattern that the x-th guess shows."""
    packed: NDArray[np.uint64]
    """The same, eight patterns to a word."""
    guesses: NDArray[np.int32]
    """[x]: the guess."""
    max_parts: NDArray[np.int32]
    """[x]: the number of parts that it makes of the state."""
    place_of: NDArray[np.int32]
    """[row]: the x of the answer as a guess."""
    is_candidate: NDArray[np.uint8]
    """[x]: zero between uses."""
    rows: NDArray[np.int32]
    """Scratch: the rows of a part."""


def empty_scan_order(layout: Layout, max_sorted: int = MAX_SORTED) -> ScanOrder:
    """Room for one state of up to `max_sorted` answers. Memory is touched only as far as needed."""
    answers, width = layout.columns.shape
    rows = min(answers, max_sorted)
    columns = np.zeros((rows, width), layout.columns.dtype)
    return ScanOrder(
        members=np.zeros(rows, np.int32),
        stored=np.zeros(1, np.int64),
        row_of=np.full(answers, -1, np.int32),
        columns=columns,
        packed=columns.view(np.uint64),
        guesses=np.zeros(width, np.int32),
        max_parts=np.zeros(width, np.int32),
        place_of=np.zeros(rows, np.int32),
        is_candidate=np.zeros(width, np.uint8),
        rows=np.zeros(rows, np.int32),
    )


@lean_kernel
def sort_for_scans(layout, order, members, n, counts, block, keys):
    """Copy the columns of n answers, guesses that make the most parts of them first.

    `counts`, `block` and `keys` are scratch.
    """
    guesses = layout.table.shape[0]
    # 1. Count the parts of every guess, and sort the guesses by them.
    for base in range(0, guesses, MARKED):
        mark_block(layout.packed, members, n, base // 8, block)
        for x in range(min(MARKED, guesses - base)):
            counts[base + x] = count_marks(block, x)
    for g in range(guesses):
        order.guesses[g] = g
        keys[g] = (np.int64(n - counts[g]) << 32) + g
    sort_by_key(keys, order.guesses, guesses)
    for x in range(guesses):
        g = order.guesses[x]
        order.max_parts[x] = counts[g]
        keys[g] = x
    # 2. Copy the columns of the answers, which replace those of the state before.
    for row in range(order.stored[0]):
        order.row_of[order.members[row]] = -1
    for row in range(n):
        a = members[row]
        order.members[row] = a
        order.row_of[a] = row
        order.place_of[row] = keys[layout.guess_of[a]]
        column, copy = layout.columns[a], order.columns[row]
        for x in range(guesses):
            copy[x] = column[order.guesses[x]]
    order.stored[0] = n


@lean_kernel
def find_rows(order, members, n):
    """Whether all n answers have a row; writes their rows to `order.rows`."""
    for i in range(n):
        row = order.row_of[members[i]]
        if row < 0:
            return False
        order.rows[i] = row
    return True


@lean_kernel
def fewest_repeats_of_rows(order, n, guesses, counts, block):
    """`fewest_repeats` of the n answers whose rows are in `order.rows`."""
    for i in range(n):
        order.is_candidate[order.place_of[order.rows[i]]] = 1
    fewest = fewest_repeats(
        order.columns,
        order.packed,
        order.rows,
        n,
        order.max_parts,
        guesses,
        order.is_candidate,
        counts,
        block,
    )
    for i in range(n):
        order.is_candidate[order.place_of[order.rows[i]]] = 0
    return fewest
