"""The best opener of a game, proven over all guesses: the call behind `salet prove`.

A proof can be killed at any moment: with a checkpoint directory every decided opener is a line on
disk before the next one begins, and the same call resumes from there with the same result.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from salet.errors import InputError
from salet.game.game import Game
from salet.process_memory import peak_memory_mb
from salet.search.budget import UNLIMITED, Budget
from salet.search.certify import Certificate, certify
from salet.search.checkpoint import Checkpoint
from salet.search.executor import Executor
from salet.search.opener_search import OpenerSearch, group_by_symmetry
from salet.search.solve import RankedGuess
from salet.search.value import INF, Evaluator, check_table_memory
from salet.version import commit, version

_TABLE_MB = 256.0
"""A larger transposition table is never filled by a proof that ends within minutes, and costs page
faults."""


class ProofProgress(msgspec.Struct, frozen=True):
    """The state of a running proof; its bounds are valid at all times."""

    best: str | None
    lower: int
    upper: int | None
    left: int
    """openers not decided yet"""
    openers: int
    """openers in all"""
    nodes: int
    seconds: float
    certified: int | None = None
    """openers whose bounds are in the certificate; None until all are decided"""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `salet prove --json`."""

    game: str
    mode: str
    cap: int | None
    best: str | None
    """None if no opener keeps within the cap"""
    total: int | None
    ranking: list[RankedGuess]
    lower: int
    upper: int | None
    proven: bool
    openers: dict[str, int]
    """by how each was decided: exact total, quick bound, deep search, or symmetry to another one"""
    nodes: int
    seconds: float
    """duration of this run, without earlier runs with the same checkpoint"""
    peak_mb: float
    version: str
    commit: str | None
    certificate: Certificate | None = None
    """certificate of the lower bounds, if requested"""

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        plain = msgspec.structs.replace(self, certificate=None)
        fields: dict[str, Any] = msgspec.to_builtins(plain)
        del fields["certificate"]
        fields["ranking"] = [{"guess": row.guess, "total": row.total} for row in self.ranking]
        return fields


def prove(
    game: Game,
    *,
    openers: Sequence[str] | None = None,
    ranking: int | Literal["all"] = 1,
    seconds: float | None = None,
    checkpoint: str | Path | None = None,
    threads: int | None = None,
    memory: float = 3.0,
    certificate: bool = False,
    progress: Callable[[ProofProgress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    executor: Executor | None = None,
) -> Proof:
    """Prove which opener is best (of all guesses, or of `openers`), and value the `ranking` best.

    The work is done by threads of this process unless an `executor` brings others. After `seconds`,
    or when `cancel()` says so, what is known by then is returned; with a `checkpoint` the same call
    continues. With `certificate` the proof has one that others can check; it covers what was
    decided earlier or elsewhere, too.

    >>> prove(Game.named("mastermind:2x3")).total
    21
    """
    check_table_memory(memory)
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds {seconds}: give more than 0")
    asked = _openers_asked(game, openers)
    groups = group_by_symmetry(game.start(), asked)
    ranking = _checked_ranking(ranking, len(set(asked)))
    search = OpenerSearch(
        Evaluator(game, megabytes=_table_megabytes(memory)),
        game.start(),
        groups,
        ranking=min(ranking, len(groups)),
        threads=threads or os.cpu_count() or 1,
    )
    store = None if checkpoint is None else Checkpoint(Path(checkpoint), search)
    search.evaluator.warm_up()
    search.warm_up()
    begin = time.perf_counter()

    def report() -> None:
        if progress is not None:
            progress(_progress(game, search, begin))

    on_decided = store.append if store else _ignore
    budget = Budget(math.inf if seconds is None else seconds, cancel=cancel)
    clock = None if budget == UNLIMITED else budget.start()
    try:
        if executor is None:
            search.run(on_decided, report, clock)
        else:
            executor.decide(search, on_decided, report)
    finally:
        if store is not None:
            store.close()
    proof = _proof(game, search, groups, ranking, begin)
    if not certificate or not proof.proven:
        return proof

    def report_certified(done: int, _: int) -> None:
        if progress is not None:
            now = _progress(game, search, begin)
            progress(msgspec.structs.replace(now, certified=done))

    claims, threads = _claims(game, proof, openers), search.threads
    found = certify(
        game.start(), claims, threads=threads, progress=report_certified, executor=executor
    )
    return msgspec.structs.replace(proof, certificate=found)


def _openers_asked(game: Game, openers: Sequence[str] | None) -> Sequence[int]:
    """The openers to compare: those named, or all guesses."""
    if openers is None:
        return range(len(game.guesses))
    if not len(openers):
        raise InputError("no opener is given; name at least one")
    return [game.index(word) for word in openers]


def _checked_ranking(ranking: int | Literal["all"], openers: int) -> int:
    if ranking == "all":
        return openers
    if not 1 <= ranking <= openers:
        raise InputError(
            f"ranking {ranking}: there are {openers} openers; give 1 to {openers}, or all"
        )
    return ranking


def _ignore(opener: int, how: str, value: int) -> None:
    """Store nothing."""


def _claims(game: Game, proof: Proof, openers: Sequence[str] | None) -> dict[int | None, int]:
    """What a certificate of a proof claims: the totals of the ranking as lower bounds, and that no
    other opener beats its last."""
    last = proof.ranking[-1].total if proof.ranking else INF
    lower: dict[int | None, int] = {}
    if len(proof.ranking) > 1:
        lower = {game.index(row.guess): row.total for row in proof.ranking}
    if openers is None:
        lower[None] = last
    else:
        for word in openers:
            lower.setdefault(game.index(word), last)
    return lower


def proof_evaluator(game: Game, memory: float) -> Evaluator:
    """An evaluator for a proof, ready to use; `memory` in gigabytes."""
    evaluator = Evaluator(game, megabytes=_table_megabytes(memory))
    evaluator.warm_up()
    return evaluator


def _table_megabytes(memory: float) -> float:
    return min(memory * 1024 / 3, _TABLE_MB)


def _progress(game: Game, search: OpenerSearch, begin: float) -> ProofProgress:
    with search.lock:
        best = game.guesses[search.found[0][2]] if search.found else None
        return ProofProgress(
            best,
            search.lower_bound,
            search.upper_bound,
            len(search.queue) - len(search.decided),
            len(search.queue),
            search.nodes,
            time.perf_counter() - begin,
        )


def _proof(
    game: Game,
    search: OpenerSearch,
    groups: Mapping[int, Sequence[int]],
    count: int,
    begin: float,
) -> Proof:
    found = sorted(
        (value, guess >= game.answer_count, guess)
        for value, _, first in search.found
        for guess in groups[first]
    )
    ranking = [RankedGuess(game.guesses[guess], value) for value, _, guess in found[:count]]
    symmetric = sum(map(len, groups.values())) - len(groups)
    return Proof(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        best=ranking[0].guess if ranking else None,
        total=ranking[0].total if ranking else None,
        ranking=ranking,
        lower=min(search.lower_bound, search.upper_bound or search.lower_bound),
        upper=search.upper_bound,
        proven=search.done,
        openers={**search.count_decided(), "symmetric": symmetric},
        nodes=search.nodes,
        seconds=round(time.perf_counter() - begin, 2),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
    )
