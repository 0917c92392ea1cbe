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
    from salet.coach.advice import Advice
    from salet.coach.analysis import Analysis
    from salet.coach.coach import AdviceOptions, Coach
    from salet.coach.position import Position
    from salet.errors import SaletError
    from salet.game.feedback import score
    from salet.game.game import Game
    from salet.game.state import State
    from salet.search.anytime import SearchConfig, SearchResult, anytime_search
    from salet.search.opener_table import Opener
    from salet.search.openers import openers
    from salet.search.plan import Plan
    from salet.search.process import DecisionProcess
    from salet.search.prove import Proof, prove
    from salet.search.solve import Solution, solve
    from salet.strategies.base import Strategy
    from salet.strategies.registry import strategy_named
    from salet.strategies.simulate import Simulation, simulate
    from salet.verification.plans import Verdict, verify

    __version__: str

__all__ = [
    "Advice",
    "AdviceOptions",
    "Analysis",
    "Coach",
    "DecisionProcess",
    "Game",
    "Opener",
    "Plan",
    "Position",
    "Proof",
    "SaletError",
    "SearchConfig",
    "SearchResult",
    "Simulation",
    "Solution",
    "State",
    "Strategy",
    "Verdict",
    "anytime_search",
    "openers",
    "prove",
    "score",
    "simulate",
    "solve",
    "strategy_named",
    "verify",
]

_HOMES = {
    "Advice": "salet.coach.advice",
    "AdviceOptions": "salet.coach.coach",
    "Analysis": "salet.coach.analysis",
    "Coach": "salet.coach.coach",
    "DecisionProcess": "salet.search.process",
    "Game": "salet.game.game",
    "Opener": "salet.search.opener_table",
    "Plan": "salet.search.plan",
    "Position": "salet.coach.position",
    "Proof": "salet.search.prove",
    "SaletError": "salet.errors",
    "SearchConfig": "salet.search.anytime",
    "SearchResult": "salet.search.anytime",
    "Simulation": "salet.strategies.simulate",
    "Solution": "salet.search.solve",
    "State": "salet.game.state",
    "Strategy": "salet.strategies.base",
    "Verdict": "salet.verification.plans",
    "anytime_search": "salet.search.anytime",
    "openers": "salet.search.openers",
    "prove": "salet.search.prove",
    "score": "salet.game.feedback",
    "simulate": "salet.strategies.simulate",
    "solve": "salet.search.solve",
    "strategy_named": "salet.strategies.registry",
    "verify": "salet.verification.plans",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from salet.version import version

        return version()
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'salet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
