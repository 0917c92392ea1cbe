"""Perfect play, anytime search and learning for Wordle and every game of guess and feedback.

>>> import salet
>>> salet.score("error", "heron")
'YBGGB'

Names are loaded when they are first used, so importing salet is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salet.about import version
    from salet.errors import SaletError
    from salet.game.feedback import score
    from salet.game.game import Game
    from salet.game.state import State
    from salet.strategies.base import Strategy
    from salet.strategies.registry import strategy_named
    from salet.strategies.simulate import Simulation, simulate

__all__ = [
    "Game",
    "SaletError",
    "Simulation",
    "State",
    "Strategy",
    "score",
    "simulate",
    "strategy_named",
    "version",
]

_HOMES = {
    "Game": "salet.game.game",
    "SaletError": "salet.errors",
    "Simulation": "salet.strategies.simulate",
    "State": "salet.game.state",
    "Strategy": "salet.strategies.base",
    "score": "salet.game.feedback",
    "simulate": "salet.strategies.simulate",
    "strategy_named": "salet.strategies.registry",
    "version": "salet.about",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'salet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
