"""The best opener over all guesses, proved: who is tried when, and what is known at every moment.

Every opener is decided in one of three ways: its value is found exactly (`exact`); a bound from
its parts' sizes and one look at every guess after it reaches the target (`bound`); or a deep
search shows that it cannot go below the target (`deep`). The target is the value of the K-th best
opener so far (K = 1 for the optimum alone), so it only falls, and an opener once decided stays
decided.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from salet.search.exact.build import build_stack
from salet.search.exact.level_two import second_level
from salet.search.exact.model import INF
from salet.search.exact.neighbours import Library, empty_library
from salet.search.exact.solver import Rules, Solver
from salet.search.exact.transpositions import empty_bounds


@dataclass
class Proof:
    """What is known so far. lower <= optimum <= upper at every moment."""

    lower: int
    upper: int | None
    ranking: list[tuple[int, int]]
    """(opener, exact total), best first; candidates first among equals, then the game's order."""
    decided: Counter[str] = field(default_factory=Counter)
    nodes: int = 0
    proven: bool = False


class CheckpointError(Exception):
    """A checkpoint that is damaged or belongs to another proof."""


class Prover:
    """Proves the K best openers of a game. Threads share the table of bounds and the target."""

    def __init__(
        self,
        rules: Rules,
        *,
        ranking: int = 1,
        openers: Sequence[int] | None = None,
        checkpoint: Path | None = None,
        megabytes: float = 1024,
        threads: int = 1,
        report: Callable[[Prover], None] | None = None,
    ) -> None:
        self.rules, self.want, self.report = rules, ranking, report
        guesses, self.answers = rules.table.shape
        self.bounds = empty_bounds(megabytes)
        self.solvers = [Solver(rules, bounds=self.bounds) for _ in range(threads)]
        game = self.solvers[0].game
        self.unit = bool(game.unit) and game.win < 256
        # Best looking first, so that the target is low early: by number of parts (the kernels'
        # own order).
        asked = set(range(guesses)) if openers is None else set(openers)
        self.queue = [int(g) for g in game.names if int(g) in asked]
        self.found: list[tuple[int, bool, int]] = []
        weight = int(game.weights.sum())
        trivial = 2 * weight - int(game.weights.max())
        self.lower = dict.fromkeys(self.queue, trivial)
        self.decided: dict[int, str] = {}
        self.lock = threading.Lock()
        self.checkpoint = checkpoint
        if checkpoint is not None:
            self._resume(checkpoint)

    # Checkpoints: a header that identifies the proof, then one line a decided opener.

    def _header(self) -> dict[str, object]:
        digest = hashlib.sha256(self.rules.table.tobytes())
        for array in (self.rules.codes, self.rules.full, self.rules.weights):
            digest.update(b"-" if array is None else array.tobytes())
        return {
            "game": digest.hexdigest(),
            "mode": self.rules.mode.name,
            "cap": self.rules.cap,
            "ranking": self.want,
            "openers": len(self.queue),
        }

    def _resume(self, path: Path) -> None:
        if path.exists():
            lines = path.read_text().split("\n")
            if lines[-1] != "":
                lines[-1] = ""  # the line being written when the process was killed
            try:
                records = [json.loads(line) for line in lines if line]
                if not records or records[0] != self._header():
                    raise CheckpointError(f"{path} is the checkpoint of another proof")
                for g, how, value in records[1:]:
                    self._decide(int(g), str(how), int(value))
            except (ValueError, TypeError) as error:
                raise CheckpointError(f"{path} is damaged: {error}") from error
        path.write_text(
            "".join(
                json.dumps(r) + "\n"
                for r in [
                    self._header(),
                    *([g, how, self.lower[g]] for g, how in self.decided.items()),
                ]
            )
        )

    # What is known.

    def target(self) -> int:
        """A guess of this value or more is not among the K best (equal ones are kept: they may tie
        with the last).
        """
        return (
            self.found[self.want - 1][0] + (1 if self.want > 1 else 0)
            if len(self.found) >= self.want
            else INF
        )

    def _decide(self, g: int, how: str, value: int) -> None:
        self.lower[g] = value
        self.decided[g] = how
        if how == "exact":
            self.found.append((value, g >= self.answers, g))
            self.found.sort()

    def proof(self) -> Proof:
        """The state of the proof."""
        upper = self.found[0][0] if self.found else None
        lower = min(self.lower.values())
        ranking = [(g, value) for value, _, g in self.found[: self.want]]
        return Proof(
            lower,
            upper,
            ranking,
            Counter(self.decided.values()),
            sum(s.nodes for s in self.solvers),
            len(self.decided) == len(self.queue),
        )

    # The work.

    def run(self) -> Proof:
        """Decide every opener that is not decided yet."""
        waiting = iter([g for g in self.queue if g not in self.decided])
        workers = [threading.Thread(target=self._work, args=(s, waiting)) for s in self.solvers[1:]]
        for worker in workers:
            worker.start()
        self._work(self.solvers[0], waiting)
        for worker in workers:
            worker.join()
        return self.proof()

    def _work(self, solver: Solver, waiting: object) -> None:
        game = solver.game
        library: Library = empty_library(
            self.answers, self.rules.patterns, 400 if game.mode == 0 else 1
        )
        hopes = np.full(400, 0.5)
        scratch = build_stack(game, 2)
        while True:
            with self.lock:
                g = next(waiting, None)  # type: ignore[call-overload]
                target = self.target()
            if g is None:
                return
            how, value = "bound", 0
            solver._enter(())
            if target < INF and self.unit and solver.stack.frame[0, 3] >= 4:
                scratch.frame[0] = solver.stack.frame[0]
                scratch.answers[0] = solver.stack.answers[0]
                value = int(
                    second_level(
                        game, scratch, self.bounds, library, hopes, solver.place[g], target
                    )
                )
            if value < target:
                value = solver.value((), g, target)
                how = "exact" if value < target else "deep"
            with self.lock:
                self._decide(g, how, value)
                if self.checkpoint is not None:
                    with self.checkpoint.open("a") as file:
                        file.write(json.dumps([g, how, value]) + "\n")
                if self.report is not None:
                    self.report(self)
