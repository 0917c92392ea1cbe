"""Tree search on games of guess and feedback: what `salet search --method mcts` calls."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import (
    Choice,
    Found,
    Memory,
    Recorder,
    SearchConfig,
    check_memory,
    too_small,
)
from salet.search.guessing import Effort, GuessProcess, Position
from salet.search.mcts.faithful import FaithfulSearch
from salet.search.mcts.pickers import picker_named
from salet.search.mcts.search import TreeSearch, chances
from salet.search.mcts.tree import LOW, Node
from salet.search.plan import Plan

TABLE_MB = 64.0
"""most memory for the bounds that exact search remembers"""

GameNode = Node[Position, int]


def mcts(game: Game, config: SearchConfig, recorder: Recorder) -> Found:
    """Search a game from its start."""
    return search_from(game.start(), config, recorder)


def search_from(
    start: State,
    config: SearchConfig,
    recorder: Recorder,
    process: GuessProcess | None = None,
) -> Found:
    """Search from any state; totals count the guesses from there. A process at hand saves the
    time that making one takes."""
    if config.faithful:
        if config.top_k not in (None, 1):
            raise InputError(f"--faithful explores one guess at a time, not {config.top_k}")
        if start.history:
            raise InputError("the published search begins with no guess made")
        start = start.game.with_(cap=None).start()
    picker = picker_named(config.picker)
    check_memory(config.memory, start.game)
    process = process_from(start, config) if process is None else process.at(start)
    process.get_ready()
    memory = Memory(config.memory)
    recorder.start_clock()
    with _threads(1 if config.faithful else config.threads) as executor:
        search: FaithfulSearch[Position, int] | TreeSearch[Position, int]
        if config.faithful:
            search = FaithfulSearch(process, picker, config.seed)
        else:
            search = TreeSearch(
                process, picker, seed=config.seed, top_k=config.top_k or 2, executor=executor
            )
        root = search.root
        is_proof = isinstance(search, TreeSearch) and search.is_exhaustive
        try:
            while recorder.note(search.iteration, *_facts(process, root, is_proof)):
                if memory.is_used_up():
                    if search.iteration == 0:
                        raise too_small(config.memory, start.game)
                    recorder.stop("memory")
                    break
                if root.is_solved:
                    recorder.stop("proven" if is_proof else "exhausted")
                    break
                search.iterate()
        except KeyboardInterrupt:
            recorder.stop("interrupted")
    guess, lower, upper = _facts(process, root, is_proof)
    plan = None if upper is None else _plan(process, root)
    if plan is not None:
        guess, upper = plan.root.guess, _total(plan, start)
        if not config.faithful:  # the published curve is of the published bound
            recorder.close(guess, lower, upper)
    return Found(
        guess=guess,
        lower=lower,
        upper=upper,
        policy=_policy(start.game, root, config),
        plan=plan,
        cap=start.game.cap,
        facts={"states": search.states},
    )


def process_from(start: State, config: SearchConfig) -> GuessProcess:
    """The game as the config wants it searched."""
    if config.faithful:
        return GuessProcess(start.game, predictor=config.predictor, effort=None)
    return GuessProcess(
        start.game,
        start=start,
        predictor=config.predictor,
        effort=Effort() if config.dp_threshold is None else Effort(config.dp_threshold, None),
        megabytes=min(TABLE_MB, config.memory * 1024 / 4),
    )


@contextlib.contextmanager
def _threads(count: int | None) -> Iterator[ThreadPoolExecutor | None]:
    number = count or os.cpu_count() or 1
    if number == 1:
        yield None
        return
    executor = ThreadPoolExecutor(number)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _facts(
    process: GuessProcess, root: GameNode, is_proof: bool
) -> tuple[str | None, int, int | None]:
    """Guess, lower and upper, as totals."""
    weight = process.weight(root.state.state)
    high = root.high if is_proof and root.high > -math.inf else process.bounds(root.state).high
    lower = math.ceil(-high * weight - 0.5) if math.isfinite(high) else weight
    upper = None if root.low == -math.inf else round(-root.low * weight)
    guess = None
    if root.actions and root.high > -math.inf:
        sure = int(root.row(LOW).argmax())
        best = root.actions[sure if upper is not None else root.best]
        guess = process.game.guesses[best]
    return guess, lower if upper is None else min(lower, upper), upper


def _policy(game: Game, root: GameNode, config: SearchConfig) -> list[Choice]:
    """Each kept guess: how likely it is the best, how often it was visited."""
    if not root.actions:
        return []
    visits = root.action_visits
    power = (visits / max(1, visits.max())) ** (1 / (config.temperature or 1.0))
    share = power / max(power.sum(), 1e-300)
    rows = zip(root.actions, chances(root, config.seed), visits, share, strict=True)
    return [
        Choice(game.guesses[action], float(chance), int(number), float(part))
        for action, chance, number, part in rows
    ]


def _plan(process: GuessProcess, root: GameNode) -> Plan:
    """The plan behind the root's bound: in every state the guess whose worst case is best.

    The sets of answers that one plan meets are all different (groups of one guess are disjoint,
    what follows is smaller), so a state has one node here even where the tree has several.
    """
    nodes = {root.state: root}
    solved: dict[int, State] = {}  # by identity: below these exact search goes on

    def choose(at: State) -> int:
        node = nodes.pop(Position(at), None)
        if node is not None and node.actions:
            sure = int(node.row(LOW).argmax())
            branches = node.branches[sure]
            if branches is not None and node.row(LOW)[sure] >= node.low - node.tolerance:
                nodes.update((child.state, child) for _, _, child in branches)
                return node.actions[sure]
        if id(at.previous) in solved or (node is not None and node.is_refined):
            solved[id(at)] = at
            return process.best(at)
        return process.choose(at)

    return Plan.grow(root.state.state.game, choose, root.state.state)


def _total(plan: Plan, start: State) -> int:
    """What the plan takes, by weight."""
    weights = start.game.weights
    if weights is None:
        return sum(size * count for size, count in plan.histogram.items())
    lengths = [len(line) for line in plan.games()]
    return int(np.dot(weights, lengths))
