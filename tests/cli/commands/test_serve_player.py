"""`salet serve-player` as another program meets it."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("players")

LISTS = ("--answers", "words.txt", "--guesses", "words.txt", "--cap", "6")


def run(arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "salet", *shlex.split(arguments)]
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)


def test_serve_player() -> None:
    done = run(f"serve-player {shlex.join(LISTS)} --opener ankle", "Go\nGWWGG\nGGGGG\nStop\n")
    assert (done.returncode, done.stdout) == (0, "ankle\napple\n")
    done = run(f"serve-player --strategy echo {shlex.join(LISTS)}", "Go\nGWWGG\nGGGGG\nStop\n")
    assert (done.returncode, done.stdout) == (0, "apple\napple\n")
    done = run(f"serve-player {shlex.join(LISTS)} --strategy nonsense", "")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'nonsense'" in done.stderr
    done = run(f"serve-player {shlex.join(LISTS)} --opener zebra", "")
    assert done.returncode == 2 and "'zebra'" in done.stderr
    done = run(f"serve-player {shlex.join(LISTS)}", "Go\nWWWWW\n")
    assert done.returncode == 2 and "use the same list?" in done.stderr
