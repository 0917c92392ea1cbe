"""A small process that kills every program that we started, even if we are killed ourselves.

`kill -9` leaves no time to clean up, and a program that does not read its input would never notice
that its parent has died. So the reaper holds the process group of every running program. Its
standard input closes when this process ends, however that happens; it then kills all remaining
groups.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import Any

from salet.errors import InputError

_REAPER = """
import os, signal, sys
groups = set()
for line in sys.stdin.buffer:
    number = int(line)
    groups.add(number) if number > 0 else groups.discard(-number)
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


def require_process_groups(purpose: str) -> None:
    """Raise an error on a system without process groups (Windows), where programs could not be
    killed reliably."""
    if not hasattr(os, "killpg"):
        raise InputError(
            f"{purpose} needs process groups, which this system does not have; "
            "use Linux, macOS or WSL"
        )


class Reaper:
    """The process, as a context manager around everything that starts programs.

    If it cannot be started (no process or descriptor left), programs run without it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Reaper:
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _REAPER],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C must not reach it
            )
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def watch(self, group: int) -> None:
        """Register the process group of a program that was started."""
        self._send(group)

    def forget(self, group: int) -> None:
        """Drop a group that has been killed; call before its leader is reaped and the id reused."""
        self._send(-group)

    def _send(self, number: int) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(b"%d\n" % number)
