"""Live progress on a terminal, and silence or a log elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from salet.cli.render.progress import counted_progress, live_progress


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes the stderr of the test say that it is a terminal."""

    def pretend() -> None:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setenv("TERM", "xterm")

    return pretend


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with live_progress("working", bar=True) as update:
        update("half done", done=1, total=2)
    with counted_progress("counting") as report:
        report(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_log_has_a_line_for_every_text(capsys: pytest.CaptureFixture[str]) -> None:
    with live_progress("working", log=True) as update:
        update("half done", done=1, total=2)
        update(done=2)
        update("done")
    assert capsys.readouterr().err == "half done\ndone\n"


def test_a_label_and_a_text_without_a_bar(
    capsys: pytest.CaptureFixture[str], on_terminal: Callable[[], None]
) -> None:
    on_terminal()
    with live_progress("working") as update:
        pass
    assert "working" in capsys.readouterr().err
    with live_progress("working") as update:
        update("lower [3] · upper 5")
    shown = capsys.readouterr().err
    assert "lower [3] · upper 5" in shown


def test_every_row_has_its_bar_and_count(
    capsys: pytest.CaptureFixture[str], on_terminal: Callable[[], None]
) -> None:
    on_terminal()
    with live_progress("starting", bar=True) as update:
        update("first", done=60, total=200)
        update("second", done=0, total=100, row=1)
    shown = capsys.readouterr().err
    assert "first" in shown and "60/200" in shown
    assert "second" in shown and "0/100" in shown


def test_counted_progress_takes_done_and_total(
    capsys: pytest.CaptureFixture[str], on_terminal: Callable[[], None]
) -> None:
    on_terminal()
    with counted_progress("playing") as report:
        report(3, 9)
    shown = capsys.readouterr().err
    assert "playing" in shown and "3/9" in shown
