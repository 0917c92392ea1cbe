"""Compare two players on the same answers: paired t-test, confidence interval, extremes."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

EXTREMES = 10
"""Number of answers that a `Comparison` lists for each side."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Differences first - second, answer by answer; negative means that the first is better."""

    answers: int
    difference: float
    """Mean difference."""
    low: float
    high: float
    """95 % confidence interval of the mean, from `low` to `high`."""
    p: float
    """p-value of the two-sided paired t-test."""
    wins: int
    """Number of answers for which the first needs fewer guesses."""
    losses: int
    ties: int
    best: list[tuple[str, float]]
    """Answers with the largest advantage of the first, with the difference."""
    worst: list[tuple[str, float]]
    """Answers with its largest disadvantage."""

    def sentence(self) -> str:
        """Say how the second player does against the first, for people."""
        mean, low, high = (0.0 - value for value in (self.difference, self.high, self.low))
        return (
            f"{mean:+.4f} guesses a game, 95 % between {low:+.4f} and {high:+.4f}, "
            f"p = {self.p:.2g}; better on {self.losses}, worse on {self.wins}, "
            f"equal on {self.ties} of {self.answers} answers"
        )


def compare(first: Mapping[str, float], second: Mapping[str, float]) -> Comparison | None:
    """Compare the costs of each answer to two players; None if they share no answer."""
    shared = {word: cost - second[word] for word, cost in first.items() if word in second}
    n = len(shared)
    if n == 0:
        return None
    values = list(shared.values())
    mean = sum(values) / n
    spread = math.fsum((value - mean) ** 2 for value in values)
    error = math.sqrt(spread / (n - 1) / n) if n > 1 else 0.0
    if error > 0:
        p = student_tail(abs(mean) / error, n - 1)
        margin = student_quantile(0.05, n - 1) * error
    else:  # all differences are equal: no variance
        p, margin = (1.0 if mean == 0 else 0.0), 0.0
    ordered = sorted(shared.items(), key=lambda item: (item[1], item[0]))
    return Comparison(
        answers=n,
        difference=mean,
        low=mean - margin,
        high=mean + margin,
        p=p,
        wins=sum(value < 0 for value in values),
        losses=sum(value > 0 for value in values),
        ties=sum(value == 0 for value in values),
        best=[(word, value) for word, value in ordered[:EXTREMES] if value < 0],
        worst=[(word, value) for word, value in ordered[::-1][:EXTREMES] if value > 0],
    )


def student_tail(t: float, freedom: int) -> float:
    """Return P(|T| >= t) for Student's T with `freedom` degrees of freedom.

    >>> round(student_tail(2.0, 10), 6)
    0.073388
    """
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def student_quantile(tail: float, freedom: int) -> float:
    """The t with P(|T| >= t) = `tail`, by bisection.

    >>> round(student_quantile(0.05, 10), 4)
    2.2281
    """
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > tail:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, freedom) > tail else (low, middle)
    return (low + high) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction.

    >>> round(incomplete_beta(2, 3, 0.4), 10)
    0.5248
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only below this point
        return 1.0 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    result = d
    for m in range(1, 1000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + factor * d or tiny)
            c = 1 + factor / c or tiny
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * result / a
