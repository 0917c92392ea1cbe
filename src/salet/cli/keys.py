"""Whether a key was pressed, without taking it away from whoever reads next."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def key_pressed() -> Iterator[Callable[[], bool]]:
    """While open, keys are not echoed and the function says whether one waits; what was typed is
    still there afterwards. Nothing ever waits where stdin is no terminal."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
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
