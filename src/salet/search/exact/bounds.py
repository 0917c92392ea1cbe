"""Every bound the search relies on, with its proof.

Notation: V(S, d) is the least weighted total of a state with answers S, W their weight, d guesses
left (infinite if no plan keeps d; or, if losses are allowed, each answer of weight w never found
costs w * loss more). A guess g splits S into parts c, one a pattern; max(c) is the greatest
weight in c, and w(g) the weight of g if g is a candidate (an answer in S), else 0.

**Size bound.** d >= 1: V(S) >= 2W - max(S). At most one answer is found by the first guess, all
others need two or more.

**Guess bound.** The guess g costs W + sum over non-winning parts of V(c) >= W + sum (2 W(c) -
max(c)) = 3W - w(g) - sum over all parts of max(c), since the winning part {g} has W = max = w(g)
and costs nothing. With unit weights: 3n - w - k for k parts. Equality if every part has at most
two answers and d >= 3 (a pair costs 2W - max: the heavier first), or at most one and d >= 2.

**Candidates only.** A guess that is no candidate costs at least W + sum (2W(c) - max(c)) >= 2W,
because max(c) <= W(c). So V >= min(2W, min over candidates of their guess bounds), and a
candidate that reaches this with equality is optimal.

**Two guesses left.** After g with d = 2 each part has one guess: it finds max(c) at best. So g
costs exactly 2W - w(g) + loss * (W - sum max(c)), and a scan of all guesses gives V itself. Where
nothing may be lost V is infinite if there are more answers than patterns, and a guess with two
repeats need not be counted further.

**One guess to tell apart.** d = 3: after g each part c has two guesses; the first of them makes
at most K parts of c, where K is the most parts any legal guess makes of S (a subset never has
more parts, and fewer guesses are legal). So at least |c| - K answers of c are lost.

**Useful depth.** V(S, d) = V(S, |S|) for d >= |S|. A guess that neither wins nor splits can be
left out: what follows it is legal without it (hints only forbid) and every answer is found a
guess sooner. Without such guesses each guess makes the state smaller.

**Monotony.** V(S', d) <= V(S, d) for S' subset of S and the same legal guesses: the plan for S
works for S'. V(S, d) grows if d or the set of legal guesses shrinks; so bounds scanned over more
guesses than are legal stay valid.

**Superadditivity.** Normal mode: V(A u B) >= V(A) + V(B) for disjoint A, B: the plan for the
union works for each alone. (Not in hard mode with different legal guesses for A and B; with the
same it holds.)

**Pruned scans.** The number of repeats, n - k, only grows with more answers, and k(S) <= k(all
answers): see scan.py.

**Neighbours.** See neighbours.py.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.model import INF


@lean_kernel
def lost(loss, weight):
    """The price of never finding answers of this weight, clamped."""
    if weight == 0:
        return np.int64(0)
    return np.int64(INF) if loss >= INF else loss * weight


@lean_kernel
def cheap_bound(game, stack, members, n, weight, d):
    """Return (lower, exact) for n >= 3 answers with d >= 2 guesses left, looking only at candidates
    as guesses.

    Guess g costs at least b(g) = 3W - w(g) - sum over parts of the greatest weight [bounds.py,
    guess bound], with equality if every part has at most two answers and d >= 3, or at most one
    and d >= 2. A guess that is no candidate costs at least 2W. So V >= min(2W, min b(c)) over
    candidates c, and V = b(c) where b(c) reaches that with equality.
    """
    table = game.table
    count = stack.tally
    weights = game.weights
    lower = 2 * weight
    upper = np.int64(INF)
    for i in range(n):
        c = members[i]
        row = table[game.own[c]]
        spare = weights[c]  # the weight of repeated answers that still keeps b(c) <= 2W
        biggest = 0
        j = 0
        while j < n:
            a = members[j]
            p = row[a]
            seen = count[p] + 1
            count[p] = seen
            if seen > 1:
                spare -= weights[a]
            if seen > biggest:
                biggest = seen
            j += 1
            if spare < 0:
                break
        while j > 0:
            j -= 1
            count[row[members[j]]] = 0
        if spare < 0:
            continue
        if d == 2:
            value = 2 * weight - weights[c] + lost(game.loss, weights[c] - spare)
            lower = min(lower, value)
            upper = min(upper, value)
        else:
            value = 2 * weight - spare
            lower = min(lower, value)
            if biggest <= 2:
                upper = min(upper, value)
        if upper <= 2 * weight - weights[members[0]]:  # nothing can be better
            break
    return lower, upper <= lower or (game.feasible == 1 and upper < INF)
