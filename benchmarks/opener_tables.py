"""Make the shipped tables of openers: `python benchmarks/opener_tables.py original normal …`.

Merges into src/salet/search/opener_tables what is proven elsewhere: the table as it is, checkpoints
of `salet prove --ranking … --checkpoint DIR` (--checkpoint DIR, several may be given), and stored
rankings of benchmarks/proof.py (--proof FILE). With --seconds it then bounds openers that are not
exact within one per cent, and finds the worst case of the best exact ones. Facts are only added:
run it as often as you like. With --begin DIR it writes a checkpoint of `salet prove --ranking all`
that holds the openers whose totals the table knows, so that a ranking goes on from a table where
its checkpoint is gone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from record import store

from salet import Game
from salet.search.budget import Budget, Clock
from salet.search.checkpoint import read_checkpoint, write_checkpoint
from salet.search.fact_file import words_digest
from salet.search.opener_table import FOLDER, read_columns, table_path, write_table
from salet.search.opener_within import opener_within
from salet.search.splits import splits
from salet.search.value import INF, Evaluator, SearchInterruptedError

TOLERANCE = 0.01
NAMES = ("lower", "upper", "losses", "worst", "groups", "largest")


class Table:
    """The columns of a table, to which facts are added."""

    def __init__(self, game: Game) -> None:
        self.game = game
        start = game.start()
        shape = splits(start)
        count = len(game.guesses)
        self.columns = {name: np.zeros(count, np.int64) for name in NAMES}
        self.columns["groups"][:], self.columns["largest"][:] = shape.parts, shape.largest
        self.columns["lower"][:] = shape.guess_bounds
        path = table_path(game)
        if path.is_file():
            header, old = read_columns(path)
            if header["words"] == words_digest(game) and header["cap"] == game.cap:
                for name in ("lower", "upper", "losses", "worst"):
                    self.columns[name][:] = old[name]

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def is_within(self, guess: int) -> bool:
        """Are the bounds of an opener within TOLERANCE, or has it no plan?"""
        return bool(self["upper"][guess]) and (
            self["upper"][guess] <= (1 + TOLERANCE) * self["lower"][guess]
        )

    def bound(self, guess: int, lower: int, upper: int | None = None) -> None:
        """Add bounds of an opener; a lower bound of INF says that no plan keeps the cap."""
        if self["losses"][guess]:
            assert lower >= INF or upper is None, self.game.guesses[guess]
            return
        if lower >= INF:
            assert self["upper"][guess] <= 0, self.game.guesses[guess]
            self["upper"][guess] = -1
            return
        self["lower"][guess] = max(self["lower"][guess], lower)
        if upper is not None and upper < INF:
            known = self["upper"][guess]
            assert known >= 0, self.game.guesses[guess]
            self["upper"][guess] = upper if known == 0 else min(known, upper)
        assert self["upper"][guess] <= 0 or self["lower"][guess] <= self["upper"][guess]

    def read_checkpoint(self, folder: Path) -> None:
        for guess, how, total in read_checkpoint(folder, self.game):
            self.bound(guess, total, total if how == "exact" else None)

    def begin_checkpoint(self, folder: Path) -> None:
        """Begin a checkpoint of a ranking of all openers with the totals that are known."""
        lower, upper = self["lower"], self["upper"]
        known = [(int(g), "exact", int(lower[g])) for g in np.flatnonzero(upper == lower)]
        write_checkpoint(folder, self.game, known)

    def read_proof(self, path: Path) -> None:
        """Add a ranking: no opener that is not in it has a lower total than its last."""
        proof = json.loads(path.read_text("utf-8"))["figures"]
        assert proof["proven"]
        assert (proof["game"], proof["mode"]) == (self.game.name, self.game.mode)
        assert proof["cap"] == self.game.cap
        last = proof["ranking"][-1]["total"]
        open_ones = self["upper"] == 0
        self["lower"][open_ones] = np.maximum(self["lower"][open_ones], last)
        for row in proof["ranking"]:
            guess = self.game.index(row["guess"])
            self["lower"][guess] = row["total"]
            self.bound(guess, row["total"], row["total"])

    def improve(self, seconds: float, threads: int) -> None:
        """Bound what is not settled within TOLERANCE, best lower bound first, as long as there is
        time; then find worst cases."""
        start, clock = self.game.start(), Budget(seconds).start()
        evaluator = Evaluator(self.game, megabytes=1024)
        evaluator.warm_up()
        order = [int(g) for g in np.argsort(self["lower"], kind="stable")]
        waiting = iter([guess for guess in order if not self.is_within(guess)])
        lock = threading.Lock()

        def work() -> None:
            while True:
                with lock:
                    guess = next(waiting, None)
                if guess is None:
                    return
                bounds = opener_within(evaluator, start, guess, TOLERANCE, clock)
                with lock:
                    self.bound(guess, *bounds)

        with ThreadPoolExecutor(threads) as pool:
            for worker in [pool.submit(work) for _ in range(threads)]:
                with contextlib.suppress(SearchInterruptedError):
                    worker.result()
        with contextlib.suppress(SearchInterruptedError):
            for guess in order:
                if self["upper"][guess] == self["lower"][guess] and not self["worst"][guess]:
                    self["worst"][guess] = self.worst(evaluator, guess, clock)

    def worst(self, evaluator: Evaluator, guess: int, clock: Clock) -> int:
        """The fewest guesses with which an opener of known total still has that total."""
        start, total = self.game.start(), int(self["lower"][guess])
        worst = self.game.cap
        assert worst is not None
        while (
            evaluator.can_find_all(start, guess, depth=worst - 1, clock=clock)
            and evaluator.total(start, guess, beta=total + 1, depth=worst - 1, clock=clock) == total
        ):
            worst -= 1
        return worst

    def figures(self) -> dict[str, Any]:
        """What the table knows."""
        lower, upper = self["lower"], self["upper"]
        bounded = (upper > 0) & (upper != lower)
        gaps = (upper - lower)[bounded] / lower[bounded]
        return {
            "game": self.game.name,
            "mode": self.game.mode,
            "cap": self.game.cap,
            "openers": len(lower),
            "exact": int((upper == lower).sum()),
            "bounded above and below": int(bounded.sum()),
            "bounded within 1 %": int((gaps <= TOLERANCE).sum()),
            "bounded below only": int((upper == 0).sum()),
            "cannot keep the cap": int((upper == -1).sum()),
            "worst case known": int((self["worst"] > 0).sum()),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("mode", choices=("normal", "hard"))
    parser.add_argument("--checkpoint", type=Path, action="append", default=[])
    parser.add_argument("--proof", type=Path, action="append", default=[])
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--begin", type=Path, help="directory of a checkpoint to begin")
    asked = parser.parse_args()
    game = Game.named(asked.game, mode=asked.mode)
    begin = time.process_time()
    table = Table(game)
    for folder in asked.checkpoint:
        table.read_checkpoint(folder)
    for path in asked.proof:
        table.read_proof(path)
    if asked.begin is not None:
        table.begin_checkpoint(asked.begin)
        return
    if asked.seconds:
        table.improve(asked.seconds, asked.threads)
    FOLDER.mkdir(exist_ok=True)
    write_table(table_path(game), game, table.columns)
    store(
        f"openers-{game.name}-{game.mode}",
        f"python benchmarks/opener_tables.py {asked.game} {asked.mode} --checkpoint DIR",
        {**table.figures(), "cpu_seconds": round(time.process_time() - begin, 1)},
    )


if __name__ == "__main__":
    main()
