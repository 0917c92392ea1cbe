"""Detect a key press without consuming it."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def key_pressed() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether a key was pressed; keys are not echoed meanwhile.

    Typed keys can still be read afterwards. If stdin is not a terminal, it always returns False.
    """
    try:
        import termios
        import tty
    except ImportError:  # not a POSIX system
        yield lambda: False
        return
    try:
        handle = sys.stdin.fileno()
        before = termios.tcgetattr(handle)
    except (OSError, ValueError, termios.error):
        yield lambda: False
        return
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)
        yield lambda: bool(select.select([handle], [], [], 0)[0])
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
