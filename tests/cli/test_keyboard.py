"""Keys that wait in a terminal."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

from salet.cli.keyboard import key_pressed


def test_without_a_terminal_no_key_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("typed"))
    with key_pressed() as pressed:
        assert not pressed()


def test_without_termios_no_key_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    with key_pressed() as pressed:
        assert not pressed()


def test_a_key_waits_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty")
    master, terminal = pty.openpty()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=lambda: terminal))
    with key_pressed() as pressed:
        assert not pressed()
        os.write(master, b"x")
        assert pressed() and pressed()
        assert os.read(terminal, 1) == b"x"
        assert not pressed()
    os.close(master)
    os.close(terminal)
