"""The metrics of a policy run: one row for each round."""

from __future__ import annotations

from salet.learn.common.metrics import RoundMetrics


class PolicyMetrics(RoundMetrics, frozen=True, kw_only=True):
    """The metrics of one round; the network alone is evaluated on the answers of the game."""

    learning_rate: float
