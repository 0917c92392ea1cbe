"""Whether a key was pressed, without taking it away from whoever reads next."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def key_pressed() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether a key is waiting; keys are not echoed meanwhile.

    What was typed can still be read afterwards. Where stdin is no terminal, no key ever waits.
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
