"""Lower bounds on the answers that a set loses with three guesses left, proven by small subsets.

Normal mode and unit weights; in other modes fewer guesses are legal, so the bounds still hold. Let
lost(S, d) be the fewest answers of S that are not found within d guesses.

**Two guesses left.** lost(S, 2) = |S| - K, where K is the maximum number of parts of any guess.

**Three guesses left.** lost(S, 3) is the minimum over guesses of the sum of lost(c, 2) over parts
c.

**Subsets.** For a subset T of S, lost(T, d) <= lost(S, d) <= lost(T, d) + |S \\ T|: the plan for S
works for T, and that for T loses no more than the rest of S besides. For disjoint sets, lost(A + B,
d) >= lost(A, d) + lost(B, d): the plan for the union works for each alone.

A *core* is a set N of which at least `losses` are lost with three guesses left. It is found in a
larger set by one pass over all guesses: whenever a guess loses too few of N, answers of the larger
set that are lost after it join N, as few as possible. More answers never lose less, so what the
pass has shown of the guesses before remains true. By [subsets], any set S loses at least the sum of
`losses - |N \\ S|` over cores, each counted on the answers that no other core has used. So what was
found in the parts of one opener also bounds others that cut the answers in similar ways.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel
from salet.numeric.simd import LANES, count_block
from salet.search.exact.layout import Layout
from salet.search.exact.scan import MARKED, MAX_PAIRWISE, count_marks, mark_block
from salet.search.exact.stack import scan_memory

ALL = 1 << 30
"""No limit on the number of losses of interest."""
CACHED = 1 << 18
"""Sets whose losses with two guesses left are remembered."""


class LossCores(NamedTuple):
    """The cores found so far, and the memory to find more. For one thread."""

    members: NDArray[np.int32]
    """The answers of all cores, one core after the other."""
    starts: NDArray[np.int64]
    """[core]: where its answers start; one more for the end."""
    losses: NDArray[np.int64]
    """[core]: answers of it that are lost at least."""
    stored: NDArray[np.int64]
    """[0]: the number of cores; [1]: scans so far."""
    activity: NDArray[np.float64]
    """[answer]: how often it lately joined a core. Such answers are preferred."""
    cache: NDArray[np.uint64]
    """[slot]: two words of a key, and 1 + losses with two guesses left."""
    # Scratch.
    counts: NDArray[np.uint16]
    block: NDArray[np.uint8]
    tally: NDArray[np.int32]
    """[pattern]: zero between uses."""
    in_core: NDArray[np.uint8]
    """[answer]: zero between uses."""
    used: NDArray[np.uint8]
    """[answer]: counted by a core already."""
    core: NDArray[np.int32]
    sorted: NDArray[np.int32]
    sizes: NDArray[np.int32]
    """[part, 2]: start and size."""
    core_sorted: NDArray[np.int32]
    core_sizes: NDArray[np.int32]
    trial: NDArray[np.int32]
    part_sorted: NDArray[np.int32]
    part_sizes: NDArray[np.int32]
    rest: NDArray[np.int32]
    order: NDArray[np.int32]
    first: NDArray[np.int64]
    lost: NDArray[np.int64]
    """[2, pattern]"""


def empty_loss_cores(layout: Layout, max_cores: int = 20_000) -> LossCores:
    """No cores yet."""
    answers, patterns = layout.table.shape[1], layout.win + 1
    counts, block = scan_memory(layout)
    return LossCores(
        members=np.empty(max_cores * 64, np.int32),
        starts=np.zeros(max_cores + 1, np.int64),
        losses=np.zeros(max_cores, np.int64),
        stored=np.zeros(2, np.int64),
        activity=np.zeros(answers),
        cache=np.zeros((CACHED, 3), np.uint64),
        counts=counts,
        block=block,
        tally=np.zeros(max(patterns, 256), np.int32),
        in_core=np.zeros(answers, np.uint8),
        used=np.zeros(answers, np.uint8),
        core=np.empty(answers, np.int32),
        sorted=np.empty(answers, np.int32),
        sizes=np.empty((patterns, 2), np.int32),
        core_sorted=np.empty(answers, np.int32),
        core_sizes=np.empty((patterns, 2), np.int32),
        trial=np.empty(answers, np.int32),
        part_sorted=np.empty(answers, np.int32),
        part_sizes=np.empty((patterns, 2), np.int32),
        rest=np.empty(answers, np.int32),
        order=np.empty(layout.table.shape[0], np.int32),
        first=np.empty(answers + 3, np.int64),
        lost=np.zeros((2, patterns), np.int64),
    )


# ---- two guesses left


@lean_kernel
def lost_with_two(layout, cores, members, n):
    """The fewest answers lost with two guesses left."""
    if n <= 2:
        return np.int64(0)
    key0, key1 = np.uint64(0), np.uint64(0)
    for i in range(n):
        key0 += layout.answer_keys[members[i], 0]
        key1 += layout.answer_keys[members[i], 1]
    entry = cores.cache[np.int64(key0 & np.uint64(CACHED - 1))]
    if entry[0] == key0 and entry[1] == key1 and entry[2] != np.uint64(0):
        return np.int64(entry[2]) - 1
    lost = scan_for_most_parts(layout, cores, members, n)
    entry[0], entry[1], entry[2] = key0, key1, np.uint64(lost + 1)
    return lost


@lean_kernel
def scan_for_most_parts(layout, cores, members, n):
    """n minus the maximum number of parts of any guess. Guesses come by the parts that they make of
    all answers, descending: once these are too few, no later guess is better."""
    cores.stored[1] += 1
    guesses = layout.table.shape[0]
    best = np.int64(n)  # 1 + n - parts
    pairwise = n <= MAX_PAIRWISE
    step = LANES if pairwise else MARKED
    base = 0
    while base < guesses and best > 1 and 1 + n - layout.max_parts[base] < best:
        m = min(step, guesses - base)
        if pairwise:
            count_block(layout.columns, base, members, n, cores.block, cores.counts, best)
            for x in range(base, base + m):
                best = min(best, np.int64(cores.counts[x]))
        else:
            mark_block(layout.packed, members, n, base // 8, cores.block)
            for x in range(m):
                best = min(best, 1 + n - count_marks(cores.block, x))
        base += m
    return best - 1


# ---- three guesses left


@lean_kernel
def split_off(row, members, n, tally, out, sizes):
    """Sort answers into the parts of a guess. Returns the number of parts with three answers or
    more; `sizes` has start and size of these, the largest first."""
    for i in range(n):
        tally[row[members[i]]] += 1
    at, parts = 0, 0
    for i in range(n):
        p = row[members[i]]
        count = tally[p]
        if count > 0:
            tally[p] = -1 - at
            if count >= 3:
                j = parts
                while j > 0 and sizes[j - 1, 1] < count:
                    sizes[j, 0], sizes[j, 1] = sizes[j - 1, 0], sizes[j - 1, 1]
                    j -= 1
                sizes[j, 0], sizes[j, 1] = at, count
                parts += 1
            at += count
    for i in range(n):
        p = row[members[i]]
        out[-1 - tally[p]] = members[i]
        tally[p] -= 1
    for i in range(n):
        tally[row[members[i]]] = 0
    return parts


@lean_kernel
def lost_after(layout, cores, members, n, guess, enough):
    """The fewest answers lost by a guess and two more; at least `enough` if it is not fewer."""
    row = layout.table[guess]
    parts = split_off(row, members, n, cores.tally, cores.core_sorted, cores.core_sizes)
    lost = np.int64(0)
    for j in range(parts):
        start, m = cores.core_sizes[j, 0], np.int64(cores.core_sizes[j, 1])
        lost += lost_with_two(layout, cores, cores.core_sorted[start : start + m], m)
        if lost >= enough:
            break
    return lost


@lean_kernel
def grow_core(layout, cores, members, n, size, enough):
    """Grow the core in `core[:size]`, a subset of the members, until it shows what they lose.

    Returns (lost, size): the core loses `lost` at least, which is what the members lose with three
    guesses left, or else `enough`.
    """
    for i in range(size):
        cores.in_core[cores.core[i]] = 1
    lost = enough
    order_by_parts(layout, cores, members, n)
    for x in range(layout.table.shape[0]):
        guess = np.int64(cores.order[x])
        have = lost_after(layout, cores, cores.core, size, guess, lost)
        if have < lost:
            have, size = lose_more(layout, cores, members, n, guess, have, lost, size)
            lost = min(lost, have)
            if lost == 0:
                break
    for i in range(size):
        cores.in_core[cores.core[i]] = 0
    return lost, size


@lean_kernel
def order_by_parts(layout, cores, members, n):
    """order = all guesses, those with the most parts first: these have the fewest losses, so a
    core that is large enough for them is so for most of the others."""
    guesses, first = layout.table.shape[0], cores.first
    pairwise = n <= MAX_PAIRWISE
    step = LANES if pairwise else MARKED
    for base in range(0, guesses, step):
        if pairwise:
            count_block(layout.columns, base, members, n, cores.block, cores.counts, n + 1)
        else:
            mark_block(layout.packed, members, n, base // 8, cores.block)
            for x in range(min(step, guesses - base)):
                cores.counts[base + x] = 1 + n - count_marks(cores.block, x)
    for r in range(n + 2):
        first[r] = 0
    for g in range(guesses):
        first[cores.counts[g] + 1] += 1
    for r in range(1, n + 2):
        first[r] += first[r - 1]
    for g in range(guesses):
        r = cores.counts[g]
        cores.order[first[r]] = g
        first[r] += 1


@lean_kernel
def lose_more(layout, cores, members, n, guess, have, wanted, size):
    """Add answers to the core until a guess loses `wanted` of it, if it loses as many of the
    members. Returns (lost of the core after this guess, size of the core)."""
    row = layout.table[guess]
    parts = split_off(row, members, n, cores.tally, cores.sorted, cores.sizes)
    for j in range(parts):
        start, m = cores.sizes[j, 0], np.int64(cores.sizes[j, 1])
        part = cores.sorted[start : start + m]
        most = lost_with_two(layout, cores, part, m)
        if most == 0:
            continue
        kept = order_by_activity(cores, part, m)
        now = lost_with_two(layout, cores, cores.trial, kept)
        while now < most and have < wanted:
            kept, size = lose_one_more(layout, cores, kept, m, now + 1, size)
            now += 1
            have += 1
        if have >= wanted:
            break
    return have, size


@lean_kernel
def order_by_activity(cores, part, m):
    """trial[:m] = the members of a part: those of the core first, then by activity. Returns the
    number of the first."""
    trial, kept = cores.trial, 0
    for i in range(m):
        if cores.in_core[part[i]] == 1:
            trial[kept] = part[i]
            kept += 1
    count = kept
    for i in range(m):
        a = part[i]
        if cores.in_core[a] == 0:
            j = count
            while j > kept and cores.activity[trial[j - 1]] < cores.activity[a]:
                trial[j] = trial[j - 1]
                j -= 1
            trial[j] = a
            count += 1
    return kept


@lean_kernel
def lose_one_more(layout, cores, kept, m, wanted, size):
    """Let answers of trial[kept:m] join the core until trial[:kept] loses `wanted` with two guesses
    left, none of them in vain. Returns (kept, size of the core)."""
    trial = cores.trial
    end = m
    while lost_with_two(layout, cores, trial, kept) < wanted:
        # The shortest beginning that loses enough: its last answer is needed.
        low, high = kept + 1, end
        while low < high:
            middle = (low + high) // 2
            if lost_with_two(layout, cores, trial, middle) >= wanted:
                high = middle
            else:
                low = middle + 1
        a = trial[low - 1]
        for i in range(low - 1, kept, -1):
            trial[i] = trial[i - 1]
        trial[kept] = a
        kept += 1
        end = low
        cores.in_core[a] = 1
        cores.core[size] = a
        cores.activity[a] += 1.0
        size += 1
    return kept, size


@lean_kernel
def remember_core(cores, size, lost):
    """Store core[:size]; without room nothing more is stored."""
    count = cores.stored[0]
    start = cores.starts[count]
    if count == cores.losses.shape[0] or start + size > cores.members.shape[0]:
        return
    for i in range(size):
        cores.members[start + i] = cores.core[i]
    cores.starts[count + 1] = start + size
    cores.losses[count] = lost
    cores.stored[0] = count + 1


# ---- openers


@lean_kernel
def pack_cores(layout, cores, row, backwards, lost_in):
    """lost_in[p] = answers lost at least in the part of pattern p, by the cores known, taken from
    the first to the last or backwards. The answers that they need are marked in `used`."""
    used, tally = cores.used, cores.tally
    for a in range(used.shape[0]):
        used[a] = 0
    for p in range(layout.win + 1):
        lost_in[p] = 0
    count = cores.stored[0]
    for k in range(count):
        c = count - 1 - k if backwards else k
        start, end = cores.starts[c], cores.starts[c + 1]
        best, most = np.int64(-1), np.int64(0)
        for i in range(start, end):
            a = cores.members[i]
            if used[a] == 0:
                p = row[a]
                tally[p] += 1
                if tally[p] > most:
                    best, most = np.int64(p), np.int64(tally[p])
        for i in range(start, end):
            tally[row[cores.members[i]]] = 0
        gain = cores.losses[c] - (end - start - most)  # [subsets]
        if gain > 0 and best >= 0:
            lost_in[best] += gain
            for i in range(start, end):
                a = cores.members[i]
                if row[a] == best:
                    used[a] = 1


@lean_kernel
def lost_by_opener(layout, cores, answers, n, guess, enough):
    """The fewest answers lost by a guess and three more; at least `enough` if it is not fewer.
    `answers` are those that remain."""
    row = layout.table[guess]
    best_of, lost_in = cores.lost[0], cores.lost[1]
    # 1. What the cores known tell.
    pack_cores(layout, cores, row, True, best_of)
    pack_cores(layout, cores, row, False, lost_in)
    total = np.int64(0)
    for p in range(layout.win + 1):
        best_of[p] = max(best_of[p], lost_in[p])
        total += best_of[p]
    if total >= enough:
        return total
    # 2. New cores of single losses among the answers that no core has used.
    sizes = cores.part_sizes
    parts = split_off(row, answers, n, cores.tally, cores.part_sorted, sizes)
    for j in range(parts):
        part = cores.part_sorted[sizes[j, 0] : sizes[j, 0] + sizes[j, 1]]
        p = row[part[0]]
        lost_in[p] += single_losses(layout, cores, part, lost_in[p] + enough - total)
        if lost_in[p] > best_of[p]:
            total += lost_in[p] - best_of[p]
            best_of[p] = lost_in[p]
        if total >= enough:
            return total
    # 3. What the parts lose exactly.
    for j in range(parts):
        part = cores.part_sorted[sizes[j, 0] : sizes[j, 0] + sizes[j, 1]]
        p, size = row[part[0]], np.int64(0)
        for i in range(part.shape[0]):
            if cores.used[part[i]] == 1:
                cores.core[size] = part[i]
                size += 1
        wanted = best_of[p] + enough - total
        lost, size = grow_core(layout, cores, part, part.shape[0], size, wanted)
        if lost > best_of[p]:
            remember_core(cores, size, lost)
            total += lost - best_of[p]
            best_of[p] = lost
            if total >= enough:
                return total
    return total


@lean_kernel
def single_losses(layout, cores, part, enough):
    """Find cores of one loss each among the answers of a part that are not used; returns how many,
    `enough` at most."""
    found = 0
    while found < enough:
        rest = np.int64(0)
        for i in range(part.shape[0]):
            if cores.used[part[i]] == 0:
                cores.rest[rest] = part[i]
                rest += 1
        lost, size = grow_core(layout, cores, cores.rest, rest, 0, 1)
        if lost == 0:
            break
        remember_core(cores, size, 1)
        for i in range(size):
            cores.used[cores.core[i]] = 1
        found += 1
    return found
