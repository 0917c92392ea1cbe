"""Tree search on games of guess and feedback, behind `salet search --method mcts`."""

from __future__ import annotations

import math
import os

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.action_bounds import ActionBounds
from salet.search.anytime import SearchConfig
from salet.search.anytime_run import (
    Find,
    Findings,
    KnownPlan,
    MemoryLimit,
    PolicyRow,
    Recorder,
    check_memory,
    memory_error,
    plan_total,
    totals,
)
from salet.search.exact.solver import SearchInterruptedError
from salet.search.game_process import GameProcess
from salet.search.mcts.faithful import FaithfulSearch
from salet.search.mcts.pickers import picker_named
from salet.search.mcts.search import TreeSearch, best_probabilities
from salet.search.mcts.tree import LOW, TreeNode
from salet.search.process import PolicySource, ValueBounds
from salet.search.search_state import SearchState
from salet.search.worker_pool import WorkerPool

DP_THRESHOLD = 256
"""Largest number of answers for which a new state is solved exactly."""
GROWTH = 2
"""Factor by which the threshold grows with every visit to a state."""
TABLE_MB = 64.0
"""Maximum size of the transposition table of exact search."""

GameNode = TreeNode[SearchState, int]
GameTree = TreeSearch[SearchState, int] | FaithfulSearch[SearchState, int]


class PublishedGameProcess(GameProcess):
    """A game as the published search models it: no exact values, all guesses, and n guesses for n
    answers as the only known plan."""

    prunes_equivalent = False

    def bounds(self, state: SearchState) -> ValueBounds:
        answers = len(state.state.candidates)
        if answers == 1 or state.state.won:
            return super().bounds(state)
        return ValueBounds(-float(answers), super().bounds(state).high)


def mcts(game: Game, config: SearchConfig, recorder: Recorder) -> Findings:
    """Search a game from its start."""
    return search_from(game.start(), config, recorder)


def search_from(
    start: State,
    config: SearchConfig,
    recorder: Recorder,
    process: GameProcess | None = None,
) -> Findings:
    """Search from any state; totals count the guesses from there.

    `process` is one of the same game that has been warmed up (default: a new one).
    """
    picker = picker_named(config.picker)
    if config.faithful:
        start = _without_cap(start, config)
    check_memory(config.memory, start.game)
    if process is None:
        process = process_of(start.game, config)
        process.warm_up()
    memory = MemoryLimit(config.memory, start.game)
    recorder.start_clock()
    process = process.at(start, recorder.clock)
    threads = 1 if config.faithful else config.threads or os.cpu_count() or 1
    with WorkerPool(threads, tick=recorder.report, cancel=recorder.interrupt) as pool:
        search: GameTree
        if config.faithful:
            search = FaithfulSearch(process, picker, config.seed)
        else:
            search = TreeSearch(
                process,
                picker,
                seed=config.seed,
                top_k=config.top_k or 2,
                dp_threshold=DP_THRESHOLD if config.dp_threshold is None else config.dp_threshold,
                growth=GROWTH if config.dp_threshold is None else 1,
                bounds=None if picker.first else _bounds(process, start),
                run=pool.run,
            )
        known = KnownPlan(process, _finder(search))
        try:
            _iterate(search, process, known, recorder, memory, config)
        except KeyboardInterrupt:
            recorder.stop("interrupted")
            recorder.interrupt()
    guess, lower, upper = _facts(search, process, known)
    plan = None if upper is None else known.grow()
    if plan is not None:
        guess, upper = plan.root.guess, plan_total(plan, start)
        if not config.faithful:  # the published curve is that of the published bound
            recorder.close(guess, lower, upper)
    return Findings(
        guess=guess,
        lower=lower,
        upper=upper,
        policy=_policy(start.game, search.root, guess, config),
        plan=plan,
        cap=start.game.cap,
        facts={"states": search.states},
    )


