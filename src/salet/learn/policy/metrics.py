"""The metrics of a policy run: one row for each round."""

from __future__ import annotations

import msgspec

from salet.learn.common.metrics import MetricsRow


class PolicyMetrics(MetricsRow, frozen=True, kw_only=True):
    """The metrics of one round."""

    seconds: float
    """time spent on the run"""
    examples: int = msgspec.field(name="lessons")
    """examples in memory (the column `lessons` of the file)"""
    learning_rate: float
    loss: float
    """mean loss of the round's gradient steps"""
    hindsight: float | None
    """guesses per game in the latest self-play, with hindsight"""
    lost: int | None
    """answers of the game that the network alone loses, if it was evaluated"""
    mean: float | None
    """guesses per game of the network alone, if it was evaluated; a loss counts cap + 1"""
