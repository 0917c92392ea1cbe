"""One game's coach: what is dear to make, made once."""

from __future__ import annotations

import functools
from collections.abc import Collection
from pathlib import Path

from salet.array_types import Ints
from salet.coach.openers import Openers, stored_openers
from salet.coach.worth import Engines, Worth
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.game.weights import prior_weights, read_weights
from salet.numeric.jit import code_digest
from salet.plan_formats import Node
from salet.search.plan import Plan
from salet.search.shipped import shipped_plan
from salet.storage import cache_root


def compiled_before() -> bool:
    """Has a search been compiled on this machine? If not, the first one takes half a minute."""
    folder = cache_root() / "kernels" / code_digest()
    return next(folder.glob("**/engine.search-*.nbi"), None) is not None


class Coach:
    """A game, and what the coach knows of it: plan, stored openers, likelihood, solvers.

    >>> coach = Coach(Game(["apple", "angle", "ankle"]))
    >>> coach.weighting
    'equal'
    """

    def __init__(
        self, game: Game, *, past: Collection[str] = (), weights: str | Path | None = None
    ) -> None:
        """`past` are answers that were used before. `weights` (`prior`, or a file of `word weight`
        lines) enter the values; without them all answers count the same."""
        self.past = frozenset(past)
        self.weighting = "equal" if weights is None else str(weights)
        self.likely: Ints = prior_weights(game, past)
        """a weight for every guess: what orders words"""
        if weights is not None:
            own = (
                self.likely[: game.answer_count].tolist()
                if weights == "prior"
                else read_weights(Path(weights), game)
            )
            game = game.with_(weights=own)
        self.game = game
        self.engines = Engines(game)

    @functools.cached_property
    def plan(self) -> Plan | None:
        """The shipped plan of the game; None if there is none."""
        return shipped_plan(self.game)

    @functools.cached_property
    def openers(self) -> Openers | None:
        """Stored first guesses; None if there are none."""
        return stored_openers(self.game)

    def warm_up(self) -> None:
        """Load (or compile) what a search needs, for whoever has time before the first question."""
        from salet.search.partition import splits

        start = self.game.start()
        if self.game.weights is None and self.game.answer_count > 1:
            for state in (start, State(self.game, start.candidates[:2])):  # both memory orders
                splits(state, start.legal[:1])
        self.plan  # noqa: B018 -- read before the first question
        self.engines.twins()

    def planned(self, state: State) -> Node | None:
        """Where the state stands in the shipped plan; None if play has left it."""
        if self.plan is None or state.game is not self.game:
            return None
        node = self.plan.root
        for guess, feedback in state.turns:
            below = node.branches.get(feedback)
            if guess != node.guess or below is None:
                return None
            node = below
        return node

    def beside(self, game: Game) -> Coach:
        """A coach of other words of the same kind, with the same past answers."""
        if self.game.weights is not None and self.weighting != "prior":
            raise InputError(
                f"an answer outside the list has no weight in {self.weighting!r}; add a line for it"
            )
        return Coach(game, past=self.past, weights=None if self.game.weights is None else "prior")


def planned_worth(node: Node, state: State) -> tuple[Worth, int]:
    """What the plan makes of a state that stands in it: (worth, most guesses), counted."""
    game = state.game
    guess = game.index(node.guess)
    worth, most = Worth(0, len(state.candidates)), 1
    for pattern, part in state.groups(guess).items():
        if pattern == game.win:
            continue
        below = node.branches.get(game.show(pattern))
        if below is None:
            worth += Worth(len(part.candidates), 0)
            continue
        rest, deep = planned_worth(below, part)
        worth, most = worth + rest, max(most, 1 + deep)
    return worth, most
