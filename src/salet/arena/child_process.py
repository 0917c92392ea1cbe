"""A program that we started: its pipes, its process group, and how it ended.

Every program leads a session of its own, so that ending its group ends whatever it started. The
group is always ended before the leader is reaped: until then its number cannot belong to anybody
else. Pipes never block; what cannot be written yet waits here.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from salet.arena.reaper import Guard
from salet.errors import InputError

CHUNK = 1 << 16
STDERR_LINES = 20
_STDERR_BYTES = 1 << 14
_MOST_READS = 64


def parse_command(text: str) -> list[str]:
    """A command line as a shell would split it; refuses one that names no program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        why = str(error).lower()
        raise InputError(f"command {text!r}: {why}; quote it as in a shell") from None
    if not words:
        raise InputError(f"command {text!r} is empty; give a program and its arguments")
    if shutil.which(words[0]) is None:
        path = Path(words[0])
        if path.is_file():
            reason = "is not executable; chmod +x it, or name what runs it (python3 FILE)"
        elif "/" in words[0]:
            reason = "does not exist"
        else:
            reason = f"is on no path; is it installed? A file here is ./{words[0]}"
        raise InputError(f"command {text!r}: {words[0]!r} {reason}")
    return words


class Child:
    """A running program with non-blocking pipes."""

    def __init__(self, command: Sequence[str], guard: Guard) -> None:
        self._guard = guard
        self.process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        guard.watch(self.process.pid)
        streams = self.process.stdin, self.process.stdout, self.process.stderr
        self.stdin, self.stdout, self.stderr = (s.fileno() for s in streams if s is not None)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.unsent = b""
        self.is_deaf = False
        """its standard input is closed, by it or by us"""
        self._said = b""
        self._watched: int | None = None

    def send(self, data: bytes) -> bool:
        """Write what the pipe takes and keep the rest; is there a rest?"""
        if self.is_deaf:
            return False
        data = self.unsent + data
        try:
            written = os.write(self.stdin, data) if data else 0
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            self.unsent = b""
            self.is_deaf = True
            return False
        self.unsent = data[written:]
        return bool(self.unsent)

    def close_input(self) -> None:
        """Nothing more will be said."""
        self.is_deaf = True
        if self.process.stdin is not None:
            self.process.stdin.close()

    def receive(self) -> bytes | None:
        """What it said: b"" at the end, None if there is nothing right now."""
        try:
            return os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return None

    def receive_errors(self) -> bytes | None:
        """Keep the end of what it writes to stderr; returns like `receive`."""
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return None
        self._said = (self._said + data)[-_STDERR_BYTES:]
        return data

    @property
    def last_errors(self) -> list[str]:
        """The last lines of its stderr."""
        return self._said.decode("utf-8", "replace").splitlines()[-STDERR_LINES:]

    def watch(self) -> int | None:
        """A descriptor that is readable once the program has ended, where the system has such
        and one is left."""
        if self._watched is None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._watched = os.pidfd_open(self.process.pid)
        return self._watched

    def end(self, has_ended: bool = False) -> str | None:
        """End the whole group, reap it and close the pipes.

        Returns how the program had ended by itself: "exit code 1", "signal SIGSEGV", None if all
        was well or it was still running. Our own SIGKILL cannot be told from somebody else's
        afterwards; `has_ended` says that there was nothing left to kill.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self._guard.forget(self.process.pid)
        code = self.process.wait()
        for _ in range(_MOST_READS):  # somebody who left the group may write for ever
            if not self.receive_errors():
                break
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        if self._watched is not None:
            os.close(self._watched)
            self._watched = None
        if code == -signal.SIGKILL and not has_ended:
            return None
        if code < 0:
            return f"signal {_signal_name(-code)}"
        return f"exit code {code}" if code else None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
