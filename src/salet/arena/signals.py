"""Deferred signals: Ctrl-C never interrupts between starting a process and recording it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_TERMINATION = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # Windows has no SIGHUP


class StopRequest:
    """A request to stop that an event loop can wait for: `descriptor` becomes readable."""

    def __init__(self) -> None:
        self.descriptor, self._writer = os.pipe()
        self.is_set = False

    def set(self, *_: Any) -> None:
        """Ask the loop to stop; also a signal handler."""
        if not self.is_set:
            self.is_set = True
            os.write(self._writer, b"!")

    def raise_if_set(self) -> None:
        """Raise KeyboardInterrupt if a stop was requested."""
        if self.is_set:
            raise KeyboardInterrupt

    def close(self) -> None:
        """Close both ends of the pipe."""
        os.close(self.descriptor)
        os.close(self._writer)


@contextlib.contextmanager
def deferred_signals() -> Iterator[StopRequest]:
    """Turn Ctrl-C, SIGTERM and SIGHUP into a stop request that the event loop polls.

    Outside the main thread, signals are not handled: their owner must stop the loop.
    """
    request = StopRequest()
    try:
        with _handler([signal.SIGINT, *_TERMINATION], request.set):
            yield request
    finally:
        request.close()


@contextlib.contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP as on Ctrl-C, so that `finally` blocks run."""
    with _handler(_TERMINATION, signal.default_int_handler):
        yield


@contextlib.contextmanager
def _handler(numbers: Sequence[signal.Signals], handler: Callable[..., Any]) -> Iterator[None]:
    """Handle these signals inside the block; those that are ignored (nohup) stay ignored."""
    previous: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in numbers:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    previous[number] = signal.signal(number, handler)
        yield
    finally:
        for number, earlier in previous.items():
            signal.signal(number, earlier)
