"""The metrics of a run of the pair network: one row for each round."""

from __future__ import annotations

from salet.learn.common.metrics import RoundMetrics


class PairMetrics(RoundMetrics, frozen=True, kw_only=True):
    """The metrics of one round: of scores and shares first, then of values.

    The network alone is evaluated on a list of training words that is not trained on.
    """
