"""What became of every secret: outcomes, the journal that survives a kill, and the figures.

The journal is `FILE.part` beside the transcript: a line that says what is played, then one JSON
line for each outcome, written to the disk as it comes. When all secrets are played it becomes the
transcript in the founding format, in the order of secrets, and failures go to `FILE.failures`.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from salet.arena.umpire import Contest
from salet.errors import InputError
from salet.game.packs.store import checksum
from salet.storage import output

KIND = "salet arena 1"


class Fault(msgspec.Struct, frozen=True):
    """Why a game could not be played to its end."""

    reason: str
    """one of a few, to be counted: timeout, crash, unknown word …"""
    detail: str
    """what exactly was wrong this time"""
    stderr: list[str] = []
    """the player's last words"""


class Outcome(msgspec.Struct, frozen=True):
    """One secret, played or failed."""

    secret: str
    guesses: list[str]
    won: bool
    fault: Fault | None = None
    at: float = 0.0
    """seconds of play when it came"""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one player, as in `salet arena --json`."""

    command: str
    games: int
    total: int | None
    """guesses over all games; a loss counts cap + 1 (uncapped: the guesses until it repeated)"""
    mean: float | None
    worst: int | None
    """most guesses of any won game"""
    losses: int
    histogram: dict[int, int]
    """won games by number of guesses"""
    failures: dict[str, int]
    """games that could not be played, by reason"""
    seconds: float


def charge(outcome: Outcome, cap: int | None) -> int:
    """What a played game counts in the total."""
    return len(outcome.guesses) if outcome.won or cap is None else cap + 1


def standing(
    command: str, outcomes: Iterable[Outcome], cap: int | None, seconds: float
) -> Standing:
    """Count. Games and failures always add up to the outcomes."""
    played: list[Outcome] = []
    failures: Counter[str] = Counter()
    for outcome in outcomes:
        if outcome.fault is None:
            played.append(outcome)
        else:
            failures[outcome.fault.reason] += 1
    total = sum(charge(outcome, cap) for outcome in played)
    histogram = Counter(len(outcome.guesses) for outcome in played if outcome.won)
    return Standing(
        command=command,
        games=len(played),
        total=total if played else None,
        mean=total / len(played) if played else None,
        worst=max(histogram, default=None),
        losses=sum(not outcome.won for outcome in played),
        histogram=dict(sorted(histogram.items())),
        failures=dict(sorted(failures.items())),
        seconds=round(seconds, 3),
    )


def founding_line(outcome: Outcome) -> str:
    """`SECRET, G1 G2 … Gk ` with its trailing space."""
    return f"{outcome.secret}, " + "".join(f"{guess} " for guess in outcome.guesses)


def write_transcript(path: Path, secrets: Sequence[str], outcomes: Mapping[str, Outcome]) -> None:
    """The games in the order of secrets and the number of their guesses; failures beside it."""
    ordered = [outcomes[secret] for secret in secrets]
    played = [outcome for outcome in ordered if outcome.fault is None]
    guesses = sum(len(outcome.guesses) for outcome in played)
    _write(path, [*map(founding_line, played), str(guesses)])
    beside = path.with_name(f"{path.name}.failures")
    failed = [
        f"{founding_line(outcome)}# {outcome.fault.reason}: {outcome.fault.detail}"
        for outcome in ordered
        if outcome.fault is not None
    ]
    if failed:
        _write(beside, failed)
    else:
        beside.unlink(missing_ok=True)


def _write(path: Path, lines: Iterable[str]) -> None:
    with output(path) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


class _Header(msgspec.Struct, frozen=True):
    """What a journal belongs to."""

    format: str
    command: str
    protocol: str
    game: str
    rule: str
    mode: str
    cap: int | None
    words: str
    """digest of all guesses"""
    secrets: str
    """digest of the secrets"""


class Journal:
    """Outcomes on disk, one by one; opening it again gives those of the run before."""

    def __init__(self, path: Path, contest: Contest, command: str, protocol: str) -> None:
        game = contest.game
        if path.is_dir():
            raise InputError(f"cannot write {str(path)!r}: it is a directory; give a file name")
        self.target = path
        self.path = path.with_name(f"{path.name}.part")
        self.outcomes: dict[str, Outcome] = {}
        self._secrets = contest.words
        self._header = _Header(
            format=KIND,
            command=command,
            protocol=protocol,
            game=game.name,
            rule=game.rule.name,
            mode=game.mode,
            cap=game.cap,
            words=checksum(game.guesses)[:16],
            secrets=checksum(self._secrets)[:16],
        )
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {_why(error)}") from None
        try:
            self._lock()
            self._resume()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """Two runs at once would write each other's games."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{str(self.path)!r} is being written by another run; write to another file"
            ) from None
        except OSError:  # a file system without locks
            pass

    def _resume(self) -> None:
        """Read what a run before has left; a line that was being written when it died is cut."""
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        header, *lines = whole.splitlines() or [b""]
        if whole:
            try:
                found = msgspec.json.decode(header, type=_Header)
                known = set(self._secrets)
                outcomes = [msgspec.json.decode(line, type=Outcome) for line in lines]
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise InputError(f"{str(self.path)!r} {_FOREIGN}") from None
            if found != self._header or any(o.secret not in known for o in outcomes):
                raise InputError(f"{str(self.path)!r} {_FOREIGN}")
            self.outcomes = {outcome.secret: outcome for outcome in outcomes}
        elif raw and not raw.startswith(b'{"format":"salet arena'):
            raise InputError(f"{str(self.path)!r} {_FOREIGN}")
        os.ftruncate(self._file, len(whole))
        os.lseek(self._file, len(whole), os.SEEK_SET)
        if not whole:
            self._append(msgspec.json.encode(self._header))

    @property
    def seconds(self) -> float:
        """How long was played before."""
        return max((outcome.at for outcome in self.outcomes.values()), default=0.0)

    def add(self, outcome: Outcome) -> None:
        """Keep one more outcome."""
        self._append(msgspec.json.encode(outcome))
        self.outcomes[outcome.secret] = outcome

    def _append(self, line: bytes) -> None:
        data = line + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            kept = f"{len(self.outcomes)} games are kept in {str(self.path)!r}"
            raise InputError(
                f"cannot write {str(self.path)!r}: {_why(error)}; {kept}: "
                "make room and run the same command to go on"
            ) from None

    def finish(self) -> None:
        """All is played: write the transcript and drop the journal."""
        write_transcript(self.target, self._secrets, self.outcomes)
        self.close()
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Leave the journal as it is."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


_FOREIGN = (
    "holds the games of another run (another player, game or list of secrets); "
    "remove it or write to another file"
)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
