"""`salet connect` as users and scripts meet it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("players")

SALET = shlex.join([sys.executable, "-m", "salet"])
PLAYER = shlex.join([sys.executable, "-S", "player.py"])
CRASH = shlex.join([sys.executable, "-S", "crash.py"])
LISTS = ("--answers", "words.txt", "--guesses", "words.txt")


def test_the_mean_is_printed(salet) -> None:
    game = f"{SALET} serve-game {shlex.join(LISTS)}"
    ran = salet("connect", game, PLAYER, "--jobs", "2", "--count", "8")
    assert (ran.code, ran.out) == (0, "Numarul mediu de incercari este 4.50000\n"), ran.err
    assert Path("desfasurareFin.txt").read_text().startswith("apple, apple \nangle, apple angle ")
    Path("words.txt").rename("cuvinte_wordle.txt")
    game = game.replace("words.txt", "cuvinte_wordle.txt")
    ran = salet("connect", game, PLAYER, "--json")
    assert list(ran.json) == ["game", "player", "answers", "total", "mean", "jobs", "seconds"]
    assert (ran.json["answers"], ran.json["total"]) == (8, 36)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-game", PLAYER), "'no-such-game'"),
        ((PLAYER, "no-such-player"), "'no-such-player'"),
        ((PLAYER, PLAYER), "cuvinte_wordle.txt"),
        ((CRASH, PLAYER, "--count", "3"), "the game ended with exit code 3: 'line 29'"),
    ],
)
def test_bad_input(salet, arguments: tuple[str, ...], said: str) -> None:
    salet("connect", *arguments).assert_refused(said)
