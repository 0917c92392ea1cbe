"""The three predictors of an action's value.

- q1, the *base predictor*: the process's estimate of an action that was never tried;
- q2, the *tree predictor*: the mean over outcomes of reward plus estimated value, at the last visit
  (q1 before the first);
- q3, the *debiased predictor*: q2 plus the change expected from further visits.

q1 is optimistic, and every visit reduces that optimism, so actions with different numbers of visits
can only be compared after the bias is removed. It is learned from the other actions of the same
node: let x(v) be the change of q2 at the v-th visit of an action, and m(v) its mean over the
actions that had one. The expected further change of an action with v visits is m(v+1) + m(v+2) + …,
and if changes are independent, its squared error is the sum of the variances of x(v+1), x(v+2), …

A node stores only these sums, not the past estimates of every action.
"""

from __future__ import annotations

import numpy as np

from salet.array_types import Floats, Ints


class Changes:
    """Statistics of how visits change the estimates of a node's actions."""

    __slots__ = ("_bias", "_spread", "_stale", "count", "is_raw", "mean", "square")

    def __init__(self, is_raw: bool = False) -> None:
        """`is_raw`: variances are mean squared changes, as in the published code, instead of mean
        squared deviations, as in the article."""
        self.is_raw = is_raw
        self.count = [0]
        """[v]: actions with at least v visits"""
        self.mean = [0.0]
        """[v]: m(v); [0] is not used"""
        self.square = [0.0]
        """[v]: the sum of squares"""
        self._stale = True
        self._bias: Floats = np.zeros(1)
        self._spread: Floats = np.zeros(0)

    def add_action(self) -> None:
        """Count an action that has no visits yet."""
        self.count[0] += 1
        self._stale = True

    def learn(self, visit: int, change: float) -> None:
        """Record the change of an action's q2 at visit number `visit` (from 1)."""
        if visit == len(self.count):
            self.count.append(0)
            self.mean.append(0.0)
            self.square.append(0.0)
        self.count[visit] += 1
        before = change - self.mean[visit]
        self.mean[visit] += before / self.count[visit]
        after = change - self.mean[visit]
        self.square[visit] += change * change if self.is_raw else before * after
        self._stale = True

    def bias(self, visits: Ints) -> Floats:
        """The expected further change of estimates after these numbers of visits."""
        self._refresh()
        found: Floats = self._bias[np.minimum(visits, len(self._bias) - 1)]
        return found

    def variance(self, visits: Ints, unknown: float) -> Floats:
        """The expected squared error of debiased estimates after these numbers of visits; `unknown`
        for visits that no action has had."""
        self._refresh()
        if not len(self._spread):
            return np.full(len(visits), unknown)
        found: Floats = self._spread[np.minimum(visits, len(self._spread) - 1)]
        return found

    def _refresh(self) -> None:
        if not self._stale:
            return
        self._stale = False
        last = len(self.count) - 1
        self._bias = np.zeros(last + 1)
        self._spread = np.zeros(last)
        if last == 0:
            return
        # sums over the visits after v, from the last one backwards
        self._bias[:last] = np.cumsum(self.mean[:0:-1])[::-1]
        counts = np.array(self.count[:-1] if self.is_raw else self.count[1:])
        each = np.array(self.square[1:]) / np.maximum(counts - 1, 1)
        if not self.is_raw:  # one change alone is measured from 0
            each = np.where(counts == 1, np.square(self.mean[1:]), each)
        spread = np.cumsum(each[::-1])[::-1]
        # Where the latest visits changed nothing, what the visit before them did is used.
        known = np.maximum.accumulate(np.where(spread > 0, np.arange(last), -1))
        self._spread = np.where(known >= 0, spread[known], 0.0)
