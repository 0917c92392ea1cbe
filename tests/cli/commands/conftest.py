"""What commands are given: programs that play, a small training run."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import HELPERS, LISTED, WORDS

TRAINING = """
game = "original:first=8,guesses=answers"
games = 4
rounds = 6
warmup = 4
updates = 1
batch = 8
width = 8
epsilon_rounds = 3
evaluate_every = 3
buffer = 50
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The file of a training run of 24 games on eight words."""
    path = tmp_path / "c.toml"
    path.write_text(TRAINING)
    return path


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with words.txt, player.py and crash.py."""
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("\n".join(WORDS) + "\n")
    Path("player.py").write_text(HELPERS % WORDS + LISTED)
    Path("crash.py").write_text(
        "import sys\nfor n in range(30): print('line', n, file=sys.stderr)\nsys.exit(3)\n"
    )
    return tmp_path
