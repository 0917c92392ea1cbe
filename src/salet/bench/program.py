"""Run a program to its end within a time limit, and kill whatever it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from salet.arena.child_process import exit_reason
from salet.arena.reaper import Reaper

_TERMINATION_GRACE = 5.0
"""Seconds between SIGTERM and SIGKILL."""


@dataclass(frozen=True)
class CompletedProgram:
    """How a program ended, and what it wrote."""

    exit_code: int
    stdout: bytes
    stderr: bytes

    @property
    def error(self) -> str | None:
        """The last line of its stderr if it failed; None if it succeeded."""
        if self.exit_code == 0:
            return None
        lines = self.stderr.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with {exit_reason(self.exit_code)}"


def run_program(
    command: Sequence[str], timeout: float, stdin: bytes = b"", directory: Path | None = None
) -> CompletedProgram:
    """Run a program in a session of its own and wait for its end.

    Raises TimeoutError after `timeout` seconds. The program is ended in any case.
    """
    with Reaper() as reaper:
        process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        reaper.watch(process.pid)
        try:
            stdout, stderr = process.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"not done after {timeout:g} s") from None
        finally:
            _end(process)
    return CompletedProgram(process.returncode, stdout, stderr)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Terminate the program if it still runs, so that it can end its own children; then kill it."""
    for number, grace in ((signal.SIGTERM, _TERMINATION_GRACE), (signal.SIGKILL, None)):
        if process.returncode is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
