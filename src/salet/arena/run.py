"""Several players on the same secrets: the call behind `salet arena`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from salet.arena.chat_client import ChatModel
from salet.arena.chat_match import ChatMatch
from salet.arena.child_process import parse_command
from salet.arena.journal import Journal
from salet.arena.match import Limits, Match
from salet.arena.outcomes import Fault, GameOutcome, Standing, charge, standing
from salet.arena.protocols import protocol_named, word_list_files
from salet.arena.reaper import Reaper, require_process_groups
from salet.arena.signals import StopRequest, deferred_signals
from salet.arena.umpire import Contest, Umpire
from salet.errors import InputError
from salet.version import commit, version


@dataclass
class ArenaProgress:
    """The progress of one player; passed to the caller after every game."""

    player: int
    """Index of the player, in the order given."""
    command: str
    answers: int
    games: int = 0
    failures: int = 0
    total: int = 0
    seconds: float = 0.0

    @property
    def mean(self) -> float | None:
        """Mean guesses of the games so far."""
        return self.total / self.games if self.games else None


class ArenaResult(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `salet arena --json`."""

    game: str
    mode: str
    cap: int | None
    protocol: str
    answers: int
    players: list[Standing]
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


@dataclass(frozen=True)
class Arena:
    """The result, and every game behind it."""

    result: ArenaResult
    outcomes: list[list[GameOutcome]]
    """outcomes[player], in the order of secrets"""

    def faults(self, player: int) -> dict[str, tuple[str, Fault]]:
        """The first fault for each reason: {reason: (secret, fault)}."""
        first: dict[str, tuple[str, Fault]] = {}
        for outcome in self.outcomes[player]:
            if outcome.fault is not None:
                first.setdefault(outcome.fault.reason, (outcome.secret, outcome.fault))
        return first


def run_arena(
    contest: Contest,
    players: Sequence[str] = (),
    *,
    models: Sequence[ChatModel] = (),
    protocol: str = "go-stop",
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    transcripts: Path | None = None,
    progress: Callable[[ArenaProgress], None] | None = None,
) -> Arena:
    """Let every player play every secret, one player after the other, with `jobs` instances each.

    Chat `models` come first, then the programs `players`. With `transcripts`, games are stored as
    they end, and an interrupted run is resumed. Several players write to files numbered `-1`, `-2`.
    """
    if not players and not models:
        raise InputError("no player: give a command with --player, or an endpoint with --model")
    if jobs < 1:
        raise InputError(f"{jobs} jobs: give at least 1")
    if players:
        require_process_groups("the arena")
    commands = [parse_command(player) for player in players]
    names = [*(model.describe() for model in models), *players]
    protocols = ["chat"] * len(models) + [protocol] * len(players)
    game = contest.game
    standings: list[Standing] = []
    outcomes: list[list[GameOutcome]] = []
    with contextlib.ExitStack() as stack:
        journals = _open_journals(stack, transcripts, contest, names, protocols)
        match_program = (
            _program_matches(stack, contest, protocol, limits, jobs) if players else None
        )
        stop = stack.enter_context(deferred_signals())
        for number, name in enumerate(names):
            start = ArenaProgress(number, name, len(contest.secrets))
            recorder = _Recorder(start, game.cap, journals[number], progress)
            secrets = dict.fromkeys(contest.secrets)
            left = [s for s in secrets if contest.text(s) not in recorder.outcomes]
            match: Match | ChatMatch
            if number < len(models):
                match = ChatMatch(
                    contest, models[number], on_outcome=recorder.record, jobs=jobs, secrets=left
                )
            else:
                assert match_program is not None
                match = match_program(commands[number - len(models)], recorder.record, left)
            seconds = recorder.earlier_seconds + _run(match, stop, journals[number])
            outcomes.append([recorder.outcomes[word] for word in contest.words])
            standings.append(standing(name, outcomes[-1], game.cap, seconds))
        for journal in journals:  # only when all are done: until then a rerun resumes from them
            if journal is not None:
                journal.finish()
    result = ArenaResult(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        protocol=protocol if players else "chat",
        answers=len(contest.secrets),
        players=standings,
        version=version(),
        commit=commit(),
    )
    return Arena(result, outcomes)


def _program_matches(
    stack: contextlib.ExitStack, contest: Contest, protocol: str, limits: Limits, jobs: int
) -> Callable[[Sequence[str], Callable[[GameOutcome], None], list[int]], Match]:
    """A factory of matches; what the programs share is created once."""
    spoken = protocol_named(protocol)
    umpire = Umpire(contest.game)
    word_lists = stack.enter_context(word_list_files(contest.game, spoken))
    reaper = stack.enter_context(Reaper())

    def make(
        command: Sequence[str], on_outcome: Callable[[GameOutcome], None], secrets: list[int]
    ) -> Match:
        return Match(
            contest,
            command,
            spoken,
            reaper=reaper,
            word_lists=word_lists,
            on_outcome=on_outcome,
            limits=limits,
            jobs=jobs,
            secrets=secrets,
            umpire=umpire,
        )

    return make


def _run(match: Match | ChatMatch, stop: StopRequest, journal: Journal | None) -> float:
    """Run a match; the error if it ends early says where its games are saved."""
    try:
        return match.run(stop)
    except InputError as error:
        if isinstance(match, Match):
            raise
        if journal is None:
            advice = "give --transcripts FILE to keep the games of such a run"
        else:
            count = len(journal.outcomes)
            saved = "1 game is" if count == 1 else f"{count} games are"
            advice = f"{saved} saved in {str(journal.path)!r}: run the same command to resume"
        raise InputError(f"{error}; {advice}") from None


class _Recorder:
    """Stores each outcome of one player: first on disk, then in memory; then reports progress."""

    def __init__(
        self,
        progress: ArenaProgress,
        cap: int | None,
        journal: Journal | None,
        report: Callable[[ArenaProgress], None] | None,
    ) -> None:
        self._progress = progress
        self._cap = cap
        self._journal = journal
        self._report = report
        self.outcomes: dict[str, GameOutcome] = {}
        self.earlier_seconds = 0.0
        """Seconds of play before this run was resumed."""
        if journal is not None:
            self.earlier_seconds = journal.seconds
            for outcome in journal.outcomes.values():
                self._count(outcome)

    def record(self, outcome: GameOutcome) -> None:
        if self.earlier_seconds:
            outcome = msgspec.structs.replace(outcome, at=outcome.at + self.earlier_seconds)
        if self._journal is not None:
            self._journal.add(outcome)
        self._count(outcome)
        if self._report is not None:
            self._report(self._progress)

    def _count(self, outcome: GameOutcome) -> None:
        self.outcomes[outcome.secret] = outcome
        if outcome.fault is None:
            self._progress.games += 1
            self._progress.total += charge(outcome, self._cap)
        else:
            self._progress.failures += 1
        self._progress.seconds = outcome.at


def _open_journals(
    stack: contextlib.ExitStack,
    transcripts: Path | None,
    contest: Contest,
    players: Sequence[str],
    protocols: Sequence[str],
) -> list[Journal | None]:
    """Open a journal for each player, before anything is played."""
    if transcripts is None:
        return [None] * len(players)
    journals: list[Journal | None] = []
    for number, (player, protocol) in enumerate(zip(players, protocols, strict=True), 1):
        path = transcripts
        if len(players) > 1 and transcripts.name:
            path = transcripts.with_name(f"{transcripts.stem}-{number}{transcripts.suffix}")
        journal = Journal(path, contest, player, protocol)
        stack.callback(journal.close)
        journals.append(journal)
    return journals
