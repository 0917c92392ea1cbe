"""Run `salet` as its command line does, without starting a process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from salet.cli import main


class Ran:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def salet(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run one command with these arguments."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        return Ran(code, *capsys.readouterr())

    return run
