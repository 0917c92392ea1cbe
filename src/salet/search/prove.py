"""The best opener of a game, proved over all guesses: what `salet prove` calls.

A proof can be killed at any moment: with a checkpoint directory every decided opener is a line on
disk before the next one begins, and the same call goes on from there to the same result.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.process_memory import peak_memory_mb
from salet.search.exact.prover import WAYS, Note, Prover
from salet.search.openers import alike, prover_of, warm_up_prover
from salet.search.solve import Ranked
from salet.search.terms import rules_of, warm_up
from salet.version import commit, version


class Progress(msgspec.Struct, frozen=True):
    """A proof under way: facts at every moment."""

    best: str | None
    lower: int
    upper: int | None
    left: int
    """openers not decided yet"""
    openers: int
    nodes: int
    seconds: float


Executor = Callable[[Prover, Note, Callable[[], None]], None]
"""decides the openers that a prover has not decided yet; tells of each, and calls now and then"""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `salet prove --json`."""

    game: str
    mode: str
    cap: int | None
    best: str | None
    """None where no opener keeps the cap"""
    total: int | None
    ranking: list[Ranked]
    lower: int
    upper: int | None
    proven: bool
    openers: dict[str, int]
    """by how each was decided: exact value, bound, deep search, or by symmetry to another one"""
    nodes: int
    seconds: float
    """of this run; with a checkpoint earlier runs come on top"""
    peak_mb: float
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        fields["ranking"] = [{"guess": row.guess, "total": row.total} for row in self.ranking]
        return fields


def prove(
    game: Game,
    *,
    openers: Sequence[str] | None = None,
    ranking: int = 1,
    checkpoint: str | Path | None = None,
    threads: int | None = None,
    memory: float = 3.0,
    report: Callable[[Progress], None] | None = None,
    executor: Executor = Prover.run,
) -> Proof:
    """Prove which opener is best (of all guesses, or of `openers`), and value the `ranking` best.

    The work is done by threads of this process, or by whom `executor` knows.

    >>> prove(Game.named("mastermind:2x3")).total
    21
    """
    if ranking < 1:
        raise InputError(f"ranking {ranking}: give at least 1")
    if not memory > 0:
        raise InputError(f"memory {memory}: give some gigabytes, as 2")
    warm_up(rules_of(game))
    warm_up_prover(rules_of(game))
    asked = range(len(game.guesses)) if openers is None else [game.index(w) for w in openers]
    if not len(asked):
        raise InputError("no opener is given; name at least one")
    begin = time.perf_counter()
    ranking = min(ranking, len(set(asked)))
    groups = alike(game.start(), asked)
    prover = prover_of(
        game.start(),
        groups,
        ranking=min(ranking, len(groups)),
        memory=memory,
        threads=threads or os.cpu_count() or 1,
    )
    store = None if checkpoint is None else _Checkpoint(Path(checkpoint), game, prover)

    def pulse() -> None:
        if report is not None:
            report(_progress(game, prover, begin))

    try:
        executor(prover, store.note if store else lambda *_: None, pulse)
    finally:
        if store is not None:
            store.close()
    return _proof(game, prover, groups, ranking, begin)


def _progress(game: Game, prover: Prover, begin: float) -> Progress:
    with prover.lock:
        best = game.guesses[prover.found[0][2]] if prover.found else None
        return Progress(
            best,
            prover.least,
            prover.upper,
            len(prover.queue) - len(prover.decided),
            len(prover.queue),
            prover.nodes,
            time.perf_counter() - begin,
        )


def _proof(
    game: Game, prover: Prover, groups: Mapping[int, Sequence[int]], most: int, begin: float
) -> Proof:
    found = sorted(
        (value, guess >= game.answer_count, guess)
        for value, _, first in prover.found
        for guess in groups[first]
    )
    ranking = [Ranked(game.guesses[guess], value) for value, _, guess in found[:most]]
    symmetric = sum(map(len, groups.values())) - len(groups)
    return Proof(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        best=ranking[0].guess if ranking else None,
        total=ranking[0].total if ranking else None,
        ranking=ranking,
        lower=prover.least if prover.upper is None else min(prover.least, prover.upper),
        upper=prover.upper,
        proven=prover.done,
        openers={**prover.counts(), "symmetric": symmetric},
        nodes=prover.nodes,
        seconds=round(time.perf_counter() - begin, 2),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
    )


class _Checkpoint:
    """A header that says which proof this is, then one line for every decided opener."""

    def __init__(self, folder: Path, game: Game, prover: Prover) -> None:
        self.path = folder / "proof.jsonl"
        self.prover = prover
        self.header = _identity(game, prover)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                self._resume()
            else:
                self.path.write_text(json.dumps(self.header) + "\n", "utf-8")
            self.file = self.path.open("a", encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot use checkpoint {str(folder)!r}: {reason}") from None

    def _resume(self) -> None:
        text = self.path.read_text("utf-8", errors="replace")
        whole = text[: text.rfind("\n") + 1]  # a line that was cut off by a kill is done again
        lines = whole.splitlines()
        try:
            header = json.loads(lines[0]) if lines else None
            if header != self.header:
                raise DataError(
                    f"checkpoint {str(self.path)!r} belongs to another proof; "
                    "give an empty directory"
                )
            for number, line in enumerate(lines[1:], 2):
                opener, how, value = json.loads(line)
                if opener not in self.prover.lower or how not in WAYS or type(value) is not int:
                    raise ValueError(f"line {number} makes no sense")
                if opener not in self.prover.decided:
                    self.prover.decide(opener, how, value)
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise DataError(
                f"checkpoint {str(self.path)!r} is damaged ({error}); delete it to begin again"
            ) from None
        if whole != text:
            self.path.write_text(whole, "utf-8")

    def note(self, opener: int, how: str, value: int) -> None:
        self.file.write(json.dumps([opener, how, value]) + "\n")
        self.file.flush()

    def close(self) -> None:
        self.file.close()


def _identity(game: Game, prover: Prover) -> dict[str, Any]:
    rules = prover.rules
    digest = hashlib.sha256(rules.table.tobytes())
    for array in (rules.codes, rules.weights):
        digest.update(b"-" if array is None else array.tobytes())
    digest.update(repr(sorted(prover.queue)).encode())
    return {
        "format": "salet proof 1",
        "game": game.name,
        "mode": game.mode,
        "cap": game.cap,
        "ranking": prover.want,
        "digest": digest.hexdigest(),
    }
