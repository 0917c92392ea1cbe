"""Being stopped at a safe point: Ctrl-C never strikes between starting a process and knowing it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Wakeup:
    """A pipe that a loop watches; readable once somebody asked to stop."""

    def __init__(self) -> None:
        self.descriptor, self._writer = os.pipe()
        self.is_asked = False

    def ask(self, *_: Any) -> None:
        if not self.is_asked:
            self.is_asked = True
            os.write(self._writer, b"!")

    def raise_if_asked(self) -> None:
        if self.is_asked:
            raise KeyboardInterrupt

    def close(self) -> None:
        os.close(self.descriptor)
        os.close(self._writer)


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM and SIGHUP strike like Ctrl-C: what stands in `finally` is done."""
    before: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def stoppable() -> Iterator[Wakeup]:
    """Turn Ctrl-C, SIGTERM and SIGHUP into a request that the loop inside sees when it is ready.

    Outside the main thread signals are left alone: whoever owns them stops the loop.
    """
    wakeup = Wakeup()
    before: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup stays nohup
                    before[number] = signal.signal(number, wakeup.ask)
        yield wakeup
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        wakeup.close()
