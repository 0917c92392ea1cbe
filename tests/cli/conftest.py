"""Run `salet` as its command line does, without starting a process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from salet.cli import main


class Ran:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object that was printed."""
        fields: dict[str, Any] = json.loads(self.out)
        return fields

    def assert_refused(self, *said: str) -> None:
        """Exit code 2, nothing on stdout, and one line on stderr that contains all of these."""
        assert (self.code, self.out) == (2, ""), self.err
        assert self.err.startswith("salet: ") and self.err.count("\n") == 1, self.err
        for text in said:
            assert text in self.err


@pytest.fixture
def salet(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs one command with the given arguments."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def type_lines(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes these lines the answers to the prompts that follow."""

    def prepare(*lines: str) -> None:
        typed = iter(lines)
        monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(typed))

    return prepare
