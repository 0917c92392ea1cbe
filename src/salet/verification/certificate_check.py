"""Check a whole certificate: its header, every fact, and its claim."""

from __future__ import annotations

import hashlib
import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from salet.errors import DataError
from salet.verification.certificate_format import (
    Fact,
    GameRules,
    Step,
    game_digest,
    read_facts,
    read_header,
)
from salet.verification.certificates import INF, Checker, Ints
from salet.verification.plans import PlanTree, normalised, play_plan
from salet.verification.symmetries import orbits
from salet.version import commit, version

_CHUNK = 200
"""Facts (or guesses of the claim) that a process checks at a time."""


class CertificateVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a certificate proves. The fields are those of `salet check --json`."""

    certificate: str
    game: str
    mode: str
    cap: int | None
    claim: str
    """in words"""
    lower: int
    """lower bound on the cost of any plan, from where the claim begins"""
    upper: int | None
    """the total of the plan that was given; None without one"""
    optimal: bool
    """whether the plan reaches the lower bound"""
    facts: int
    seconds: float
    sha256: str
    """of the certificate file"""
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


@dataclass(frozen=True)
class _Claim:
    """Lower bounds of guesses in the state after a history."""

    history: tuple[Step, ...]
    named: dict[int, int]
    """guesses with a bound of their own"""
    others: int | None
    """the bound of all other legal guesses; None: nothing is claimed of them"""

    @property
    def lower(self) -> int:
        bounds = [*self.named.values(), *([] if self.others is None else [self.others])]
        return min(bounds)


def check_certificate(
    path: str | Path,
    game: GameRules,
    *,
    plan: PlanTree | str | Path | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> CertificateVerdict:
    """Check every fact of a certificate and its claim, in `threads` processes.

    Raises a DataError that names the first fact that does not follow from those before it. With a
    plan, the verdict says whether the plan is optimal.
    """
    begin = time.perf_counter()
    path = Path(path)
    header = read_header(path)
    _refuse_other_game(header, game, str(path))
    claim = _read_claim(header, game, str(path))
    upper = None
    if plan is not None:
        loss = header.get("loss")
        upper = _upper(plan, game, claim, INF if loss is None else loss)
    for done, size in _run(path, _plain(game), claim, threads):
        if progress is not None:
            progress(done, size)
    return CertificateVerdict(
        certificate=str(path),
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        claim=_in_words(claim, game),
        lower=claim.lower,
        upper=upper,
        optimal=upper == claim.lower,
        facts=header["facts"],
        seconds=round(time.perf_counter() - begin, 2),
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        version=version(),
        commit=commit(),
    )


def _refuse_other_game(header: dict[str, Any], game: GameRules, name: str) -> None:
    weights = None if game.weights is None else [int(weight) for weight in game.weights]
    loss = header.get("loss")
    if loss is not None and (type(loss) is not int or not 0 < loss < 1 << 60):
        raise DataError(f"the header of {name!r} prices a lost answer at {loss!r}")
    digest = game_digest(
        game.answers, game.guesses, game.rule.name, game.mode, game.cap, weights, loss
    )
    if header.get("digest") != digest:
        raise DataError(
            f"{name!r} is a certificate for another game than {game.name!r} ({game.mode} mode, cap "
            f"{game.cap}); it says {header.get('game')!r}, {header.get('mode')} mode, cap "
            f"{header.get('cap')}"
        )


def _read_claim(header: dict[str, Any], game: GameRules, name: str) -> _Claim:
    try:
        history = tuple((int(guess), int(pattern)) for guess, pattern in header["history"])
        pairs = [(guess, int(bound)) for guess, bound in header["lower"]]
        named = {int(guess): bound for guess, bound in pairs if guess is not None}
        others = [bound for guess, bound in pairs if guess is None]
    except (KeyError, TypeError, ValueError):
        pairs, named, others = [], {}, []
        history = ()
    known = range(len(game.guesses))
    if not pairs or len(others) > 1 or any(guess not in known for guess in named):
        raise DataError(f"the header of {name!r} claims nothing that can be checked")
    return _Claim(history, named, others[0] if others else None)


def _in_words(claim: _Claim, game: GameRules) -> str:
    after = "" if not claim.history else f"after {len(claim.history)} guesses "
    if claim.others is None:
        ((guess, lower),) = list(claim.named.items())[:1]
        if len(claim.named) == 1:
            return f"{after}{game.guesses[guess]!r} costs at least {lower}"
        return f"{after}{len(claim.named)} guesses cost at least what is claimed of each"
    if not claim.named:
        return f"{after}no plan costs less than {claim.others}"
    return (
        f"{after}{len(claim.named)} guesses cost at least what is claimed of each, and all others "
        f"at least {claim.others}"
    )


def _upper(plan: PlanTree | str | Path, game: GameRules, claim: _Claim, loss: int) -> int:
    """What a plan costs, in the units of the claim."""
    if claim.history:
        raise DataError("this claim begins after some guesses; a plan is checked from the start")
    games = play_plan(plan, game)
    weights = [1] * len(games) if game.weights is None else game.weights
    opener = next(iter(games.values()))[0][0]
    spelled = [normalised(game.guesses[guess]) for guess in claim.named]
    if claim.others is None and opener not in spelled:
        raise DataError(f"the plan begins with {opener!r}, but the claim is about {spelled[0]!r}")
    total = 0
    for word, weight in zip(game.answers, weights, strict=True):
        guesses, is_won = games[normalised(word)]
        total += int(weight) * (len(guesses) if is_won else len(guesses) + loss)
    return total


# ---- the work, in one process or in several


class _Work:
    """A certificate to be checked in pieces: chunks of facts, then chunks of the claim."""

    def __init__(self, path: Path, game: Any, claim: _Claim) -> None:
        header = read_header(path)
        self.path, self.claim = path, claim
        self.facts = int(header["facts"])
        self.checker = Checker(game, header.get("loss"))
        self.guesses, self.lowers = self._claimed(header)

    def _claimed(self, header: dict[str, Any]) -> tuple[Ints, Ints]:
        """The guesses that the claim is about, and their bounds. Of guesses that symmetries of the
        game map to each other, one suffices."""
        claim, checker = self.claim, self.checker
        first = np.arange(checker.count)
        if not claim.history:
            try:
                first = orbits(checker.letters, checker.weights, header.get("symmetries", []))
            except (TypeError, ValueError) as error:
                raise DataError(f"the symmetries of {str(self.path)!r} make no sense") from error
        legal = checker.legal(claim.history)
        rest = [] if claim.others is None else [int(g) for g in legal if first[g] == g]
        rest = [guess for guess in rest if guess not in claim.named]
        guesses = np.array([*claim.named, *rest], np.int64)
        lowers = [claim.named.get(guess, claim.others) for guess in guesses.tolist()]
        return guesses, np.array(lowers, np.int64)

    @property
    def size(self) -> int:
        """Facts and claimed guesses."""
        return self.facts + len(self.guesses)

    def accept_all(self) -> None:
        """Load all facts; `check` uses only those before the one it checks."""
        for index, fact in enumerate(read_facts(self.path)):
            self._named(index, self.checker.accept, fact, index)

    def check(self, start: int) -> int:
        """Check the chunk that begins here; returns its size."""
        end = min(start + _CHUNK, self.facts)
        if start < self.facts:
            for index in range(start, end):
                state, lower = self.checker.accepted[index]
                self._named(index, self.checker.check, Fact(state.history, lower), index)
            return end - start
        at = slice(start - self.facts, start - self.facts + _CHUNK)
        guesses, lowers = self.guesses[at], self.lowers[at]
        try:
            self.checker.check_guesses(
                self.claim.history, guesses, lowers, self.facts, self.claim.named
            )
        except DataError as error:
            raise DataError(f"the claim of {str(self.path)!r} does not follow: {error}") from None
        return len(guesses)

    def _named(self, index: int, step: Callable[[Fact, int], None], fact: Fact, at: int) -> None:
        try:
            step(fact, at)
        except DataError as error:
            raise DataError(f"fact {index} of {str(self.path)!r} does not hold: {error}") from None

    def starts(self) -> list[int]:
        """Where the chunks begin."""
        return [
            *range(0, self.facts, _CHUNK),
            *range(self.facts, self.facts + len(self.guesses), _CHUNK),
        ]


def _run(path: Path, game: Any, claim: _Claim, threads: int) -> Iterator[tuple[int, int]]:
    """Check everything; yields (checked so far, all)."""
    work = _Work(path, game, claim)
    done = 0
    if threads == 1:
        work.accept_all()
        for start in work.starts():
            done += work.check(start)
            yield done, work.size
        return
    starts, size = work.starts(), work.size
    del work
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        threads, context, initializer=_start_process, initargs=(path, game, claim)
    ) as pool:
        for count in pool.map(_check_chunk, starts, chunksize=1):
            done += count
            yield done, size


_work: _Work | None = None
"""of this process"""


def _start_process(path: Path, game: Any, claim: _Claim) -> None:
    global _work
    _work = _Work(path, game, claim)
    _work.accept_all()


def _check_chunk(start: int) -> int:
    assert _work is not None
    return _work.check(start)


def _plain(game: GameRules) -> Any:
    """The rules alone, for other processes."""
    return SimpleNamespace(
        answers=game.answers,
        guesses=game.guesses,
        name=game.name,
        mode=game.mode,
        cap=game.cap,
        rule=SimpleNamespace(name=game.rule.name),
        weights=None if game.weights is None else [int(weight) for weight in game.weights],
    )
