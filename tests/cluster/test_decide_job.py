"""Work handed out to workers that are slow, stopped and lost at random, all in this process."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import random_games
from salet import Game, solve
from salet.cluster import decide_job, worker
from salet.cluster.connection import ClusterExecutor
from salet.cluster.jobs import ClusterTask, Job
from salet.errors import SaletError
from salet.game.state import State
from salet.search.prove import prove
from salet.search.solve import Solution

WORKERS = ("one", "two", "three")


class ErraticExecutor(ClusterExecutor):
    """Runs tasks in this process, in any order; some are stopped half-way, some never return."""

    def __init__(self, game: Game, rng: random.Random) -> None:
        super().__init__(None, game, 0.01)  # type: ignore[arg-type]
        self._rng = rng
        self.seen: Counter[str] = Counter()

    def _run(self, job: Job, progress: Callable[[], None] = lambda: None) -> None:
        rng, running = self._rng, []
        while not job.done:
            for address in WORKERS:
                task = job.take(address, ahead=rng.random() < 0.2)
                if task is not None:
                    task.address = address
                    running.append(task)
            assert running, "nothing to do and yet not done"
            task = running.pop(rng.randrange(len(running)))
            if rng.random() < 0.1:  # the worker was lost: another one gets the task
                running.append(task)
                self.seen["lost"] += 1
                continue
            job.collect(task, self._outcome(task))
            for other in running:
                self.seen["unwanted"] += not other.is_wanted
                self.seen["stale"] += other.is_stale
            progress()

    def _outcome(self, task: ClusterTask) -> worker.TaskResult:
        outcome = task.function(self._task, task.number, *task.arguments)
        if task.function in (worker.decide, worker.value) and self._rng.random() < 0.4:
            kept = self._rng.randrange(len(outcome.results) + 1)
            outcome = replace(outcome, results=outcome.results[:kept])
            task.stopping = self._rng.choice(["split", "stale"]) if task.can_split else "stale"
            self.seen[f"{task.stopping} {task.function.__name__}"] += 1
        return outcome


@pytest.fixture(autouse=True)
def small_sessions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sessions without a dask worker; and even small states are split."""
    monkeypatch.setattr(worker, "_threads", lambda: 1)
    monkeypatch.setattr(decide_job, "_MIN_SPLIT", 3)
    monkeypatch.setattr(decide_job, "MAX_AT_ONCE", 3)
    monkeypatch.setattr(decide_job, "SHARE", 4)
    yield
    worker.free_memory()


def facts(solution: Solution) -> dict[str, Any]:
    known = solution.to_dict()
    for name in ("nodes", "seconds", "cpu_seconds", "peak_mb"):
        del known[name]
    return {**known, "plan": solution.plan and solution.plan.text()}


def assert_same(state: State, executor: ClusterExecutor, **options: Any) -> None:
    alone = solve(state, threads=1, **options)
    assert facts(solve(state, executor=executor, **options)) == facts(alone)


def test_random_games_have_the_results_of_a_single_process() -> None:
    seen: Counter[str] = Counter()
    for number in range(150):
        case = random_games.case(number)
        state = random_games.state_of(case)
        executor = ErraticExecutor(state.game, random.Random(number))
        assert_same(state, executor, objective=case.objective, opener=case.opener, top=3)
        seen += executor.seen
    kinds = ("split decide", "split value", "stale decide", "stale value", "lost")
    assert {kind for kind in kinds if seen[kind]} == set(kinds)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("mastermind:3x4", {}),
        ("bulls-and-cows:3x6", {}),
        ("original:first=70,guesses=answers", {}),
        ("original:first=70,guesses=answers", {"mode": "hard"}),
        ("original:first=70,guesses=answers", {"mode": "strict", "cap": 4}),
        ("original:first=60,guesses=answers", {"weights": [1 + i % 4 for i in range(60)]}),
    ],
)
def test_larger_games_split_at_every_level(name: str, changes: dict[str, Any]) -> None:
    game = Game.named(name).replace(**changes)
    seen: Counter[str] = Counter()
    kinds = ("split decide", "split value", "unwanted")
    for seed in range(20):
        if seed >= 3 and all(seen[kind] for kind in kinds):
            break
        executor = ErraticExecutor(game, random.Random(seed))
        ranking = 3 if seed else 1
        together, alone = (
            prove(game, ranking=ranking, executor=executor),
            prove(game, ranking=ranking),
        )
        assert together.ranking == alone.ranking
        assert (together.lower, together.upper) == (alone.lower, alone.upper)
        assert_same(game.start(), executor, objective="mean-then-worst", opener=game.guesses[7])
        seen += executor.seen
    assert all(seen[kind] for kind in kinds)


def test_a_cap_that_no_opener_keeps() -> None:
    game = Game.named("original:first=70,guesses=answers").replace(cap=2)
    executor = ErraticExecutor(game, random.Random(1))
    assert prove(game, executor=executor).best is None
    assert_same(game.start(), executor)
    assert_same(game.start(), executor, objective="win-then-mean", top=2)


def test_limits_are_for_this_machine() -> None:
    game = Game.named("mastermind:2x3")
    with pytest.raises(SaletError, match="a width and a time limit are for"):
        solve(game, executor=ErraticExecutor(game, random.Random(1)), width=2)
