"""Transcripts, and the journal from which an interrupted run is resumed.

The journal is `FILE.part` beside the transcript: a header that says what is played, then one JSON
line for each outcome, written as the game ends. When all secrets are played it becomes the
transcript, in the order of secrets; failures go to `FILE.failures`, and the conversations of chat
models to `FILE.chat.jsonl`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from salet.arena.outcomes import GameOutcome
from salet.arena.umpire import Contest
from salet.errors import InputError
from salet.game.packs.store import checksum
from salet.storage import output

FORMAT = "salet arena 1"


def transcript_line(secret: str, guesses: Iterable[str]) -> str:
    """Return one game of a transcript.

    >>> transcript_line("apple", ["angle", "apple"])
    'apple, angle apple '
    """
    return f"{secret}, " + "".join(f"{guess} " for guess in guesses)


def write_transcript(
    path: Path, secrets: Sequence[str], outcomes: Mapping[str, GameOutcome]
) -> None:
    """Write the games in the order of secrets, then their number of guesses; failures beside."""
    games: list[str] = []
    failures: list[str] = []
    guess_count = 0
    for secret in secrets:
        outcome = outcomes[secret]
        line = transcript_line(secret, outcome.guesses)
        if outcome.fault is None:
            games.append(line)
            guess_count += len(outcome.guesses)
        else:
            failures.append(f"{line}# {outcome.fault.reason}: {outcome.fault.detail}")
    _write_lines(path, [*games, str(guess_count)])
    failure_path = path.with_name(f"{path.name}.failures")
    if failures:
        _write_lines(failure_path, failures)
    else:
        failure_path.unlink(missing_ok=True)
    if any(outcome.chat is not None for outcome in outcomes.values()):
        lines = (msgspec.json.encode(outcomes[secret]).decode() for secret in secrets)
        _write_lines(path.with_name(f"{path.name}.chat.jsonl"), lines)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with output(path) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


class _Header(msgspec.Struct, frozen=True):
    """The run that a journal belongs to."""

    format: str
    command: str
    protocol: str
    game: str
    rule: str
    mode: str
    cap: int | None
    words: str
    """Digest of all guesses."""
    secrets: str
    """Digest of the secrets."""


class Journal:
    """Outcomes on disk; opening the journal again restores those of the earlier run."""

    def __init__(self, path: Path, contest: Contest, command: str, protocol: str) -> None:
        game = contest.game
        if path.is_dir():
            raise InputError(f"cannot write {str(path)!r}: it is a directory; give a file name")
        self._transcript_path = path
        self.path = path.with_name(f"{path.name}.part")
        self.outcomes: dict[str, GameOutcome] = {}
        self._secrets = contest.words
        self._header = _Header(
            format=FORMAT,
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
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {_reason(error)}") from None
        try:
            self._lock()
            self._resume()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """Raise an error if another run uses the journal; does nothing where files cannot be locked
        (Windows, some network file systems)."""
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{str(self.path)!r} is being written by another run; write to another file"
            ) from None
        except (ImportError, OSError):
            pass

    def _resume(self) -> None:
        """Read the outcomes of an earlier run; truncate a line that it did not finish writing."""
        raw = self.path.read_bytes()
        complete = raw[: raw.rfind(b"\n") + 1]
        header, *lines = complete.splitlines() or [b""]
        if complete:
            try:
                found = msgspec.json.decode(header, type=_Header)
                outcomes = [msgspec.json.decode(line, type=GameOutcome) for line in lines]
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise self._foreign() from None
            known = set(self._secrets)
            if found != self._header or any(o.secret not in known for o in outcomes):
                raise self._foreign()
            self.outcomes = {outcome.secret: outcome for outcome in outcomes}
        elif raw and not raw.startswith(b'{"format":"salet arena'):
            raise self._foreign()
        os.ftruncate(self._file, len(complete))
        os.lseek(self._file, len(complete), os.SEEK_SET)
        if not complete:
            self._append(msgspec.json.encode(self._header))

    def _foreign(self) -> InputError:
        return InputError(
            f"{str(self.path)!r} holds the games of another run (another player, game or list of "
            "secrets); remove it or write to another file"
        )

    @property
    def seconds(self) -> float:
        """Seconds of play so far, earlier runs included."""
        return max((outcome.at for outcome in self.outcomes.values()), default=0.0)

    def add(self, outcome: GameOutcome) -> None:
        """Append an outcome."""
        self._append(msgspec.json.encode(outcome))
        self.outcomes[outcome.secret] = outcome

    def _append(self, line: bytes) -> None:
        data = line + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise InputError(
                f"cannot write {str(self.path)!r}: {_reason(error)}; {len(self.outcomes)} games "
                "are saved there: free some space and run the same command to resume"
            ) from None

    def finish(self) -> None:
        """Write the transcript and delete the journal."""
        write_transcript(self._transcript_path, self._secrets, self.outcomes)
        self.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Close the journal and leave it on disk."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
