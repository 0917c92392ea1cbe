"""Signals inside an event loop: deferred, turned into Ctrl-C, or left alone."""

from __future__ import annotations

import os
import select
import signal
import threading

import pytest

from salet.arena.signals import deferred_signals, termination_as_interrupt


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_becomes_a_request(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with deferred_signals() as stop:
        stop.raise_if_set()
        assert not select.select([stop.descriptor], [], [], 0)[0]
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)  # asking twice is asking once
        assert select.select([stop.descriptor], [], [], 60)[0]
        assert len(os.read(stop.descriptor, 10)) == 1
        with pytest.raises(KeyboardInterrupt):
            stop.raise_if_set()
    assert signal.getsignal(number) is before


def test_termination_interrupts() -> None:
    with pytest.raises(KeyboardInterrupt), termination_as_interrupt():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_ignored_signals_stay_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with deferred_signals() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.is_set
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_threads_leave_signals_alone() -> None:
    handlers = []

    def run() -> None:
        with deferred_signals():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
