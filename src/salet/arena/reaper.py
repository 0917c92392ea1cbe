"""What we started ends with us, even if we are killed.

`kill -9` leaves no time to end anything, and a program that does not read its input would never
notice that we are gone. So a small process is told the group of every program that runs. Its pipe
closes when we end, however that happens; then it ends the groups that are left.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from typing import Any

_WATCH = """
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


class Guard:
    """The small process; use it as a context manager around everything that starts programs.

    Where it cannot be started (no process, no descriptor left) we go on without it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Guard:
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _WATCH],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not for it
            )
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def watch(self, group: int) -> None:
        """A program was started that leads this group."""
        self._tell(group)

    def forget(self, group: int) -> None:
        """The group has been ended; said before its leader is reaped, while the number is its."""
        self._tell(-group)

    def _tell(self, number: int) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(b"%d\n" % number)
