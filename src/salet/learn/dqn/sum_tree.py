"""A sum tree: samples indices with probability proportional to priority, in logarithmic time.

`tree` has 2 * leaves entries, where `leaves` is a power of two. Entry 1 is the root, entry k has
the children 2k and 2k + 1, and leaf i is entry leaves + i. A parent is always computed as the sum
of its children, never updated by differences, so a tree is a function of its leaves to the last
bit.
"""

from __future__ import annotations

from salet.array_types import Floats, Ints
from salet.numeric.jit import kernel


@kernel
def assign(tree: Floats, indices: Ints, priorities: Floats) -> None:
    """Set the priorities of some leaves; for an index given twice the last one counts."""
    leaves = tree.shape[0] // 2
    for k in range(indices.shape[0]):
        node = leaves + indices[k]
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
def sample(tree: Floats, fractions: Floats, out: Ints) -> None:
    """out[k] = the leaf at which the running sum of priorities passes fractions[k] of the total.

    A leaf without priority is never chosen: where rounding leads to an empty subtree, its sibling
    is taken instead.
    """
    leaves = tree.shape[0] // 2
    for k in range(fractions.shape[0]):
        rest = fractions[k] * tree[1]
        node = 1
        while node < leaves:
            node *= 2
            left = tree[node]
            if (rest >= left and tree[node + 1] > 0.0) or left <= 0.0:
                rest -= left
                node += 1
        out[k] = node - leaves
