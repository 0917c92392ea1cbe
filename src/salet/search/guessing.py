"""Every game of guess and feedback as a decision process.

A state is a set of answers with what may still be done about it; an action is a guess; an outcome
is a group of answers that give the same feedback. The reward is -1 a guess, so that the value of
a state is minus the mean number of guesses it takes. A state in which the cap cannot be kept is
worth -inf.

What the game knows beyond the rules is offered through the interface: guesses ranked by a
heuristic, in one scan; bounds with the proofs of `exact/bounds.py`; and exact values of small
states from exact search, of larger ones for more effort.
"""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from salet.array_types import Floats, Indices
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.state import State
from salet.search.exact.model import INF
from salet.search.exact.solver import Solver
from salet.search.heuristics import Costs, entropic, statistical
from salet.search.mdp import Bounds, DecisionProcess, Outcome, Ranked, Ranking
from salet.search.splits import Splits, splits
from salet.search.terms import hints_of, rules_of, warm_up

PREDICTORS: Mapping[str, Callable[[Splits], Costs]] = MappingProxyType(
    {"entropic": entropic, "statistical": statistical}
)
"""name -> expected guesses of each guess, from the groups it makes"""

_MANY = 4
"""so many symmetries left in a state make a search by hand cheaper than one that knows of none"""

MOST_WEIGHT = 1 << 40
"""means of totals beyond this cannot be told apart in floating point"""


def predictor_named(name: str) -> Callable[[Splits], Costs]:
    """The base predictor of that name, or an error that suggests one."""
    if name not in PREDICTORS:
        raise UnknownNameError("predictor", name, PREDICTORS)
    return PREDICTORS[name]


