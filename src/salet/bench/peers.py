"""Time other solvers against salet, alternating in one run, so that the ratio is fair.

An adapter knows a program's options and reads its result. Both sides find the exact value of the
same openers on one core; the processor time of the search is compared, without the set-up of either
side.
"""

from __future__ import annotations

import math
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

import msgspec

from salet.arena.protocols import word_list_files
from salet.bench.program import run_program
from salet.bench.suites import GameSpec
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game

OPENERS = ("salet", "raise", "crane", "soare", "tears")
_Answer = tuple[int | None, float]
"""Total, and processor seconds of the search."""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """One opener, valued by both solvers."""

    opener: str
    total: int | None
    """Our total."""
    peer_total: int | None
    seconds: float | None
    """Our minimum over all turns, in processor time."""
    peer_seconds: float | None
    ratio: float | None
    """Peer's time divided by ours."""


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """A peer against our solver, over several openers."""

    name: str
    turns: int
    timings: list[Timing] = []
    ratio: float | None = None
    """Geometric mean over the openers."""
    error: str | None = None


@dataclass(frozen=True)
class Adapter:
    """How to run a peer on an opener and to parse its output."""

    name: str
    command: Callable[[str, Path, Game, str], list[str]]
    """(program, directory of the word lists, game, opener) -> command line"""
    read: Callable[[str], _Answer]
    """its output -> (total, processor seconds); the total is None if no plan keeps the cap"""
    rules: tuple[str, ...] = ("standard",)
    modes: tuple[str, ...] = ("normal", "hard")
    """Rules and modes that it supports."""


def _alex1770(program: str, lists: Path, game: Game, opener: str) -> list[str]:
    modes: dict[str, list[str]] = {"normal": [], "hard": ["-H"]}
    files = ["-a", str(lists / "guesses.txt"), "-h", str(lists / "answers.txt")]
    cap = [] if game.cap is None else [f"-g{game.cap}"]
    return [program, *files, *modes[game.mode], *cap, "-w", opener]


_ALEX1770_INFINITE = 1000000000


def _read_alex1770(text: str) -> _Answer:
    total = re.search(r"^Best first guess score = (\d+)", text, re.MULTILINE)
    seconds = re.search(r"^Time taken = ([\d.]+)s", text, re.MULTILINE)
    if total is None or seconds is None:
        raise ValueError("it printed neither 'Best first guess score' nor 'Time taken'")
    value = int(total[1])
    return value if value < _ALEX1770_INFINITE else None, float(seconds[1])


PEERS: Mapping[str, Adapter] = MappingProxyType(
    {adapter.name: adapter for adapter in (Adapter("alex1770", _alex1770, _read_alex1770),)}
)
"""Known solvers by name."""


def check_peer(name: str, path: str, game: Game) -> Adapter:
    """The adapter of a peer; refuses a missing program or a game that it cannot play."""
    if name not in PEERS:
        raise UnknownNameError("peer", name, PEERS)
    if shutil.which(path) is None:
        raise InputError(f"peer {name!r}: {path!r} is not an executable program")
    adapter = PEERS[name]
    if game.rule.name not in adapter.rules or game.mode not in adapter.modes:
        known = f"rule {' or '.join(adapter.rules)}, mode {' or '.join(adapter.modes)}"
        raise InputError(f"peer {name!r} cannot play {game.rule.name}, {game.mode}; only {known}")
    return adapter


def duel(
    adapter: Adapter,
    path: str,
    game: Game,
    spec: GameSpec,
    *,
    turns: int = 3,
    timeout: float = 600.0,
    openers: Sequence[str] | None = None,
) -> Duel:
    """Time both on each opener, alternating; the first failure of either side is the error."""
    listed = openers or [word for word in OPENERS if word in game.guesses]
    program = str(Path(shutil.which(path) or path).resolve())
    timings: list[Timing] = []
    error: str | None = None
    with word_list_files(game) as directory:
        for opener in listed or game.guesses[:1]:
            theirs = adapter.command(program, directory, game, opener)
            found: dict[str, list[_Answer]] = {"ours": [], "peer": []}
            sides = {
                "ours": partial(_ask_salet, spec, opener, timeout),
                "peer": partial(_ask_peer, theirs, adapter.read, timeout, directory),
            }
            for _ in range(turns):
                for side, ask in sides.items():
                    try:
                        found[side].append(ask())
                    except (ValueError, OSError) as fault:  # a TimeoutError is an OSError
                        error = error or f"{side} on {opener}: {' '.join(str(fault).split())}"
            timings.append(_timing(opener, found["ours"], found["peer"]))
            totals = {total for answers in found.values() for total, _ in answers}
            if len(totals) > 1:
                error = error or f"on {opener} the totals differ: {sorted(totals, key=str)}"
    ratios = [timing.ratio for timing in timings if timing.ratio]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    return Duel(name=adapter.name, turns=turns, timings=timings, ratio=mean, error=error)


def _timing(opener: str, ours: list[_Answer], peer: list[_Answer]) -> Timing:
    """Compare the fastest turns; there is no ratio if no plan keeps within the cap."""
    our_seconds = min((seconds for total, seconds in ours if total is not None), default=None)
    peer_seconds = min((seconds for total, seconds in peer if total is not None), default=None)
    return Timing(
        opener=opener,
        total=ours[0][0] if ours else None,
        peer_total=peer[0][0] if peer else None,
        seconds=our_seconds,
        peer_seconds=peer_seconds,
        ratio=peer_seconds / our_seconds if our_seconds and peer_seconds else None,
    )


def _ask_salet(spec: GameSpec, opener: str, timeout: float) -> _Answer:
    command = [sys.executable, "-m", "salet", "solve", "--opener", opener, "--threads", "1"]
    done = run_program([*command, *spec.arguments(), "--json"], timeout)
    try:
        fields = msgspec.json.decode(done.stdout)  # also printed if no plan keeps within the cap
    except msgspec.DecodeError:
        raise ValueError(done.error or "it printed no JSON") from None
    return fields["total"], float(fields["cpu_seconds"])


def _ask_peer(
    command: list[str], read: Callable[[str], _Answer], timeout: float, directory: Path
) -> _Answer:
    done = run_program(command, timeout, directory=directory)
    if done.error is not None:
        raise ValueError(done.error)
    return read(done.stdout.decode("utf-8", "replace"))
