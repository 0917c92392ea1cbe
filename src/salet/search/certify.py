"""Certificates: proofs of lower bounds as facts that a small independent program can check.

The search runs with an empty transposition table and a log. Every bound that it relies on is then
either a bound by sizes, which the checker computes by itself, or that of a state logged before. So
the log, in its order, is the certificate. docs/certificates.md explains how it is checked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salet.array_types import Ints
from salet.errors import InputError
from salet.game.state import State
from salet.search.exact.layout import Layout
from salet.search.exact.opener_bound import opener_bound
from salet.search.exact.solver import Solver
from salet.search.exact.transposition_table import empty_table
from salet.search.executor import BoundTask, Executor
from salet.search.opener_search import group_by_symmetry
from salet.search.roots import root_of
from salet.search.value import INF, Evaluator
from salet.storage import output
from salet.verification.certificate_format import Fact, Step, game_digest, write_certificate
from salet.version import commit, version

_OPENER_BY_OPENER = 500
"""Size of the smallest state whose guesses are certified one by one."""
_MAX_TABLE_MB = 128.0


@dataclass(frozen=True, eq=False)
class Certificate:
    """A lower bound with everything that is needed to check it."""

    header: dict[str, Any]
    facts: list[Fact]

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        with output(Path(path)) as file:
            write_certificate(file, self.header, self.facts)


def certify(
    state: State,
    lower: dict[int | None, int],
    *,
    losses: bool = False,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda *_: None,
    executor: Executor | None = None,
) -> Certificate:
    """Certify that no plan costs less than `lower`.

    `lower` maps guesses to lower bounds of theirs; None stands for all guesses that are not named.
    With `losses`, bounds are values of a solver that allows losses. The work is done by threads of
    this process unless an `executor` brings others.
    """
    certifier = Certifier(state, losses)
    tasks = certifier.tasks(lower)
    if executor is None:
        logs = _prove_here(certifier, tasks, threads, progress)
    else:
        logs = executor.prove_bounds(state, losses, tasks, progress)
    return Certificate(certifier.header(lower), certifier.facts(logs))


def _prove_here(
    certifier: Certifier,
    tasks: Sequence[BoundTask],
    threads: int,
    progress: Callable[[int, int], None],
) -> list[list[Ints]]:
    """Prove bounds on several threads; returns the log of each task, in order."""
    logs: list[list[Ints]] = [[] for _ in tasks]
    waiting = iter(range(len(tasks)))
    lock = threading.Lock()
    failures: list[BaseException] = []
    done = [0]

    def work() -> None:
        rows: list[Ints] = []
        prove = certifier.prover(rows.append)
        while not failures:
            with lock:
                index = next(waiting, None)
            if index is None:
                return
            try:
                prove(*tasks[index])
            except BaseException as error:
                failures.append(error)
                return
            with lock:
                logs[index] = rows[:]
                rows.clear()
                done[0] += 1
                progress(done[0], len(tasks))

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()
    if failures:
        raise failures[0]
    return logs


class Certifier:
    """The state, and the game in the numbering of certificates."""

    def __init__(self, state: State, losses: bool, evaluator: Evaluator | None = None) -> None:
        self.state, self.game = state, state.game
        if evaluator is None:
            evaluator = Evaluator(self.game)
            evaluator.warm_up()
        self.layout: Layout = evaluator.layout
        self.loss = evaluator.loss if losses else INF
        self.root = root_of(state)
        self.uses_symmetry = not state.history and not self.game.symmetry.is_trivial

    def prover(self, log: Callable[[Ints], None]) -> Callable[[int | None, int], None]:
        """A function that proves a bound and logs its proof, for one thread.

        The log is complete in itself: it relies on no other.
        """
        return _Prover(self, log)

    def tasks(self, lower: dict[int | None, int]) -> list[BoundTask]:
        """All bounds that have to be proven."""
        named: list[BoundTask] = [
            (guess, bound) for guess, bound in lower.items() if guess is not None
        ]
        if None not in lower:
            return named
        if len(self.state.candidates) < _OPENER_BY_OPENER and not named:
            return [(None, lower[None])]
        openers = set(self.state.legal.tolist())
        if self.uses_symmetry:
            openers &= set(group_by_symmetry(self.state, openers))
        by_parts = [int(g) for g in self.layout.original if int(g) in openers]
        rest = [(guess, lower[None]) for guess in by_parts if guess not in lower]
        return named + rest

    def header(self, lower: dict[int | None, int]) -> dict[str, Any]:
        game = self.game
        loss = None if self.loss >= INF else self.loss
        weights = None if game.weights is None else game.weights.tolist()
        digest = game_digest(
            game.answers, game.guesses, game.rule.name, game.mode, game.cap, weights, loss
        )
        return {
            "game": game.name,
            "rule": game.rule.name,
            "mode": game.mode,
            "cap": game.cap,
            "loss": loss,
            "digest": digest,
            "history": [self._step(*self._ids(turn)) for turn in self.state.history],
            "lower": [[guess, bound] for guess, bound in lower.items()],
            **({"symmetries": self._symmetries()} if self.uses_symmetry else {}),
            "version": version(),
            "commit": commit(),
        }

    def _symmetries(self) -> list[list[list[int]]]:
        """Swaps of two letters or two positions that generate the symmetries of the game.

        Letters are numbered as in a sorted alphabet.
        """
        lexicon, symmetry = self.game.lexicon, self.game.symmetry
        rank = {letter: at for at, letter in enumerate(sorted(lexicon.alphabet))}
        letters, positions = list(range(len(rank))), list(range(self.game.length))
        swaps = []
        for a, b in symmetry.letter_swaps:
            swapped = letters.copy()
            one, two = rank[lexicon.alphabet[a]], rank[lexicon.alphabet[b]]
            swapped[one], swapped[two] = two, one
            swaps.append([swapped, positions])
        for a, b in symmetry.position_swaps:
            swapped = positions.copy()
            swapped[a], swapped[b] = b, a
            swaps.append([letters, swapped])
        return swaps

    def _ids(self, turn: tuple[int, int]) -> tuple[int, int]:
        guess, code = turn
        pattern = self.game.compiled.pattern(code)
        assert pattern is not None  # answers remain
        return guess, pattern

    def _step(self, guess: int, pattern: int) -> Step:
        """A guess and a pattern id, in the numbering of certificates."""
        game = self.game
        if game.rule.name != "pegs":
            return guess, game.compiled.code(pattern)
        black, white = map(int, game.show(pattern).split(","))
        return guess, black * (game.length + 1) + white

    def facts(self, logs: list[list[Ints]]) -> list[Fact]:
        """The facts of several logs, in order, without those that repeat a state's bound."""
        prefix = tuple(self._step(*self._ids(turn)) for turn in self.state.history)
        steps: dict[tuple[int, int], Step] = {}
        found: list[Fact] = []
        best: dict[tuple[Step, ...], int] = {}
        original = self.layout.original
        for rows in logs:
            for block in rows:
                for row in block.tolist():
                    history = list(prefix)
                    for i in range(row[0]):
                        key = (row[2 + 2 * i], row[3 + 2 * i])
                        if key not in steps:
                            steps[key] = self._step(int(original[key[0]]), key[1])
                        history.append(steps[key])
                    path = tuple(history)
                    if row[1] > best.get(path, 0):
                        best[path] = row[1]
                        found.append(Fact(path, row[1]))
        return found


