"""`salet serve-game` as another program meets it."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from programs import WORDS

pytestmark = pytest.mark.usefixtures("players")

LISTS = ("--answers", "words.txt", "--guesses", "words.txt")


def run(arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "salet", *shlex.split(arguments)]
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)


def test_serve_game(players) -> None:
    words = shlex.join(LISTS)
    done = run(f"serve-game 1 3 7 {words}", "apple\nangle\nankle\n")
    assert (done.returncode, done.stdout) == (0, "Go\nGWWGG\nGGGGG\nGo\nGGGGG\nStop\n")
    text = Path("desfasurare7.txt").read_text()
    assert text == "angle, apple angle \nankle, ankle \n3\n"
    done = run(f"serve-game {words} --seed 1", "\n".join(WORDS) + "\n")
    assert (done.returncode, done.stdout[:3], done.stdout[-5:]) == (0, "Go\n", "Stop\n")
    assert sorted(path.name for path in players.glob("desf*")) == ["desfasurare7.txt"]


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        ("1 3", "", "LO HI ID"),
        ("3 1 0", "", "has 0 to 8"),
        ("0 9 0", "", "has 0 to 8"),
        ("0 1 0", "zebra\n", "'zebra'"),
        ("0 1 0", "", "the player closed its output"),
        ("0 1 0 --protocol jsonl", "zebra\n", '"guess": "crane"'),
        ("5 6 0 --hard", "bleak\napple\n", "hard mode"),
        ("0 1 x", "", "x"),
    ],
)
def test_bad_input(arguments: str, typed: str, said: str) -> None:
    done = run(f"serve-game {arguments} {shlex.join(LISTS)}", typed)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_finished_games_are_written() -> None:
    done = run(f"serve-game 0 3 1 {shlex.join(LISTS)}", "apple\n")
    assert done.returncode == 2
    assert Path("desfasurare1.txt").read_text() == "apple, apple \n"
