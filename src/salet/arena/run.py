"""Several players on the same secrets: the call behind `salet arena`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from salet.arena.child_process import parse_command
from salet.arena.match import Limits, Match
from salet.arena.outcomes import Fault, Journal, Outcome, Standing, charge, standing
from salet.arena.protocols import lists_of, protocol_named
from salet.arena.reaper import Guard
from salet.arena.signals import stoppable
from salet.arena.umpire import Contest, Umpire
from salet.errors import InputError
from salet.version import commit, version


@dataclass
class Progress:
    """How far one player is; given to the caller after every outcome."""

    player: int
    """its number in the order given, from 0"""
    command: str
    answers: int
    games: int = 0
    failures: int = 0
    total: int = 0
    seconds: float = 0.0

    @property
    def mean(self) -> float | None:
        return self.total / self.games if self.games else None


class ArenaResult(msgspec.Struct, frozen=True, kw_only=True):
    """What `salet arena --json` prints."""

    game: str
    mode: str
    cap: int | None
    protocol: str
    answers: int
    players: list[Standing]
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


@dataclass(frozen=True)
class Arena:
    """The result, and every game behind it."""

    result: ArenaResult
    outcomes: list[list[Outcome]]
    """outcomes[player] in the order of secrets"""

    def faults(self, player: int) -> dict[str, tuple[str, Fault]]:
        """The first failure of each reason: {reason: (secret, fault)}."""
        first: dict[str, tuple[str, Fault]] = {}
        for outcome in self.outcomes[player]:
            if outcome.fault is not None:
                first.setdefault(outcome.fault.reason, (outcome.secret, outcome.fault))
        return first


def run_arena(
    contest: Contest,
    players: Sequence[str],
    *,
    protocol: str = "go-stop",
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    transcripts: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Arena:
    """Every player plays every secret, one player after the other, each with `jobs` instances.

    With `transcripts` the games are kept as they come, and a run that was stopped goes on where it
    was. Several players write to files numbered `-1`, `-2` ….
    """
    if not players:
        raise InputError("no player: give a command with --player")
    if jobs < 1:
        raise InputError(f"{jobs} jobs: give at least 1")
    spoken = protocol_named(protocol)
    commands = [parse_command(player) for player in players]
    umpire = Umpire(contest.game)
    cap = contest.game.cap
    standings: list[Standing] = []
    everything: list[list[Outcome]] = []
    with contextlib.ExitStack() as stack:
        lists = stack.enter_context(lists_of(contest.game, spoken))
        journals = _journals(stack, transcripts, contest, players, protocol)
        guard = stack.enter_context(Guard())
        wakeup = stack.enter_context(stoppable())
        for number, command in enumerate(commands):
            journal = journals[number]
            known = dict(journal.outcomes) if journal is not None else {}
            before = journal.seconds if journal is not None else 0.0
            tracker = _Tracker(Progress(number, players[number], len(contest.secrets)), cap)
            for outcome in known.values():
                tracker.add(outcome)
            keep = _Keeper(known, journal, tracker, before, progress)
            waiting = [s for s in contest.secrets if contest.game.guesses[s] not in known]
            match = Match(
                contest,
                command,
                spoken,
                guard=guard,
                lists=lists,
                on_outcome=keep,
                limits=limits,
                jobs=jobs,
                secrets=waiting,
                umpire=umpire,
            )
            seconds = before + match.run(wakeup)
            ordered = [known[word] for word in contest.words]
            everything.append(ordered)
            standings.append(standing(players[number], ordered, cap, seconds))
        for journal in journals:  # not before all are done: until then the journals count
            if journal is not None:
                journal.finish()
    game = contest.game
    result = ArenaResult(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        protocol=protocol,
        answers=len(contest.secrets),
        players=standings,
        version=version(),
        commit=commit(),
    )
    return Arena(result, everything)


class _Tracker:
    """Keeps `Progress` up to date."""

    def __init__(self, progress: Progress, cap: int | None) -> None:
        self.progress = progress
        self._cap = cap

    def add(self, outcome: Outcome) -> None:
        if outcome.fault is None:
            self.progress.games += 1
            self.progress.total += charge(outcome, self._cap)
        else:
            self.progress.failures += 1
        self.progress.seconds = outcome.at


class _Keeper:
    """What happens to each outcome: to the disk first, then counted, then shown."""

    def __init__(
        self,
        known: dict[str, Outcome],
        journal: Journal | None,
        tracker: _Tracker,
        before: float,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._known = known
        self._journal = journal
        self._tracker = tracker
        self._before = before
        self._progress = progress

    def __call__(self, outcome: Outcome) -> None:
        if self._before:
            outcome = msgspec.structs.replace(outcome, at=outcome.at + self._before)
        if self._journal is not None:
            self._journal.add(outcome)
        self._known[outcome.secret] = outcome
        self._tracker.add(outcome)
        if self._progress is not None:
            self._progress(self._tracker.progress)


def _journals(
    stack: contextlib.ExitStack,
    transcripts: Path | None,
    contest: Contest,
    players: Sequence[str],
    protocol: str,
) -> list[Journal | None]:
    """A journal for each player, all opened before anything is played."""
    if transcripts is None:
        return [None] * len(players)
    journals: list[Journal | None] = []
    for number, player in enumerate(players, 1):
        target = transcripts
        if len(players) > 1 and transcripts.name:
            target = transcripts.with_name(f"{transcripts.stem}-{number}{transcripts.suffix}")
        journal = Journal(target, contest, player, protocol)
        stack.callback(journal.close)
        journals.append(journal)
    return journals
