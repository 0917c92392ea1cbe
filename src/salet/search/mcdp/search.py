"""Episodes: from the root choose an action, draw a state that follows, and so on until there is one
to evaluate; then back up what was found.

A state is evaluated in steps: if it is small, dynamic programming solves it. Otherwise one look at
all actions gives better bounds; when it is met again it is expanded, and episodes pass through it.

Every step hands down a *limit*: a state whose value reaches it cannot be part of a plan that beats
the one known. An action with lower bound l is within the limit if l < limit; the state drawn after
it, of lower bound m, has the limit m + (limit - l) / weight, since once its own lower bound rises
to that the action's rises to the limit. Dynamic programming need not find values beyond it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats
from salet.errors import InputError
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.nodes import NODE_BYTES, Edge, Node, Source, Tree
from salet.search.mcdp.problem import Actions, Number, Problem, Span, State, Steps

_NEGLIGIBLE = 25.0
"""actions that look so many temperatures worse than the best are left out of the softmax: together
they would be drawn once in 10**7 times"""

Note = Callable[[], bool]
"""told after every change; False: stop"""


@dataclass(frozen=True)
class Task(Generic[State]):
    """A state to be evaluated, outside the lock."""

    node: Node[State]
    state: State
    step: str
    """solve, look or expand a state, or follow an action"""
    limit: Number
    among: NDArray[Any] | None = None
    action: Any = None


class Search(Generic[State]):
    """An MCDP search of one problem, which can be run on and on."""

    def __init__(self, problem: Problem[State], config: McdpConfig) -> None:
        self.problem, self.config = problem, config
        self.tree: Tree[State] = Tree(problem, config)
        self.episodes = 0
        self.visits: Counter[Any] = Counter()
        """of the actions at the root"""
        self.is_full = False
        """memory does not suffice to go on"""
        self._rng = np.random.default_rng(config.seed)
        self._lock = threading.Condition()
        self._most = int(config.memory * 1e9) - problem.nbytes

    @property
    def root(self) -> Node[State]:
        return self.tree.root

    @property
    def is_done(self) -> bool:
        return self.tree.is_solved(self.root)

    def run(self, note: Note, episodes: int | None = None) -> None:
        """Search until the root is solved, `note` says stop, memory is full, or for so many
        episodes."""
        end = None if episodes is None else self.episodes + episodes
        if self.config.threads == 1:
            self._run_queued(note, end, None)
            return
        with ThreadPoolExecutor(self.config.threads) as pool:
            if self.config.updates == "queue":
                self._run_queued(note, end, pool)
            else:
                self._run_locked(note, end, pool)

    # ---- who evaluates, who updates

    def _run_queued(self, note: Note, end: int | None, pool: Executor | None) -> None:
        """Threads evaluate a batch; this thread alone selects and applies, in order."""
        batch = 1 if pool is None else self.config.threads * self.config.batch
        while not self.is_done and not self.is_full and (end is None or self.episodes < end):
            tasks = []
            for _ in range(batch if end is None else min(batch, end - self.episodes)):
                task = self._select()
                if task is not None:
                    tasks.append(task)
            if pool is None or len(tasks) == 1:
                results = [self._evaluate(task) for task in tasks]
            else:
                results = list(pool.map(self._evaluate, tasks))
            for task, result in zip(tasks, results, strict=True):
                self._apply(task, result)
            self._keep_within_memory()
            if not note():
                return

    def _run_locked(self, note: Note, end: int | None, pool: Executor) -> None:
        """Every thread runs its own episodes, and has the tables to itself while it updates."""
        stopping = False

        def is_over() -> bool:
            enough = end is not None and self.episodes >= end
            return stopping or self.is_done or self.is_full or enough

        def work() -> None:
            while True:
                with self._lock:
                    if is_over():
                        return
                    task = self._select()
                    if task is None:
                        self._lock.wait(0.001)  # others may be at the states worth a visit
                        continue
                result = self._evaluate(task)
                with self._lock:
                    self._apply(task, result)
                    self._keep_within_memory()
                    self._lock.notify_all()

        workers = [pool.submit(work) for _ in range(self.config.threads)]
        try:
            with self._lock:
                while not is_over() and not any(worker.done() for worker in workers):
                    self._lock.wait(0.1)
                    if not note():
                        break
        finally:
            stopping = True
        for worker in workers:
            worker.result()

    def _keep_within_memory(self) -> None:
        if self.tree.used <= self._most:
            return
        self.is_full = not self.tree.shrink(self._most)
        if self.is_full and self.root.best is None:
            needed = (self.tree.used + self.problem.nbytes) / 1e9
            raise InputError(
                f"memory {self.config.memory:g} GB is too small for the first state, which needs "
                f"{needed:.2g} GB: give --memory more"
            )

    # ---- an episode

    def _select(self) -> Task[State] | None:
        """Walk down to a state to evaluate; None where the way ends without one."""
        self.episodes += 1
        tree, node = self.tree, self.root
        limit: Number = node.upper
        while not node.busy and not tree.is_solved(node):
            node.last = self.episodes
            task = self._task(node, limit)
            if task is not None:
                node.busy = True
                return task
            place = self._choose(node, limit)
            if place is None:
                return None
            assert node.actions is not None and node.state is not None
            action = node.actions.ids[place].item()
            if node is self.root:
                self.visits[action] += 1
            edge = node.edges.get(action)
            if edge is None:
                node.following.add(action)
                return Task(node, node.state, "follow", limit, action=action)
            drawn = self._draw(edge)
            if drawn is None or edge.lower >= limit:
                return None
            weight, child = drawn
            spare = limit - edge.lower
            window = self.problem.infinite
            if spare < window:
                window = child.lower + (spare if weight == 1 else spare / weight)
            limit = min(child.upper, window) if self.config.memoise else child.upper
            node = child
        return None

    def _task(self, node: Node[State], limit: Number) -> Task[State] | None:
        assert node.state is not None  # it is not solved
        if self.problem.is_small(node.state, self.config.dp_threshold):
            return Task(node, node.state, "solve", limit)
        if node.looked is None:
            return Task(node, node.state, "look", limit)
        if node.actions is None:
            return Task(node, node.state, "expand", limit, _inherited(node))
        return None

    def _evaluate(self, task: Task[State]) -> Span | Actions | Steps:
        if task.step == "solve":
            return self.problem.solve(task.state, task.limit)
        if task.step == "look":
            return self.problem.look(task.state)
        if task.step == "expand":
            return self.problem.expand(task.state, task.among)
        return self.problem.follow(task.state, task.action, task.limit)

    def _apply(self, task: Task[State], result: Span | Actions | Steps) -> None:
        if isinstance(result, Steps):
            self.tree.attach(task.node, task.action, result, task.limit)
            return
        task.node.busy = False
        if isinstance(result, Actions):
            self.tree.expand(task.node, result)
        else:
            source = Source.DP if task.step == "solve" else Source.LOOK
            self.tree.improve(task.node, result, source)

    # ---- chance

    def _choose(self, node: Node[State], limit: Number) -> int | None:
        """The place of the action to try."""
        config, actions = self.config, node.actions
        assert actions is not None
        if config.memoise:
            within = actions.lowers < min(limit, node.upper) - self.problem.tolerance
            places = np.flatnonzero(within)
        else:
            places = np.arange(len(actions.ids))
        if node.following:
            places = places[~np.isin(actions.ids[places], list(node.following))]
        if not len(places):
            return None
        if config.choice == "on-policy":
            return self._on_policy(node, places)
        scores = self._scores(node, actions)[places]
        if config.choice == "greedy":
            return int(places[np.argmax(scores)])
        best = scores.max()
        near = np.flatnonzero(scores >= best - _NEGLIGIBLE * config.temperature)
        shares = np.cumsum(np.exp((scores[near] - best) / config.temperature))
        return int(places[near[self._drawn(shares)]])

    def _on_policy(self, node: Node[State], places: NDArray[np.intp]) -> int:
        """Mostly the action of the best plan known; sometimes, or where it is out, any."""
        best = None if node.best is None else node.best.place
        if best is None or best not in places or self._rng.random() < self.config.exploration:
            return int(self._rng.choice(places))
        return best

    def _scores(self, node: Node[State], actions: Actions) -> Floats:
        if actions.scores is not None:
            return actions.scores
        assert node.state is not None
        again = self.problem.expand(node.state, _inherited(node))
        assert again.scores is not None
        scores = dict(zip(again.ids.tolist(), again.scores.tolist(), strict=True))
        return np.array([scores.get(action, 0.0) for action in actions.ids.tolist()])

    def _draw(self, edge: Edge[State]) -> tuple[Number, Node[State]] | None:
        """A state that follows, in proportion to what is open of it; none in evaluation."""
        children = self.tree.children(edge)
        if self.config.memoise:
            free = [pair for pair in children if not pair[1].busy]
            shares = np.cumsum([float(w * self.tree.gap(child)) for w, child in free])
        else:
            free = children
            shares = np.cumsum([float(child.size) for _, child in free])
            if self._rng.random() * edge.owner.size < edge.settled:
                return None
        return free[self._drawn(shares)] if free else None

    def _drawn(self, shares: Floats) -> int:
        """A place, from running sums of shares."""
        return int(np.searchsorted(shares[:-1], self._rng.random() * shares[-1], side="right"))


def _inherited(node: Node[Any]) -> NDArray[Any] | None:
    for edge in node.parents:
        if edge.owner.actions is not None:
            return edge.owner.actions.inherit
    return None


def check_memory(problem: Problem[Any], config: McdpConfig) -> None:
    """Refuse a limit that leaves no room for the first state."""
    least = problem.nbytes + NODE_BYTES + problem.footprint(problem.start())
    if config.memory * 1e9 < least:
        raise InputError(
            f"memory {config.memory:g} GB is too small for the first state, which needs "
            f"{least / 1e9:.2g} GB: give --memory more"
        )