def process_of(game: Game, config: SearchConfig) -> GameProcess:
    """The decision process that the config asks for."""
    kind = PublishedGameProcess if config.faithful else GameProcess
    megabytes = min(TABLE_MB, config.memory * 1024 / 4)
    return kind(game, predictor=config.predictor, megabytes=megabytes)


def _bounds(process: GameProcess, start: State) -> ActionBounds[SearchState] | None:
    """Bounds of all guesses at the root, if they can be bounded by scans."""
    if not process.can_bound_parts(start):
        return None
    alone = process.at(start, process.clock, is_shared=False)
    return ActionBounds(alone, alone.start())


def _without_cap(start: State, config: SearchConfig) -> State:
    """The start of the same game without a cap, which the published search does not support."""
    if config.top_k not in (None, 1):
        raise InputError(f"--faithful explores one guess at a time, not {config.top_k}")
    if start.history:
        raise InputError("the published search begins with no guess made")
    return start.game.replace(cap=None).start()


def _iterate(
    search: GameTree,
    process: GameProcess,
    known: KnownPlan,
    recorder: Recorder,
    memory: MemoryLimit,
    config: SearchConfig,
) -> None:
    """Iterate until the result is proven or a limit is reached."""

    def record() -> bool:
        return recorder.record(search.iteration, *_facts(search, process, known))

    try:
        record()
        if isinstance(search, TreeSearch):
            search.begin()
            recorder.reserve(2 * recorder.clock.seconds)  # about the time to build a plan
        while record():
            if memory.is_exceeded():
                if search.iteration == 0:
                    raise memory_error(config.memory, process.game)
                recorder.stop("memory")
                return
            if search.root.is_solved:
                recorder.stop("proven" if _is_proof(search) else "exhausted")
                return
            search.iterate()
    except SearchInterruptedError:
        record()


def _is_proof(search: GameTree) -> bool:
    return isinstance(search, TreeSearch) and search.is_exhaustive


def _facts(
    search: GameTree, process: GameProcess, known: KnownPlan
) -> tuple[str | None, int, int | None]:
    """The best known first guess, and both bounds as totals."""
    root = search.root
    high = root.high if _is_proof(search) else process.bounds(root.state).high
    lower, upper = totals(process, ValueBounds(root.low, high))
    if upper is not None:
        return known.first_guess, lower, upper
    if root.actions and root.high > -math.inf:
        return process.game.guesses[root.actions[root.best]], lower, upper
    return None, lower, upper


def _finder(search: GameTree) -> Find:
    """A function that finds the plan behind the lower bound of a state."""
    # The published tree has several nodes for a state, but those of one plan all differ: the groups
    # of a guess are disjoint, and each is smaller than the state.
    nodes = search.nodes if isinstance(search, TreeSearch) else {search.root.state: search.root}

    def find(state: SearchState) -> tuple[PolicySource, int | None] | None:
        node = nodes.get(state)
        if node is None:
            return None
        index = node.best_by_bound()
        if index is None or node.branches[index] is None or node.row(LOW)[index] < node.low:
            source = node.source if node.source is not PolicySource.ACTION else PolicySource.BOUNDS
            return source, None
        if not isinstance(search, TreeSearch):
            nodes.update((child.state, child) for _, _, child in node.branches[index] or ())
        return PolicySource.ACTION, node.actions[index]

    return find


def _policy(game: Game, root: GameNode, guess: str | None, config: SearchConfig) -> list[PolicyRow]:
    """Every guess tried at the root, with its probability of being best and its visits."""
    if guess is None:
        return []
    visits = dict(zip(root.actions, root.action_visits.tolist(), strict=True))
    largest, temperature = max([1, *visits.values()]), config.temperature or 1.0
    powers = {a: (count / largest) ** (1 / temperature) for a, count in visits.items()}
    total = max(sum(powers.values()), 1e-300)
    return [
        PolicyRow(
            game.guesses[action], chance, visits.get(action, 0), powers.get(action, 0.0) / total
        )
        for action, chance in best_probabilities(root, game.index(guess), config.seed).items()
    ]
