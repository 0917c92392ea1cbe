"""Transcripts and journals: no game that was played is lost."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from programs import WORDS
from salet import Game, SaletError
from salet.arena.journal import Journal, write_transcript
from salet.arena.outcomes import Fault, GameOutcome
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest
from salet.verification.plans import verify


def outcome(secret: str, *guesses: str, fault: Fault | None = None, at: float = 0.0) -> GameOutcome:
    won = fault is None and guesses[-1] == secret
    return GameOutcome(secret, list(guesses), won, fault, at)


LATE = Fault("timeout", "no guess within 1 s")


def test_transcripts_list_secrets_guesses_and_their_number(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    games = {
        "angle": outcome("angle", "apple", "angle"),
        "apple": outcome("apple", "apple"),
        "ankle": outcome("ankle", "apple", fault=LATE),
    }
    write_transcript(path, ["apple", "angle", "ankle"], games)
    assert path.read_text() == "apple, apple \nangle, apple angle \n3\n"
    failures = tmp_path / "games.txt.failures"
    assert failures.read_text() == "ankle, apple # timeout: no guess within 1 s\n"
    del games["ankle"]
    write_transcript(path, ["apple", "angle"], games)
    assert not failures.exists()


def test_transcripts_can_be_verified(small, listed: str, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    contest = make_contest(small.game.replace(cap=None))
    arena = run_arena(contest, [listed], jobs=3, transcripts=path)
    assert path.read_text().splitlines()[-1] == "36"
    assert verify(path, contest.game).total == arena.result.players[0].total == 36
    assert sorted(p.name for p in tmp_path.glob("games*")) == ["games.txt"]


def test_several_players_write_several_files(small, listed: str, tmp_path: Path) -> None:
    run_arena(small, [listed, listed], transcripts=tmp_path / "games.txt")
    first, second = (tmp_path / f"games-{n}.txt" for n in (1, 2))
    assert first.read_text() == second.read_text()


def test_an_interrupted_run_is_resumed(small, program, tmp_path: Path) -> None:
    """The journal holds what was played; only the rest is played."""
    path = tmp_path / "games.txt"
    log = tmp_path / "log"
    body = f"log = open({str(log)!r}, 'a')\n"
    body += "while listen() != 'Stop':\n  print('game', file=log, flush=True)\n  for w in WORDS:\n"
    body += "    say(w + '\\n')\n    if set(listen()) == {'G'}: break\n"
    player = program(body)
    journal = Journal(path, small, player, "go-stop")
    journal.add(outcome("apple", "panel", "apple", at=2.0))
    journal.add(outcome("maple", fault=LATE, at=5.0))
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b'{"secret":"angle","gues')  # it died while writing this
    arena = run_arena(small, [player], transcripts=path)
    assert log.read_text().count("game") == 6
    (figures,) = arena.result.players
    assert (figures.games, figures.failures) == (7, {"timeout": 1})
    assert figures.seconds > 5.0
    assert path.read_text().startswith("apple, panel apple \nangle, apple angle \n")
    assert not journal.path.exists()
    assert (tmp_path / "games.txt.failures").read_text().startswith("maple, # timeout")


def test_a_killed_run_is_resumed(tmp_path: Path, program) -> None:
    """After kill -9 in the middle, the second run plays the rest and has the whole result."""
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    body = f"fifo = {str(fifo)!r}\nstuck = os.path.exists(fifo)\n"
    body += "while listen() != 'Stop':\n"
    body += "  for n, word in enumerate(WORDS):\n"
    body += "    if n == 4 and stuck: open(fifo, 'w').close(); os.read(0, 1); sys.exit()\n"
    body += "    say(word + '\\n')\n    if set(listen()) == {'G'}: break\n"
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS) + "\n")
    command = [sys.executable, "-m", "salet", "arena", "--player", program(body), "--jobs", "1"]
    command += ["--answers", str(words), "--guesses", str(words), "--json"]
    command += ["--timeout", "600", "--game-timeout", "600", "--transcripts", "games.txt"]
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True) as process:
        fifo.read_text()
        process.kill()
    journal = tmp_path / "games.txt.part"
    assert len(journal.read_text().splitlines()) == 1 + 4
    fifo.unlink()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (player,) = json.loads(done.stdout)["players"]
    assert (player["games"], player["total"]) == (8, 36)
    assert (tmp_path / "games.txt").read_text().splitlines()[-1] == "36"


def test_journals_of_other_runs_are_refused(small, listed: str, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    Journal(path, small, listed, "go-stop").close()
    for other in (
        lambda: Journal(path, small, "./other", "go-stop"),
        lambda: Journal(path, small, listed, "jsonl"),
        lambda: Journal(path, make_contest(small.game.replace(cap=7)), listed, "go-stop"),
        lambda: Journal(path, make_contest(small.game, sample=3), listed, "go-stop"),
        lambda: Journal(path, make_contest(Game(WORDS, [*WORDS, "lapel"], name="small", cap=6)),
                        listed, "go-stop"),
    ):  # fmt: skip
        with pytest.raises(SaletError, match="another run"):
            other()
    for foreign in (b"my diary\n", b"my diary", b'{"format":"salet arena 1"}\n'):
        (tmp_path / "games.txt.part").write_bytes(foreign)
        with pytest.raises(SaletError, match="remove it"):
            Journal(path, small, listed, "go-stop")
        assert (tmp_path / "games.txt.part").read_bytes() == foreign


def test_paths_that_cannot_be_written(small, listed: str, tmp_path: Path) -> None:
    with pytest.raises(SaletError, match="it is a directory"):
        run_arena(small, [listed], transcripts=tmp_path)
    with pytest.raises(SaletError, match="no such file or directory"):
        run_arena(small, [listed], transcripts=tmp_path / "nowhere" / "games.txt")


def test_a_full_disk_loses_nothing(tmp_path: Path, listed: str) -> None:
    """The run stops with one line; with space again it is resumed to the whole result."""
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS) + "\n")
    command = [sys.executable, "-m", "salet", "arena", "--player", listed, "--jobs", "1"]
    command += ["--answers", str(words), "--guesses", str(words), "--transcripts", "games.txt"]

    def limit_file_size() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))

    subprocess.run([*command[:-1], "first.txt"], cwd=tmp_path, check=True)  # fill the caches first
    full = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=limit_file_size, check=False)  # fmt: skip
    assert full.returncode == 2
    assert full.stderr.count("\n") == 1
    assert "file too large" in full.stderr and "games are saved" in full.stderr
    kept = (tmp_path / "games.txt.part").read_text().count('"secret"')
    assert 0 < kept < 8
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "= 36 / 8" in done.stdout
    assert (tmp_path / "games.txt").read_text().splitlines()[-1] == "36"


def test_two_runs_cannot_write_the_same_journal(small, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.txt", small, "./me", "go-stop")
    try:
        with pytest.raises(SaletError, match="being written by another run"):
            Journal(tmp_path / "games.txt", small, "./me", "go-stop")
    finally:
        journal.close()
    Journal(tmp_path / "games.txt", small, "./me", "go-stop").close()
