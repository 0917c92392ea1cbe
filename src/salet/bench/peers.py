"""Other people's solvers, timed against ours: in turns, in one run, so that a ratio is honest.

An adapter knows a program's options and reads its result. Both sides value the same openers
exactly on one core; compared is the time of the search, without the set-up of either.
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

from salet.arena.protocols import lists_of
from salet.bench.program import run_apart
from salet.bench.suites import GameSpec
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game

OPENERS = ("salet", "raise", "crane", "soare", "tears")


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """One opener, valued by both."""

    opener: str
    total: int | None
    """ours"""
    peer_total: int | None
    seconds: float | None
    """ours, the least of all turns"""
    peer_seconds: float | None
    ratio: float | None
    """how many times faster we are"""


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """A peer against ours."""

    name: str
    turns: int
    timings: list[Timing] = []
    ratio: float | None = None
    """geometric mean over the openers"""
    error: str | None = None


@dataclass(frozen=True)
class Adapter:
    """How a peer is asked for the exact value of an opener, and what it says."""

    name: str
    command: Callable[[str, Path, Game, str], list[str]]
    """(program, directory of the word lists, game, opener) -> command line"""
    read: Callable[[str], tuple[int | None, float]]
    """its output -> (total, seconds); no total where no plan keeps the cap"""
    rules: tuple[str, ...] = ("standard",)
    modes: tuple[str, ...] = ("normal", "hard")
    """the games that it knows"""


def _alex1770(program: str, lists: Path, game: Game, opener: str) -> list[str]:
    modes: dict[str, list[str]] = {"normal": [], "hard": ["-H"]}
    files = ["-a", str(lists / "guesses.txt"), "-h", str(lists / "answers.txt")]
    cap = [] if game.cap is None else [f"-g{game.cap}"]
    return [program, *files, *modes[game.mode], *cap, "-w", opener]


_ALEX1770_INFINITE = 1000000000


def _read_alex1770(text: str) -> tuple[int | None, float]:
    total = re.search(r"^Best first guess score = (\d+)", text, re.MULTILINE)
    seconds = re.search(r"^Time taken = ([\d.]+)s", text, re.MULTILINE)
    if total is None or seconds is None:
        raise ValueError("it printed neither 'Best first guess score' nor 'Time taken'")
    found = int(total[1])
    return found if found < _ALEX1770_INFINITE else None, float(seconds[1])


PEERS: Mapping[str, Adapter] = MappingProxyType(
    {adapter.name: adapter for adapter in (Adapter("alex1770", _alex1770, _read_alex1770),)}
)
"""one line for each program whose options we know"""


def check_peer(name: str, path: str, game: Game) -> Adapter:
    """The adapter of a peer whose program is there and knows the game."""
    if name not in PEERS:
        raise UnknownNameError("peer", name, PEERS)
    if shutil.which(path) is None:
        raise InputError(f"peer {name!r}: {path!r} is no program that can be run")
    adapter = PEERS[name]
    if game.rule.name not in adapter.rules or game.mode not in adapter.modes:
        known = f"rule {' or '.join(adapter.rules)}, mode {' or '.join(adapter.modes)}"
        raise InputError(f"peer {name!r} does not play {game.rule.name}, {game.mode}; only {known}")
    return adapter


def duel(
    adapter: Adapter,
    path: str,
    game: Game,
    spec: GameSpec,
    *,
    turns: int = 3,
    limit: float = 600.0,
    openers: Sequence[str] | None = None,
) -> Duel:
    """Time both on each opener, in turns; one side's failure is the duel's error."""
    listed = openers or [word for word in OPENERS if word in game.guesses]
    program = str(Path(shutil.which(path) or path).resolve())
    timings: list[Timing] = []
    error: str | None = None
    with lists_of(game) as directory:
        for opener in listed or game.guesses[:1]:
            theirs = adapter.command(program, directory, game, opener)
            found: dict[str, list[tuple[int | None, float]]] = {"ours": [], "peer": []}
            sides = {
                "ours": partial(_ours, spec, opener, limit),
                "peer": partial(_asked, theirs, adapter.read, limit, directory),
            }
            for _ in range(turns):
                for side, ask in sides.items():
                    try:
                        found[side].append(ask())
                    except (ValueError, OSError) as fault:  # a TimeoutError is an OSError
                        error = error or f"{side} on {opener}: {' '.join(str(fault).split())}"
            timings.append(_timing(opener, found["ours"], found["peer"]))
            said = {total for answers in found.values() for total, _ in answers}
            if len(said) > 1:
                error = error or f"on {opener} the totals differ: {sorted(said, key=str)}"
    ratios = [timing.ratio for timing in timings if timing.ratio]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    return Duel(name=adapter.name, turns=turns, timings=timings, ratio=mean, error=error)


def _timing(
    opener: str, ours: list[tuple[int | None, float]], peer: list[tuple[int | None, float]]
) -> Timing:
    """Where no plan keeps the cap there is no value to be timed, so no ratio."""
    mine = min((seconds for total, seconds in ours if total is not None), default=None)
    theirs = min((seconds for total, seconds in peer if total is not None), default=None)
    return Timing(
        opener=opener,
        total=ours[0][0] if ours else None,
        peer_total=peer[0][0] if peer else None,
        seconds=mine,
        peer_seconds=theirs,
        ratio=theirs / mine if mine and theirs else None,
    )


def _ours(spec: GameSpec, opener: str, limit: float) -> tuple[int | None, float]:
    command = [sys.executable, "-m", "salet", "solve", "--opener", opener, "--threads", "1"]
    done = run_apart([*command, *spec.arguments(), "--json"], limit)
    try:
        fields = msgspec.json.decode(done.out)  # also printed where no plan keeps the cap
    except msgspec.DecodeError:
        raise ValueError(done.complaint or "it printed no JSON") from None
    return fields["total"], float(fields["seconds"])


def _asked(
    command: list[str],
    read: Callable[[str], tuple[int | None, float]],
    limit: float,
    directory: Path,
) -> tuple[int | None, float]:
    """Run the peer on one core."""
    done = run_apart(command, limit, directory=directory)
    if done.complaint is not None:
        raise ValueError(done.complaint)
    return read(done.out.decode("utf-8", "replace"))
