"""Printing JSON, plain text and lines."""

from __future__ import annotations

import json

import pytest

from salet.cli.render.console import emit, line, show


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
