"""MCDP on games of guess and feedback, behind `salet search --method mcdp`."""

from __future__ import annotations

import os

import numpy as np

from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import SearchConfig
from salet.search.anytime_run import (
    Findings,
    KnownPlan,
    PolicyRow,
    Recorder,
    check_memory,
    plan_total,
    totals,
)
from salet.search.exact.solver import SearchInterruptedError
from salet.search.game_process import GameProcess
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.search import McdpSearch
from salet.search.mcdp.tree import NODE_BYTES
from salet.search.process import PolicySource, ValueBounds
from salet.search.search_state import SearchState
from salet.search.value import Evaluator
from salet.search.worker_pool import WorkerPool

_DRAWS = 1000
"""Number of draws that estimate the probability that a guess is best."""
TABLE_MB = 32.0
"""Size of the transposition table of exact search."""


def mcdp(game: Game, config: SearchConfig, recorder: Recorder) -> Findings:
    """Search a game by MCDP until its bounds meet or the budget is used up."""
    search = GameSearch(game.start(), mcdp_config(config))
    search.run(recorder, config.iterations)
    return search.findings(recorder)


def mcdp_config(config: SearchConfig) -> McdpConfig:
    """The options of `salet search` that concern MCDP."""
    default = McdpConfig()
    temperature, threshold = config.temperature, config.dp_threshold
    return McdpConfig(
        temperature=default.temperature if temperature is None else temperature,
        dp_threshold=default.dp_threshold if threshold is None else threshold,
        threads=config.threads or os.cpu_count() or 1,
        seed=config.seed,
        memory=config.memory,
    )


class GameSearch:
    """An MCDP search from one state of a game."""

    def __init__(
        self, state: State, config: McdpConfig, evaluator: Evaluator | None = None
    ) -> None:
        self.game, self.state, self.config = state.game, state, config
        check_memory(config.memory, state.game)
        self.process = GameProcess(
            state.game,
            start=state,
            evaluator=evaluator,
            megabytes=TABLE_MB,
            threads=config.threads,
        )
        start = self.process.start()
        needed = self.process.nbytes + NODE_BYTES + self.process.footprint(start)
        check_memory(config.memory, state.game, needed)
        self.process.warm_up()
        self.search: McdpSearch[SearchState] = McdpSearch(self.process, config)
        self.known = KnownPlan(self.process, self._find)

    def run(self, recorder: Recorder, episodes: int | None = None) -> None:
        """Search within the recorder's budget."""
        search = self.search

        def record() -> bool:
            if search.episodes == 1:
                recorder.reserve(2 * recorder.clock.seconds)  # about the time to build a plan
            lower, upper = self.bounds
            return recorder.record(search.episodes, self.guess, lower, upper)

        recorder.start_clock()
        self.process.clock = recorder.clock
        threads = self.config.threads
        with WorkerPool(threads, tick=recorder.report, cancel=recorder.interrupt) as pool:
            search.run_tasks = pool.run_in_turn
            try:
                if record():
                    search.run(record, episodes)
                    record()
            except SearchInterruptedError:
                record()
            except KeyboardInterrupt:
                recorder.interrupt()
                recorder.stop("interrupted")
        if search.is_full:
            recorder.stop("memory")
        elif search.root.high == -np.inf:
            recorder.stop("proven")

    # ---- what is known

    @property
    def bounds(self) -> tuple[int, int | None]:
        """Lower and upper bound on the total."""
        root = self.search.root
        return totals(self.process, ValueBounds(root.low, root.high))

    @property
    def guess(self) -> str | None:
        """The first guess of the best known plan; None if no plan keeps within the cap."""
        return None if self.search.root.high == -np.inf else self.known.first_guess

    def _find(self, state: SearchState) -> tuple[PolicySource, int | None] | None:
        node = self.search.tree.table.get(state.key)
        if node is None:
            return None
        return node.source, int(node.action) if node.source is PolicySource.ACTION else None

    def findings(self, recorder: Recorder) -> Findings:
        """Bounds, policy and plan."""
        tree = self.search.tree
        lower, upper = self.bounds
        plan = None if upper is None else self.known.grow()
        if upper is not None and plan is not None:
            upper = min(upper, plan_total(plan, self.state))
            recorder.close(self.guess, lower, upper)
        return Findings(
            guess=self.guess,
            lower=lower,
            upper=upper,
            policy=self._policy(),
            plan=plan,
            cap=self.game.cap,
            facts={
                "states": len(tree.table),
                "solved": tree.solved,
                "memory_mb": round((tree.max_used + self.process.nbytes) / 1e6, 1),
                "dp_threshold": self.config.dp_threshold,
                "choice": "softmax" if self.config.temperature > 0 else "greedy",
                "temperature": self.config.temperature,
                "threads": self.config.threads,
            },
        )

    def _policy(self) -> list[PolicyRow]:
        """The guesses tried at the root, and that of the plan.

        The probability that a guess is best is estimated as if its value were uniformly distributed
        between its bounds.
        """
        root, visits = self.search.root, self.search.visits
        if self.guess is None:
            return []
        floor = root.low if root.low > -np.inf else root.high - 1
        spans = {
            int(edge.action): (max(edge.low, floor), edge.high)
            for edge in root.edges.values()
            if edge.high > floor
        }
        spans.setdefault(self.game.index(self.guess), (floor, floor))
        low, high = np.array(list(spans.values()), float).T
        rng = np.random.default_rng(self.config.seed)
        drawn = low + rng.random((_DRAWS, len(low))) * (high - low)
        won = np.bincount(drawn.argmax(axis=1), minlength=len(low)) / _DRAWS
        chances = dict.fromkeys(visits, 0.0) | dict(zip(spans, won.tolist(), strict=True))
        total = max(1, visits.total())
        rows = [
            PolicyRow(self.game.guesses[action], chance, visits[action], visits[action] / total)
            for action, chance in chances.items()
        ]
        return sorted(rows, key=lambda row: (-row.optimal, -row.visits, row.guess))
