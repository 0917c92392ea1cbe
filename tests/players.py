"""Players by what tests can ask of them."""

from __future__ import annotations

from salet.strategies.registry import STRATEGIES

SURE = [name for name in STRATEGIES if not name.startswith(("dqn", "learned", "specialist"))]
"""players of every game, who win it given the time; networks play what they have learned"""
