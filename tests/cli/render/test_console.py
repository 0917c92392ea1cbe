"""Printing JSON, plain text, lines and durations."""

from __future__ import annotations

import json

import pytest

from salet.cli.render.console import emit, format_seconds, line, show


def test_emit_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"word": "äpfel", "count": 2, "none": None}
    emit(fields)
    assert json.loads(capsys.readouterr().out) == fields


def test_strings_are_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    show("[bold]not markup[/] :smile:", "")
    assert capsys.readouterr().out == "[bold]not markup[/] :smile:\n\n"


def test_a_line_is_never_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    show(line(("word " * 10, "bold"), "[x]"), stderr=True)
    assert capsys.readouterr().err == "word " * 10 + "[x]\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "<1 ms"),
        (0.0004, "<1 ms"),
        (0.001, "1 ms"),
        (0.0123, "12 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (1, "1.0 s"),
        (1.24, "1.2 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (185.2, "3 min 5 s"),
        (3599.6, "1 h 0 min"),
        (7500, "2 h 5 min"),
    ],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
