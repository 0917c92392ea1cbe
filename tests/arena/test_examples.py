"""The example players in three languages, built and run."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from needs import needs
from salet import Game, Strategy, simulate
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest


class First(Strategy):
    def choose(self, state):
        return state.words[0]


@pytest.fixture
def game() -> Game:
    words = Game.named("original").answers[::25]
    return Game(words, name="sample", cap=None)


@pytest.fixture
def words(game: Game, tmp_path: Path) -> str:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(game.answers) + "\n")
    return str(path)


def check(game: Game, command: list[str], protocol: str) -> None:
    """Check that the program guesses the first word that fits, as all examples do."""
    arena = run_arena(make_contest(game), [shlex.join(command)], protocol=protocol, jobs=2)
    (player,) = arena.result.players
    expected = simulate(game, First())
    assert player.failures == {}
    assert (player.total, player.histogram) == (expected.total, expected.histogram)


def test_python(game: Game, words: str, top: Path) -> None:
    check(game, [sys.executable, str(top / "examples/player.py"), words], "go-stop")


def test_cpp(game: Game, words: str, top: Path, tmp_path: Path) -> None:
    needs(shutil.which("g++"), "g++")
    program = tmp_path / "player"
    subprocess.run(["g++", "-O2", "-o", program, top / "examples/player.cpp"], check=True)
    check(game, [str(program), words], "go-stop")


def test_javascript(game: Game, top: Path) -> None:
    needs(shutil.which("node"), "node")
    check(game, ["node", str(top / "examples/player.js")], "jsonl")


@pytest.mark.parametrize("name", ["player.py", "player.cpp", "player.js"])
def test_examples_are_short_and_shown_in_the_docs(name: str, top: Path) -> None:
    source = (top / "examples" / name).read_text()
    assert len(source.splitlines()) <= 40
    assert source.strip() in (top / "docs" / "arena.md").read_text()
