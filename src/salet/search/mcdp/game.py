"""The method `mcdp` of `salet search`: a guess game in, bounds and a plan out."""

from __future__ import annotations

import os

import numpy as np

from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import Choice, Found, Recorder, SearchConfig
from salet.search.exact.model import INF
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.guessing import GuessProblem
from salet.search.mcdp.nodes import Edge, Source
from salet.search.mcdp.search import Search, check_memory
from salet.search.plan import Plan

_DRAWS = 1000
_BOUNDS_MB = 32
"""for the bounds that exact search remembers"""


def mcdp(game: Game, config: SearchConfig, recorder: Recorder) -> Found:
    """Search a game by MCDP until its bounds meet or the budget is used up."""
    search = GameSearch(game.start(), settings_of(config))
    recorder.start_clock()
    try:
        search.run(recorder, config.iterations)
    except KeyboardInterrupt:
        recorder.stop("interrupted")
    return search.found()


def settings_of(config: SearchConfig) -> McdpConfig:
    """The options of `salet search` that concern MCDP. A temperature of 0 is greedy choice."""
    default = McdpConfig()
    threshold = default.dp_threshold if config.dp_threshold is None else config.dp_threshold
    return McdpConfig(
        choice="greedy" if config.temperature == 0 else "softmax",
        temperature=config.temperature or default.temperature,
        dp_threshold=threshold,
        threads=config.threads or os.cpu_count() or 1,
        seed=config.seed,
        memory=config.memory,
    )


class GameSearch:
    """MCDP on the rest of a game from a state on."""

    def __init__(self, state: State, config: McdpConfig) -> None:
        self.game, self.state, self.config = state.game, state, config
        self.problem = GuessProblem(
            state,
            narrow=config.narrow,
            rollout=config.rollout,
            plain=config.plain,
            megabytes=_BOUNDS_MB,
        )
        check_memory(self.problem, config)
        self.search: Search[State] = Search(self.problem, config)
        self._first: tuple[Source, int] | None = None

    def run(self, recorder: Recorder, episodes: int | None) -> None:
        """Search within the recorder's budget."""
        search = self.search

        def note() -> bool:
            upper = search.root.upper if search.root.upper < INF else None
            return recorder.note(search.episodes, self.guess, self.lower, upper)

        self.problem.stop = lambda: recorder.is_late
        if note():
            search.run(note, episodes)
            note()
        if search.is_full:
            recorder.stop("memory")
        elif search.root.lower >= INF:
            recorder.stop("proven")

    # ---- what is known

    @property
    def lower(self) -> int:
        """What no plan beats; where none keeps the cap, what none would beat without it."""
        lower = int(self.search.root.lower)
        return lower if lower < INF else self.problem.least(self.state)

    @property
    def guess(self) -> str | None:
        """The first guess of the best plan known."""
        root = self.search.root
        if root.lower >= INF:
            return None
        if root.source is Source.EDGE:
            return self.game.guesses[int(root.action)]
        if self._first is None or self._first[0] is not root.source:
            self._first = (root.source, self.choose(self.state))
        return self.game.guesses[self._first[1]]

    def choose(self, state: State) -> int:
        """The guess of the best plan known in a state that it leads to."""
        problem = self.problem
        node = self.search.tree.table.get(problem.key(state))
        if len(state.candidates) <= 2 or state.guesses_left == 1:
            return problem.first_candidate(state)
        if node is None or node.source is Source.DP:
            return problem.best_guess(state)
        if node.source is Source.EDGE:
            return int(node.action)
        if node.source is Source.LOOK and node.upper < INF:
            return problem.rolled_guess(state)
        return problem.first_candidate(state)

    def plan(self) -> Plan | None:
        """The best plan known; None where no plan that keeps the cap is known."""
        root = self.search.root
        if root.upper >= INF:
            return None
        return Plan.grow(self.game, self.choose, self.state)

    def found(self) -> Found:
        """Bounds, policy and plan."""
        root, tree = self.search.root, self.search.tree
        plan = self.plan()
        upper = None if plan is None else min(root.upper, self._total(plan))
        return Found(
            guess=self.guess,
            lower=self.lower,
            upper=upper,
            policy=self._policy(),
            plan=plan,
            cap=self.game.cap,
            facts={
                "states": len(tree.table),
                "solved": tree.solved,
                "memory_mb": round((tree.most_used + self.problem.nbytes) / 1e6, 1),
                "dp_threshold": self.config.dp_threshold,
                "choice": self.config.choice,
                "temperature": self.config.temperature,
                "threads": self.config.threads,
            },
        )

    def _total(self, plan: Plan) -> int:
        weights = self.game.weights
        if weights is None:
            return sum(guesses * count for guesses, count in plan.histogram.items())
        lines = list(plan.games())
        return sum(int(weights[a]) * len(lines[a]) for a in self.state.candidates)

    def _policy(self) -> list[Choice]:
        """The guesses tried at the root and that of the plan. How likely each is best: if its value
        were anywhere between its bounds, as likely here as there."""
        root, visits = self.search.root, self.search.visits
        if self.guess is None:
            return []
        spans = {edge.action: (edge.lower, min(edge.upper, root.upper)) for edge in self._edges()}
        spans.setdefault(self.game.index(self.guess), (root.upper, root.upper))
        low, high = np.array(list(spans.values()), float).T
        rng = np.random.default_rng(self.config.seed)
        drawn = low + rng.random((_DRAWS, len(low))) * np.maximum(high - low, 0)
        won = np.bincount(drawn.argmin(axis=1), minlength=len(low)) / _DRAWS
        chances = dict.fromkeys(visits, 0.0) | dict(zip(spans, won.tolist(), strict=True))
        total = max(1, visits.total())
        rows = [
            Choice(self.game.guesses[action], chance, visits[action], visits[action] / total)
            for action, chance in chances.items()
        ]
        return sorted(rows, key=lambda row: (-row.optimal, -row.visits, row.guess))

    def _edges(self) -> list[Edge[State]]:
        """Of the root: those that could still be best."""
        root = self.search.root
        return [edge for edge in root.edges.values() if edge.lower < root.upper]
