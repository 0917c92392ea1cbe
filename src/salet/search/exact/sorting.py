"""Sort in place, without memory: kernels of the search allocate none."""

from __future__ import annotations

from salet.numeric.jit import lean_kernel


@lean_kernel
def sort_by_key(keys, items, n):
    """Sort items ascending by distinct keys, in place: heapsort, which needs no memory."""
    for root in range(n // 2 - 1, -1, -1):
        sift_down(keys, items, root, n)
    for end in range(n - 1, 0, -1):
        keys[0], keys[end] = keys[end], keys[0]
        items[0], items[end] = items[end], items[0]
        sift_down(keys, items, 0, end)


@lean_kernel
def sift_down(keys, items, root, n):
    """Restore the heap below `root`."""
    key, item = keys[root], items[root]
    while True:
        child = 2 * root + 1
        if child >= n:
            break
        if child + 1 < n and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[root], items[root] = keys[child], items[child]
        root = child
    keys[root], items[root] = key, item
