"""Every bound that the search relies on, with its proof.

Notation. V(S, d) is the minimum weighted total of a state with answers S and d guesses left. It is
infinite if no plan finds all of them; if losses are allowed, each answer of weight w that is never
found adds `loss * w` to the guesses made for it. W is the weight of S and n its size. A guess g
splits S into k parts c, one for each pattern; max(c) is the maximum weight in c, and w(g) the
weight of g if g is a *candidate* (one of S), otherwise 0. A guess is *idle* if it is not a
candidate and k = 1.

**Size bound.** d >= 1: V(S) >= 2W - max(S). The first guess finds at most one answer; all others
take two guesses or more.

**Guess bound.** d >= 3: the guess g costs W + sum over losing parts of V(c) >= W + sum of (2 W(c) -
max(c)) = 3W - w(g) - sum over all parts of max(c), since the winning part {g} has W = max = w(g)
and costs nothing. With unit weights: 3n - w - k. It is exact if every part has at most two
answers (a pair costs 2W - max: the heavier first).

**Candidates only.** A guess that is not a candidate costs at least W + sum of (2W(c) - max(c)) >=
2W, because max(c) <= W(c). So V >= min(2W, the minimum guess bound of a candidate), and a candidate
whose exact value reaches this is optimal.

**Two guesses left.** After g with d = 2 each part has one guess, which finds max(c) at best. So g
costs exactly 2W - w(g) + loss * (W - sum of max(c)), and a scan of all guesses gives V itself.
Where nothing may be lost, V is infinite if there are more answers than patterns.

**Idle guesses.** A plan becomes no worse if an idle guess is left out: what follows it is legal
without it (hints only forbid), and every answer is found a guess sooner.

**Useful depth.** V(S, d) = V(S, n) for d >= n: without idle guesses, each guess makes the state
smaller.

**Monotonicity.** V(T, d) <= V(S, d) for a subset T of S with the same legal guesses: the plan for S
works for T. V(S, d) grows as d or the set of legal guesses shrinks; so a bound taken over more
guesses than are legal remains valid.

**Superadditivity.** Normal mode: V(A + B) >= V(A) + V(B) for disjoint A and B: the plan for the
union works for each alone. (In hard and strict mode it holds if the legal guesses are the same.)

**Capacity.** Let K be the maximum number of parts into which any legal guess splits S, and P the
maximum number of answers outside the largest part of any legal guess: max over g of (n - size of
the largest part of g). Neither grows when answers or legal guesses are removed, so both hold
throughout any plan for S. A plan finds at most C(j) answers within j guesses, where C(0) = 0, C(1)
= 1 and

    C(j) <= K ** (j - 1)      A candidate finds one answer and leaves K - 1 parts, another guess
                              leaves K parts, of each of which C(j - 1) are found at most; and
                              1 + (K - 1) x <= K x.
    C(j) <= 1 + (j - 1) * P   Outside the largest part are P answers at most, and C(j - 1) of those
                              in it are found by the other j - 1 guesses. (If the largest part is
                              the winning one, all parts are single answers: 1 + P in all.)

So at least n - C(j) answers are not found within j guesses. The total is the sum over j = 0, …,
d - 1 of the weight not found within j guesses, plus `loss` for the weight not found within d; the
answers found early are at best the heaviest. This holds for every subset of S, too: a part of S is
bounded with the K and P of S. With j <= 1 alone it is the size bound. Interchangeable answers, as
of a family of words that differ in one letter, have P = 1 where no other guess helps: then V(S) is
1 + 2 + … + n, without search.

**Pruned scans.** The number of repeats only grows with more answers, and k(S) <= k(all answers):
see scan.py.

**Scans of parts.** The guess bound two guesses deep: g costs at least W plus the sum over its
losing parts c of the minimum guess bound of any legal guess in c, since V(c) is at least that.
Unit weights, d >= 4: each part has three guesses left. See opener_bound.py.

**Similar sets.** See similar_sets.py.

**Losses** shown by cores: see loss_cores.py. **Levels** of weights: see search/quick_bounds.py.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.layout import INF


@lean_kernel
def price_of(loss, weight):
    """The price of never finding answers of this weight."""
    if weight == 0:
        return np.int64(0)
    return np.int64(INF) if loss >= INF else loss * weight


@lean_kernel
def capacity_bound(layout, members, n, weight, depth, max_parts, max_peel):
    """A lower bound of n >= 1 answers with depth >= 1 guesses left [capacity].

    `members` come by weight, descending; `max_parts` and `max_peel` are K and P of a superset.
    """
    total = weight
    rest = weight - layout.weights[members[0]]  # not found within j = 1 guess
    found, power, j = np.int64(1), np.int64(1), 1
    while rest > 0 and j < depth:
        total += rest
        power = min(power * max_parts, np.int64(n))
        found = min(power, 1 + j * max_peel)
        rest = np.int64(0)
        if found < n:
            if layout.unit == 1:
                rest = n - found
            else:
                for i in range(found, n):
                    rest += layout.weights[members[i]]
        j += 1
    return min(total + price_of(layout.loss, rest), INF)


@lean_kernel
def candidates_bound(layout, stack, members, n, weight, depth):
    """(lower, is_exact) for n >= 3 answers with depth >= 2 guesses left, from a look at the
    candidates alone [candidates only; two guesses left].
    """
    table, tally, weights = layout.table, stack.tally, layout.weights
    lower, upper = 2 * weight, np.int64(INF)
    for i in range(n):
        c = members[i]
        row = table[layout.guess_of[c]]
        # The guess bound is 2W - spare; above 2W it is of no interest. Members come by weight,
        # descending: the first answer of a part is its heaviest.
        spare = weights[c]
        largest = 0
        j = 0
        while j < n and spare >= 0:
            a = members[j]
            p = row[a]
            seen = tally[p] + 1
            tally[p] = seen
            if seen > 1:
                spare -= weights[a]
            largest = max(largest, seen)
            j += 1
        while j > 0:
            j -= 1
            tally[row[members[j]]] = 0
        if spare < 0:
            continue
        if depth == 2:
            value = 2 * weight - weights[c] + price_of(layout.loss, weights[c] - spare)
            upper = min(upper, value)
        else:
            value = 2 * weight - spare
            if largest <= 2:
                upper = min(upper, value)
        lower = min(lower, value)
        if upper <= 2 * weight - weights[members[0]]:  # the size bound: nothing is better
            break
    return lower, upper <= lower or (layout.feasible == 1 and upper < INF)
