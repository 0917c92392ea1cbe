"""A child process with non-blocking pipes: start it, exchange data, kill it, get its exit status.

Every child leads its own session, so that killing its process group kills whatever it started. The
group is always killed before its leader is reaped: until then the group's id cannot be reused. Data
that the child has not read yet is buffered here.
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

from salet.arena.reaper import Reaper
from salet.errors import InputError

CHUNK_BYTES = 1 << 16
_STDERR_LINES = 20
_STDERR_BYTES = 1 << 14
_MAX_FINAL_READS = 64


def parse_command(text: str) -> list[str]:
    """Split a command line as a shell would; raises an error if it names no program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        reason = str(error).lower()
        raise InputError(f"command {text!r}: {reason}; quote it as in a shell") from None
    if not words:
        raise InputError(f"command {text!r} is empty; give a program and its arguments")
    if shutil.which(words[0]) is None:
        if Path(words[0]).is_file():
            reason = "is not executable; chmod +x it, or name what runs it (python3 FILE)"
        elif "/" in words[0]:
            reason = "does not exist"
        else:
            reason = f"is not on PATH; is it installed? For a file in this directory, ./{words[0]}"
        raise InputError(f"command {text!r}: {words[0]!r} {reason}")
    return words


class ChildProcess:
    """A running program with non-blocking pipes."""

    def __init__(self, command: Sequence[str], reaper: Reaper) -> None:
        self._reaper = reaper
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        reaper.watch(self._process.pid)
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self.stdin, self.stdout, self.stderr = (s.fileno() for s in streams if s is not None)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.unsent = b""
        """Data that the child has not read yet and that did not fit into the pipe."""
        self._is_stdin_closed = False
        self._stderr_tail = b""
        self._pidfd: int | None = None

    @property
    def can_write(self) -> bool:
        """Whether `stdin` is still a descriptor of ours."""
        stream = self._process.stdin
        return stream is not None and not stream.closed

    def send(self, data: bytes) -> bool:
        """Write what the pipe accepts and buffer the rest; return whether data is buffered."""
        if self._is_stdin_closed:
            return False
        data = self.unsent + data
        try:
            written = os.write(self.stdin, data) if data else 0
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            self.unsent = b""
            self._is_stdin_closed = True
            return False
        self.unsent = data[written:]
        return bool(self.unsent)

    def close_stdin(self) -> None:
        """Close the child's standard input."""
        self._is_stdin_closed = True
        if self._process.stdin is not None:
            self._process.stdin.close()

    def read_stdout(self) -> bytes | None:
        """What the child wrote: b"" at the end, None if there is nothing right now."""
        try:
            return os.read(self.stdout, CHUNK_BYTES)
        except BlockingIOError:
            return None

    def read_stderr(self) -> bytes | None:
        """Keep the tail of what the child writes to stderr; returns like `read_stdout`."""
        try:
            data = os.read(self.stderr, CHUNK_BYTES)
        except BlockingIOError:
            return None
        self._stderr_tail = (self._stderr_tail + data)[-_STDERR_BYTES:]
        return data

    @property
    def last_stderr_lines(self) -> list[str]:
        """The last lines of its stderr."""
        return self._stderr_tail.decode("utf-8", "replace").splitlines()[-_STDERR_LINES:]

    def exit_descriptor(self) -> int | None:
        """A descriptor that is readable once the program has ended; None where the system
        has no pidfd, or no descriptor is left."""
        if self._pidfd is None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._pidfd = os.pidfd_open(self._process.pid)
        return self._pidfd

    def kill(self, has_exited: bool = False) -> str | None:
        """Kill the whole process group, reap the child and close its pipes.

        Returns how the program had ended by itself ("exit code 1", "signal SIGSEGV"); None if it
        succeeded or was still running. Afterwards our own SIGKILL cannot be distinguished from
        another: pass `has_exited` if the program is known to have ended before.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._reaper.forget(self._process.pid)
        code = self._process.wait()
        for _ in range(_MAX_FINAL_READS):  # a process that left the group may write forever
            if not self.read_stderr():
                break
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None
        if code == -signal.SIGKILL and not has_exited:
            return None
        return exit_reason(code)


def exit_reason(code: int) -> str | None:
    """What a return code means ("exit code 1", "signal SIGSEGV"); None for success."""
    if code >= 0:
        return f"exit code {code}" if code else None
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
