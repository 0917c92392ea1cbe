"""Programs to play with."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from leaks import no_leaks  # noqa: F401
from programs import HELPERS, LISTED, WORDS
from salet import Game
from salet.arena.umpire import Contest, make_contest


@pytest.fixture
def small() -> Contest:
    """Eight words, at most six guesses."""
    return make_contest(Game(WORDS, name="small", cap=6))


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Write a Python program that may use `HELPERS`; return its command."""
    count = 0

    def write(body: str) -> str:
        nonlocal count
        count += 1
        path = tmp_path / f"program{count}.py"
        path.write_text(HELPERS % WORDS + body)
        return shlex.join([sys.executable, "-S", "-E", str(path)])

    return write


@pytest.fixture
def listed(program: Callable[[str], str]) -> str:
    """The command of a player that guesses the words in order."""
    return program(LISTED)