class Position:
    """A state of a game, equal to every other with the same future: the same answers possible,
    the same guesses legal, and as many guesses left, as far as that matters."""

    __slots__ = ("key", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        left, answers = state.guesses_left, len(state.candidates)
        # More guesses than answers are never needed [exact/bounds.py, useful depth].
        depth = answers if left is None else min(left, answers)
        legal = b"" if state.game.mode == "normal" else _digest(state.legal)
        self.key = (_digest(state.candidates), depth, legal, state.won)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __repr__(self) -> str:
        turns = " ".join(f"{guess}:{feedback}" for guess, feedback in self.state.turns)
        return f"{turns or 'start'} ({len(self.state.candidates)} answers)"


def _digest(numbers: Indices) -> bytes:
    data = numbers.tobytes()
    return data if len(data) <= 16 else hashlib.blake2b(data, digest_size=16).digest()


@dataclass(frozen=True)
class Effort:
    """Which states are solved exactly instead of searched."""

    small: int = 256
    """answers of a state that is solved when it is met"""
    growth: int | None = 2
    """a state may be so many times larger for every visit; None: no larger one is ever solved"""

    def visits(self, answers: int) -> int | None:
        """After how many visits a state of so many answers is solved; None: never."""
        if answers <= self.small:
            return 0
        if self.growth is None or self.small == 0:
            return None
        return math.ceil(math.log(answers / self.small, self.growth) - 1e-9)


class GuessProcess(DecisionProcess[Position, int]):
    """A game as a decision process. Guesses are places in the game's order."""

    def __init__(
        self,
        game: Game,
        *,
        start: State | None = None,
        predictor: str = "entropic",
        effort: Effort | None = Effort(),
        megabytes: float = 64,
    ) -> None:
        """`effort` None: no exact search, every guess tried however alike they are, and what any
        player is sure of instead of good bounds (n guesses for n answers): the game as the
        published search saw it."""
        self.game = game
        self.predictor = predictor_named(predictor)
        self._effort = effort
        self._start = Position(game.start() if start is None else start)
        weight = game.answer_count if game.weights is None else int(game.weights.sum())
        if weight > MOST_WEIGHT:
            raise InputError(
                f"the weights of {game.name} sum to {weight}; anytime search can tell totals "
                f"apart up to a sum of {MOST_WEIGHT}"
            )
        self._megabytes = megabytes

    @cached_property
    def _solvers(self) -> _Solvers:
        return _Solvers(self.game, self._megabytes)

    def at(self, start: State) -> GuessProcess:
        """The same game from another state; what exact search remembers is shared."""
        other = copy.copy(self)
        other._start = Position(start)
        return other

    def get_ready(self) -> None:
        """Table, kernels and symmetries, so that clocks can start."""
        self.game.symmetry  # noqa: B018
        splits(self._start.state, np.zeros(1, np.int32))
        if self._effort is not None:
            self._solvers  # noqa: B018

    # ---- the rules

    def start(self) -> Position:
        return self._start

    def is_terminal(self, state: Position) -> bool:
        return state.state.won

    def actions(self, state: Position) -> Sequence[int]:
        return [int(guess) for guess in state.state.legal]

    def outcomes(self, state: Position, action: int) -> list[Outcome[Position]]:
        here = state.state
        weight = self.weight(here)
        return [
            Outcome(self.weight(below) / weight, -1.0, Position(below))
            for below in here.groups(action).values()
        ]

    def predict(self, state: Position, action: int) -> float:
        found = splits(state.state, np.array([action], np.int32))
        return -float(self.predictor(found)[0]) if found.answers > 1 else -1.0

    # ---- what is known beyond them

    def choose(self, here: State) -> int:
        """A guess that keeps the bounds that the process gave: the best one where the state is
        small enough to be solved, otherwise the heaviest answer."""
        candidates, left = here.candidates, here.guesses_left
        if len(candidates) > 2 and left != 1 and self.effort(Position(here)) == 0:
            return self.best(here)
        weights = self.game.weights
        return int(candidates[0 if weights is None else np.argmax(weights[candidates])])

    def best(self, here: State) -> int:
        """The best guess of a state, from exact search."""
        return self._solvers.best(here)

    def weight(self, state: State) -> int:
        """How many answers are left, by weight."""
        weights = self.game.weights
        return len(state.candidates) if weights is None else int(weights[state.candidates].sum())

    def ranked(self, state: Position, tried: Set[int], count: int, above: float) -> Ranking[int]:
        here = state.state
        found, costs, highs = self._scan(here)
        fresh = np.isfinite(costs) & (highs > above)
        if tried:
            fresh &= ~np.isin(found.guesses, np.fromiter(tried, np.int32, len(tried)))
        if self._effort is not None and not self.game.symmetry.is_none:
            made = [guess for guess, _ in here.history]
            fresh &= self.game.symmetry.representatives(made)[found.guesses]
        alike = _Alike(here, tried, self._effort is not None)
        rows: list[Ranked[int]] = []
        while not rows and fresh.any():  # all of them may be like ones that were tried
            order = _least(costs, np.flatnonzero(fresh).astype(np.int32), count)
            fresh[order] = False
            rows = [
                Ranked(int(found.guesses[place]), -float(costs[place]), float(highs[place]))
                for place in order
                if alike.is_new(int(found.guesses[place]))
            ]
        rest = float(np.max(highs, where=fresh, initial=-math.inf))
        return Ranking(rows, rest)

    def _scan(self, here: State) -> tuple[Splits, Floats, Floats]:
        """Predicted guesses of every legal guess, and a bound on the value of each."""
        found = splits(here)
        costs = np.asarray(self.predictor(found), float)
        if self.game.weights is None:  # [exact/bounds.py, guess bound]
            least = 3 * found.answers - found.parts - found.is_candidate
            return found, costs, -least / found.answers
        weights = self.game.weights[here.candidates]
        heaviest = float(weights.max()) / float(weights.sum())  # [bounds.py, candidates only]
        return found, costs, np.where(found.is_candidate, heaviest - 2, -2.0)

    def bounds(self, state: Position) -> Bounds:
        here = state.state
        if here.won:
            return Bounds(0.0, 0.0)
        answers, left = len(here.candidates), here.guesses_left
        weight = self.weight(here)
        weights = (
            np.ones(answers)
            if self.game.weights is None
            else np.sort(self.game.weights[here.candidates].astype(float))[::-1]
        )
        best = 2 - float(weights[0]) / weight  # [exact/bounds.py, size bound]
        if left is not None and left < min(answers, 2):
            return Bounds(-math.inf, -math.inf)
        if answers == 1 or (answers == 2 and self._effort is not None):
            return Bounds(-best, -best)
        if self._effort is None:
            return Bounds(-float(answers), -best)
        if left is not None and left < answers:
            return Bounds(-math.inf, -best)
        # One answer after the other, the heaviest first: always legal, and no game takes longer.
        one_by_one = float(weights @ np.arange(1, answers + 1)) / weight
        return Bounds(-one_by_one, -best)

    def effort(self, state: Position) -> int | None:
        if self._effort is None:
            return None
        answers = len(state.state.candidates)
        made = [guess for guess, _ in state.state.history]
        if self.game.symmetry.size(made) >= _MANY:
            # Exact search knows of no symmetry below: one that does is faster on large states.
            return 0 if 2 * answers <= self._effort.small else None
        return self._effort.visits(answers)

    def refine(self, state: Position) -> Bounds:
        total = self._solvers.value(state.state)
        value = -math.inf if total >= INF else -total / self.weight(state.state)
        return Bounds(value, value)

    def resolution(self, state: Position) -> float:
        return 1 / self.weight(state.state)


class _Alike:
    """Tells guesses that split the answers as an earlier one does, so that one is enough.

    In normal mode what follows a guess depends on the groups alone, however they are named. Where
    both guesses are possible answers, each is a group of its own, found at once by one guess and
    next by the other, so the totals are equal if the answers weigh the same; a possible answer is
    never left out for a guess that is none.
    """

    def __init__(self, state: State, tried: Set[int], applies: bool) -> None:
        game = state.game
        self.table, self.candidates = game.table, state.candidates
        self.answers = set(state.candidates.tolist())
        self.applies = applies and game.mode == "normal" and game.weights is None
        self.seen: set[bytes] = set()
        for guess in tried:
            self.is_new(guess)

    def is_new(self, guess: int) -> bool:
        if not self.applies:
            return True
        row = self.table[guess, self.candidates]
        _, first, groups = np.unique(row, return_index=True, return_inverse=True)
        # a group is known by its first answer
        key = bytes([guess in self.answers]) + first[groups].astype(np.uint16).tobytes()
        if key in self.seen:
            return False
        self.seen.add(key)
        return True


class _Solvers:
    """Exact search for as many threads as ask at once; they share what they remember."""

    def __init__(self, game: Game, megabytes: float) -> None:
        rules = rules_of(game)
        warm_up(rules)
        self._first = Solver(rules, megabytes=megabytes)
        self._free = [self._first]

    @contextmanager
    def _one(self) -> Iterator[Solver]:
        try:
            mine = self._free.pop()
        except IndexError:
            mine = self._first.twin()
        try:
            yield mine
        finally:
            self._free.append(mine)

    def value(self, state: State) -> int:
        with self._one() as solver:
            return solver.value(hints_of(state))

    def best(self, state: State) -> int:
        with self._one() as solver:
            history = hints_of(state)
            return solver.equal(history, solver.value(history), 1)[0]


def _least(costs: Floats, places: Indices, count: int) -> Indices:
    """Up to `count` of the places, by cost; the earlier of equal ones first."""
    if len(places) > count:
        kept = costs[places]
        places = places[kept <= np.partition(kept, count)[count]]
    return places[np.argsort(costs[places], kind="stable")][:count]
