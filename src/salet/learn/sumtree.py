"""A sum tree: draw places with probability proportional to their priority, in logarithmic time.

`tree` has 2 * leaves entries, leaves a power of two. Entry 1 is the root, entry k has the children
2k and 2k + 1, and leaf i is entry leaves + i. A parent is always the sum of its children, computed
anew and never by differences, so a tree is a function of its leaves, to the last bit.
"""

from __future__ import annotations

from salet.array_types import Floats, Ints
from salet.numeric.jit import kernel


@kernel
def assign(tree: Floats, places: Ints, priorities: Floats) -> None:
    """Set priorities of leaves; of a place given twice the last counts."""
    leaves = tree.shape[0] // 2
    for k in range(places.shape[0]):
        node = leaves + places[k]
        tree[node] = priorities[k]
        node //= 2
        while node >= 1:
            tree[node] = tree[2 * node] + tree[2 * node + 1]
            node //= 2


@kernel
def rebuild(tree: Floats) -> None:
    """Compute every parent from the leaves."""
    for node in range(tree.shape[0] // 2 - 1, 0, -1):
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@kernel
def draw(tree: Floats, shares: Floats, out: Ints) -> None:
    """out[k] = the leaf at which the running sum of priorities passes shares[k] of the total.

    A leaf without priority is never drawn: rounding can lead the way down to an empty subtree, and
    then the other child is taken.
    """
    leaves = tree.shape[0] // 2
    for k in range(shares.shape[0]):
        rest = shares[k] * tree[1]
        node = 1
        while node < leaves:
            node *= 2
            left = tree[node]
            if (rest >= left and tree[node + 1] > 0.0) or left <= 0.0:
                rest -= left
                node += 1
        out[k] = node - leaves
