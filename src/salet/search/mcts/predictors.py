"""The tower of predictors.

- q1, the *base predictor*: what the process says of an action that was never tried;
- q2, the *tree predictor*: the mean over outcomes of reward plus the value of what follows, from
  the last visit (q1 before the first);
- q3, the *debiased predictor*: q2 plus the change that further visits usually bring.

q1 is too hopeful, and every visit takes some of the hope away; actions with different numbers of
visits can only be compared after this bias is removed. It is learnt from the other actions of the
same state: let x(v) be the change of q2 by the v-th visit of an action and m(v) its mean over the
actions that had one. An action visited v times will change by about m(v+1) + m(v+2) + … more. The
squared error of that is, for changes that do not depend on each other, the sum of the variances
of x(v+1), x(v+2), …

Only these sums are kept in a state, not what every action was once believed to be worth.
"""

from __future__ import annotations

import numpy as np

from salet.array_types import Floats, Ints


class Changes:
    """What visits did to the estimates of one state's actions."""

    __slots__ = ("_bias", "_spread", "_stale", "count", "is_raw", "mean", "square")

    def __init__(self, is_raw: bool = False) -> None:
        """`is_raw`: squares are of the changes themselves, as in the published code, and not of
        their distance from the mean, as in the article."""
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
        """An action was added, with no visits."""
        self.count[0] += 1
        self._stale = True

    def learn(self, visit: int, change: float) -> None:
        """The visit of this number, counted from 1, changed an action's q2."""
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
        """How much estimates after so many visits are still going to change, on average."""
        self._refresh()
        found: Floats = self._bias[np.minimum(visits, len(self._bias) - 1)]
        return found

    def variance(self, visits: Ints, unknown: float) -> Floats:
        """The expected squared error of debiased estimates after so many visits; `unknown` where
        no visit has ever been made."""
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
        # sums over the visits after v, from the last one back
        self._bias[:last] = np.cumsum(self.mean[:0:-1])[::-1]
        counts = np.array(self.count[:-1] if self.is_raw else self.count[1:])
        each = np.array(self.square[1:]) / np.maximum(counts - 1, 1)
        if not self.is_raw:  # one change alone is measured from 0
            each = np.where(counts == 1, np.square(self.mean[1:]), each)
        spread = np.cumsum(each[::-1])[::-1]
        # Where the latest visits changed nothing, what the visit before them did is used.
        known = np.maximum.accumulate(np.where(spread > 0, np.arange(last), -1))
        self._spread = np.where(known >= 0, spread[known], 0.0)
