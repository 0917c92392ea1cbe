"""Two foreign programs joined, and everything that can go wrong between them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from programs import LISTED, read_pids
from salet import SaletError
from salet.arena.connector import Chunk, connect, read_part, split_into_chunks
from salet.arena.match import Limits

GAME = """
lo, hi, number = map(int, sys.argv[1:])
log = open(f"desfasurare{number}.txt", "w")
total = 0
for secret in WORDS[lo:hi]:
    say("Go\\n")
    log.write(secret + ", ")
    guess = ""
    while guess != secret:
        guess = listen()
        if guess == "Stop": sys.exit("the player has gone")
        total += 1
        log.write(guess + " ")
        say("".join("G" if a == b else "W" for a, b in zip(guess, secret)) + "\\n")
    log.write("\\n")
log.write(f"{total}\\n")
log.close()
say("Stop\\n")
"""


@pytest.fixture
def joined(program: Callable[[str], str], tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(game: str = GAME, player: str = LISTED, count: int = 8, **options):
        commands = shlex.split(program(game)), shlex.split(program(player))
        return connect(*commands, count, **{"limits": Limits(600, 600), **options})

    return run


@pytest.mark.parametrize("count", [1, 2, 11454])
@pytest.mark.parametrize("jobs", [1, 3, 16])
def test_chunks_cover_everything(count: int, jobs: int) -> None:
    parts = split_into_chunks(count, jobs)
    assert [secret for part in parts for secret in range(part.lo, part.hi)] == list(range(count))
    assert [part.id for part in parts] == list(range(min(count, jobs)))
    assert len({part.hi - part.lo for part in parts[:-1]}) <= 1


@pytest.mark.parametrize("jobs", [1, 3, 20])
def test_games_are_concatenated_in_order(joined, tmp_path: Path, jobs: int) -> None:
    seen = []
    result = joined(jobs=jobs, progress=lambda done, count: seen.append((done, count)))
    assert (result.total, result.mean, result.answers) == (36, 4.5, 8)
    lines = (tmp_path / "desfasurareFin.txt").read_text().split("\n")
    assert lines[:2] == ["apple, apple ", "angle, apple angle "]
    assert len(lines) == 9
    assert list(tmp_path.glob("desfasurare[0-9]*")) == []
    assert seen[-1] == (8, 8)


@pytest.mark.parametrize(
    ("programs", "why"),
    [
        ({"player": "listen(); forever()"}, "the player was silent for 0.5 s"),
        ({"game": "forever()"}, "the game was silent for 0.5 s"),
        ({"player": "sys.exit(3)"}, "'the player has gone'|the player ended with exit code 3"),
        ({"game": "sys.exit('no list')"}, "the game ended with exit code 1: 'no list'"),
        ({"game": "say('Stop\\n')"}, "the game wrote no desfasurare0.txt"),
        (
            {"game": "open('desfasurare0.txt', 'w').write('apple, apple \\n'); say('Stop\\n')"},
            "1 games of 8",
        ),
        (
            {"player": "listen(); say('apple\\n')", "game": "say('Go\\n'); forever()"},
            "the player is gone but the game is still running",
        ),
    ],
)
def test_faults_are_named(joined, tmp_path: Path, programs: dict[str, str], why: str) -> None:
    limits = Limits(0.5, 600) if "0.5" in why or "still running" in why else Limits(600, 600)
    with pytest.raises(SaletError, match=why):
        joined(**programs, limits=limits)
    assert not (tmp_path / "desfasurareFin.txt").exists()


def test_a_game_that_never_ends(joined) -> None:
    chatty = "import itertools\nlisten()\nfor n in itertools.count(): say('zzzzz\\n'); listen()\n"
    with pytest.raises(SaletError, match=r"a game was not over after 0\.5 s"):
        joined(player=chatty, limits=Limits(600, 0.5))


def test_parts_of_a_failed_run_remain(joined, tmp_path: Path) -> None:
    broken = GAME.replace("total = 0", "total = 0\nif number == 1: sys.exit(7)")
    with pytest.raises(SaletError, match=r"chunk 1 \(secrets 4 to 7\).*kept: desfasurare0.txt"):
        joined(game=broken, jobs=2)
    assert len(read_part(tmp_path / "desfasurare0.txt", Chunk(0, 4, 0))[0]) == 4


def test_parts_of_an_earlier_run_are_not_used(joined, tmp_path: Path) -> None:
    (tmp_path / "desfasurare0.txt").write_text("apple, apple \n1\n")
    with pytest.raises(SaletError, match=r"wrote no desfasurare0\.txt"):
        joined(game="say('Stop\\n')", count=1)


def test_both_write_and_nobody_reads(joined) -> None:
    """The pipes are full in both directions: the timeout ends it."""
    flood = "while True: say('x' * 60000)"
    with pytest.raises(SaletError, match=r"was silent|not over"):
        joined(game=flood, player=flood, limits=Limits(0.5, 2))


def test_a_player_that_fails_after_the_last_game_does_not_matter(joined) -> None:
    assert joined(player=LISTED + "sys.exit(1)").total == 36


def test_ctrl_c_kills_both(program, tmp_path: Path) -> None:
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    body = f"with open({str(fifo)!r}, 'w') as ready: print(os.getpid(), file=ready)\nforever()\n"
    command = [sys.executable, "-m", "salet", "connect", program(body), program(body)]
    command += ["--count", "4", "--timeout", "600", "--game-timeout", "600"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        pids = read_pids(fifo, 2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert (process.returncode, err.strip()) == (130, "salet: stopped")
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_bad_numbers(joined) -> None:
    with pytest.raises(SaletError, match="0 secrets"):
        joined(count=0)