class _Prover:
    """Proves bounds on one thread and logs them."""

    def __init__(self, certifier: Certifier, log: Callable[[Ints], None]) -> None:
        self.root, layout = certifier.root, certifier.layout
        self.solver = Solver(
            layout,
            loss=certifier.loss,
            max_depth=self.root.depth,
            table=empty_table(min(_MAX_TABLE_MB, len(self.root.answers) ** 2 / 1000)),
            log=log,
        )
        self.is_quick = bool(layout.unit) and layout.win < 256 and self.root.depth >= 4

    def __call__(self, guess: int | None, bound: int) -> None:
        """Log a proof that a guess (or the whole state) costs at least `bound`."""
        solver = self.solver
        value = 0
        if guess is not None and self.is_quick:
            solver.enter(self.root)
            frame = solver.stack.frames[0]
            frame.max_parts = frame.max_peel = frame.count
            index = solver.layout.index_of[guess]
            value = int(opener_bound(solver.layout, solver.stack, solver.table, 0, index, bound))
            solver.drain_log()
        if value < bound:
            # A round raises a bound by a share of the number of answers: never to infinity, and not
            # soon to the price of a lost one.
            is_near = bound < INF and solver.layout.loss >= INF
            in_rounds = guess is not None and bool(solver.layout.unit) and is_near
            value = solver.value(self.root, guess, bound, in_rounds=in_rounds)
        if value < bound:
            raise InputError(f"a lower bound of {bound} is false: {value} can be reached")
