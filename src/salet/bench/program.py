"""Run a program to its end: within a time, and ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from salet.arena.reaper import Guard

_PATIENCE = 5.0
"""seconds between asking a program to end and ending it"""


@dataclass(frozen=True)
class Finished:
    """How a program ended, and what it wrote."""

    code: int
    out: bytes
    err: bytes

    @property
    def complaint(self) -> str | None:
        """Why it failed: the last line of its stderr; None if it did not."""
        if self.code == 0:
            return None
        lines = self.err.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with {self.code}"


def run_apart(
    command: Sequence[str], limit: float, said: bytes = b"", directory: Path | None = None
) -> Finished:
    """Start a program in a session of its own, tell it something, and wait for its end.

    Raises TimeoutError after `limit` seconds.
    """
    with Guard() as guard:
        process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        guard.watch(process.pid)
        try:
            out, err = process.communicate(said, timeout=limit)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"not done after {limit:g} s") from None
        finally:
            _end(process)
    return Finished(process.returncode, out, err)


def _end(process: subprocess.Popen[bytes]) -> None:
    """First the polite way, so that a program can end those that it started itself."""
    for number, patience in ((signal.SIGTERM, _PATIENCE), (signal.SIGKILL, None)):
        if process.returncode is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
