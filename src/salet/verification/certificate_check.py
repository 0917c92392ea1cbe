"""Check a whole certificate: its header, every fact, and its claim."""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from salet.errors import DataError, InputError
from salet.verification.certificate_format import (
    GameRules,
    Step,
    game_digest,
    read_facts,
    read_header,
)
from salet.verification.certificates import INF, CheckedState, Checker, Ints
from salet.verification.plans import PlanTree, normalised, play_plan
from salet.verification.symmetries import orbits
from salet.version import commit, version

_CHUNK = 200
"""Guesses of a claim that a process checks at a time, and facts between two reports."""
_END = INF


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
    for _ in read_facts(path):
        pass  # a damaged file is refused at once
    size = header["facts"] + len(game.guesses)
    for done in _run(path, _plain(game), claim, threads):
        if progress is not None:
            progress(min(done, size), size)
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
    total = len(game.answers) if weights is None else sum(weights)
    max_guesses = len(game.answers) + 1
    # A loss must outweigh all guesses: then plans with fewer of them are better, and one more guess
    # never hurts, which the rule relies on.
    at_least = total * (max_guesses if game.cap is None else min(game.cap, max_guesses))
    if loss is not None and (type(loss) is not int or not at_least <= loss < INF // total):
        raise DataError(
            f"the header of {name!r} prices a lost answer at {loss!r}; that must be a number from "
            f"{at_least} to {INF // total}"
        )
    digest = game_digest(
        game.answers, game.guesses, game.rule.name, game.mode, game.cap, weights, loss
    )
    if header.get("digest") != digest:
        raise DataError(
            f"{name!r} is a certificate for another game than {game.name!r} ({game.mode} mode, cap "
            f"{game.cap}); it says {header.get('game')!r}, mode {header.get('mode')!r}, cap "
            f"{header.get('cap')!r}"
        )


def _read_claim(header: dict[str, Any], game: GameRules, name: str) -> _Claim:
    try:
        history = tuple((_count(guess), _count(pattern)) for guess, pattern in header["history"])
        claimed = {
            None if guess is None else _count(guess, len(game.guesses)): _count(bound)
            for guess, bound in header["lower"]
        }
    except (KeyError, TypeError, ValueError):
        claimed = {}
    if not claimed or len(claimed) < len(header["lower"]):
        raise DataError(f"the header of {name!r} claims nothing that can be checked")
    named = {guess: bound for guess, bound in claimed.items() if guess is not None}
    return _Claim(history, named, claimed.get(None))


def _count(value: Any, end: int = INF + 1) -> int:
    if type(value) is not int or value not in range(end):
        raise ValueError(value)
    return value


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
        # Where a plan gives up, the guesses that are left change nothing, but they count.
        total += int(weight) * (len(guesses) if is_won else (game.cap or len(guesses)) + loss)
    return total


# ---- the work, in one process or in several


def _check_share(path: Path, game: Any, claim: _Claim, share: int, shares: int) -> Iterator[int]:
    """Check one of several shares of a certificate; yields how far it is, in facts and then in
    claimed guesses. All facts are accepted in every share, and every `shares`-th is checked."""
    name, header = str(path), read_header(path)
    checker = Checker(game, header.get("loss"))
    every = np.arange(checker.count)
    for index, fact in enumerate(read_facts(path)):
        try:
            state = checker.state(fact.history)
            if index % shares == share:
                checker.check(state, every[checker.legal(state.hints)], fact.lower)
            checker.accept(state, fact.lower)
        except DataError as error:
            raise DataError(f"fact {index} of {name!r} does not hold: {error}") from None
        yield index + 1
    try:
        state = checker.state(claim.history)
        named, rest = _claimed(checker, state, claim, header)
        step = shares * _CHUNK
        for start in range(share * _CHUNK, len(named), step):
            checker.check_each(state, dict(list(named.items())[start : start + _CHUNK]))
            yield header["facts"] + start
        for start in range(share * _CHUNK, len(rest), step):
            checker.check(state, rest[start : start + _CHUNK], claim.others or 0)
            yield header["facts"] + len(named) + start
    except DataError as error:
        raise DataError(f"the claim of {name!r} does not follow: {error}") from None


def _claimed(
    checker: Checker, state: CheckedState, claim: _Claim, header: dict[str, Any]
) -> tuple[dict[int, int], Ints]:
    """The guesses that are named, with their bounds, and all others.

    Of guesses that symmetries of the game map to each other, one stands for all, with the greatest
    bound that is claimed of any of them.
    """
    others = [] if claim.others is None else np.flatnonzero(checker.legal(state.hints)).tolist()
    lowers = dict.fromkeys(others, claim.others or 0) | claim.named
    first = np.arange(checker.count)
    if not claim.history:
        first = orbits(checker.letters.T, checker.weights, header.get("symmetries", []))
    groups: dict[int, list[int]] = {}
    for guess in sorted(lowers):
        groups.setdefault(int(first[guess]), []).append(guess)
    named, rest = {}, []
    for group in groups.values():
        if claim.named.keys().isdisjoint(group):
            rest.append(group[0])
        else:
            named[group[0]] = max(lowers[guess] for guess in group)
    if named:  # an idle guess is never best, but it may be better than all that are not named
        is_idle = checker.is_idle(state, *checker.split(state, np.array(rest, np.int64)))
        named |= {guess: lowers[guess] for guess in np.array(rest)[is_idle].tolist()}
    return named, np.array(rest, np.int64)


def _run(path: Path, game: Any, claim: _Claim, threads: int) -> Iterator[int]:
    """Check everything; yields how far it is."""
    if threads == 1:
        yield from _check_share(path, game, claim, 0, 1)
        return
    context = multiprocessing.get_context("spawn")
    workers: list[Any] = []
    positions: dict[Any, int] = {}
    errors: dict[int, str] = {}
    try:
        for share in range(threads):
            pipe, end = context.Pipe(duplex=False)
            work = (end, path, game, claim, share, threads)
            worker = context.Process(target=_send_share, args=work, daemon=True)
            worker.start()
            workers.append(worker)
            end.close()
            positions[pipe] = 0
        # The first error counts: go on until every process is past it.
        while min(positions.values()) < min(errors, default=_END):
            for ready in connection.wait([p for p in positions if positions[p] < _END]):
                position, error = _received(ready)
                positions[ready] = _END if error else position
                if error:
                    errors[position] = error
            yield min(positions.values())
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
    if errors:
        raise DataError(errors[min(errors)])


def _received(pipe: Any) -> tuple[int, str | None]:
    try:
        message: tuple[int, str | None] = pipe.recv()
    except EOFError:
        raise InputError("a process that checked facts died; try again with --threads 1") from None
    return message


def _send_share(pipe: Any, path: Path, game: Any, claim: _Claim, share: int, shares: int) -> None:
    """Check a share in a process of its own, and send how far it is, or the first error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    position = 0
    try:
        for position in _check_share(path, game, claim, share, shares):
            if position % _CHUNK == 0:
                pipe.send((position, None))
        pipe.send((_END, None))
    except DataError as error:
        pipe.send((position, str(error)))
    except BrokenPipeError:
        pass  # the parent died


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
