"""`salet arena`, `connect`, `serve-player` and `serve-game` as users and scripts meet them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from programs import HELPERS, LISTED, WORDS

SALET = shlex.join([sys.executable, "-m", "salet"])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with words.txt, a player and a crashing one."""
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("\n".join(WORDS) + "\n")
    Path("player.py").write_text(HELPERS % WORDS + LISTED)
    Path("crash.py").write_text(
        "import sys\nfor n in range(30): print('line', n, file=sys.stderr)\nsys.exit(3)\n"
    )
    return tmp_path


PLAYER = shlex.join([sys.executable, "-S", "player.py"])
CRASH = shlex.join([sys.executable, "-S", "crash.py"])
LISTS = ("--answers", "words.txt", "--guesses", "words.txt", "--cap", "6")
KEYS = ["command", "games", "total", "mean", "worst", "losses", "histogram", "failures", "seconds"]


def test_json(salet, place) -> None:
    ran = salet("arena", "--player", PLAYER, "--player", CRASH, *LISTS, "--json")
    assert ran.code == 0
    good, bad = ran.json["players"]
    assert list(good) == list(bad) == KEYS
    assert (good["command"], good["games"], good["total"]) == (PLAYER, 8, 35)
    assert (good["worst"], good["losses"], good["failures"]) == (6, 2, {})
    assert good["histogram"] == {str(n): 1 for n in range(1, 7)}
    assert (bad["games"], bad["failures"]) == (0, {"crash": 8})
    assert (bad["total"], bad["mean"], bad["worst"]) == (None, None, None)
    assert (ran.json["game"], ran.json["cap"]) == ("words.txt+words.txt", 6)


def test_failures_come_with_the_players_last_words(salet, place) -> None:
    ran = salet("arena", "--player", CRASH, *LISTS)
    assert ran.code == 0
    assert "crash: 8" in ran.out and "mean none" in ran.out
    lines = ran.err.splitlines()
    assert lines[0] == f"{CRASH}: crash on apple: exit code 3"
    assert lines[1:] == [f"  | line {n}" for n in range(10, 30)]


def test_for_people(salet, place) -> None:
    ran = salet("arena", "--player", PLAYER, "--player", PLAYER, *LISTS)
    assert "mean 4.3750 = 35 / 8, worst 6, lost 2, failed 0" in ran.out
    assert "player 2 against player 1: +0.0000 guesses a game" in ran.out
    assert "equal on 8 of 8 answers" in ran.out


def test_samples_and_files_of_answers(salet, place) -> None:
    Path("some.txt").write_text("maple\nAPPLE\n")
    ran = salet("arena", "--player", PLAYER, "--answers-from", "some.txt", *LISTS, "--json")
    assert ran.json["players"][0]["histogram"] == {"1": 1, "4": 1}
    first, _, other = (
        salet("arena", "--player", PLAYER, "--sample", "3", "--seed", seed, *LISTS, "--json",
              "--transcripts", f"{n}.txt")
        for n, seed in enumerate("112")
    )  # fmt: skip
    assert first.json["answers"] == 3
    assert Path("0.txt").read_text() == Path("1.txt").read_text()
    assert other.json["answers"] == 3


def test_regret(salet, place) -> None:
    ran = salet("arena", "--player", PLAYER, "--regret", *LISTS[:4], "--json")
    (player,) = ran.json["players"]
    assert list(player) == [*KEYS, "regret"]
    regret = player["regret"]
    assert (regret["guesses"], regret["unpriced"]) == (36, 0)
    assert regret["per_guess"] > 0
    assert list(regret["worst"][0]) == ["history", "guess", "loss", "answers", "games"]
    shown = salet("arena", "--player", PLAYER, "--regret", *LISTS[:4]).out
    assert f"regret {regret['per_guess']:.4f} a guess" in shown


def test_states_too_large_for_regret(salet, place, monkeypatch) -> None:
    monkeypatch.setattr("salet.arena.regret.exact_value", lambda _game: lambda _: None)
    ran = salet("arena", "--player", PLAYER, "--regret", *LISTS, "--json")
    (player,) = ran.json["players"]
    assert list(player) == [*KEYS, "regret"]
    assert player["regret"]["unpriced"] == 33
    assert "too large to price" in salet("arena", "--player", PLAYER, "--regret", *LISTS).out


BAD_INPUT = {
    "no such program": (["--player", "no-such-thing --x"], "'no-such-thing'", "not on PATH"),
    "no such file": (["--player", "./nothing"], "'./nothing'", "does not exist"),
    "not executable": (["--player", "./player.py"], "'./player.py'", "chmod +x"),
    "an open quote": (["--player", "python '"], "no closing quotation"),
    "nothing": (["--player", " "], "is empty"),
    "one of two": (["--player", PLAYER, "--player", "nope"], "'nope'"),
    "unknown protocol": (["--player", PLAYER, "--protocol", "gostop"], "'go-stop'"),
    "foreign words": (["--player", PLAYER, "--answers-from", "foreign.txt"], "'zebra'",
                      "foreign.txt"),
    "words of other lengths": (["--player", PLAYER, "--answers-from", "long.txt"], "line 2"),
    "a missing file": (["--player", PLAYER, "--answers-from", "no.txt"], "no file 'no.txt'"),
    "a sample of nothing": (["--player", PLAYER, "--sample", "0"], "from 1 to 8"),
    "a sample of too much": (["--player", PLAYER, "--sample", "9"], "from 1 to 8"),
    "a transcript that is a directory": (["--player", PLAYER, "--transcripts", "."],
                                         "is a directory"),
    "no time": (["--player", PLAYER, "--timeout", "0"], "--timeout"),
    "no jobs": (["--player", PLAYER, "--jobs", "0"], "--jobs"),
    "no player": ([], "--player"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, place, fault: str) -> None:
    Path("foreign.txt").write_text("apple\nzebra\n")
    Path("long.txt").write_text("apple\napples\n")
    arguments, *said = BAD_INPUT[fault]
    ran = salet("arena", *arguments, *LISTS)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("salet: ") and ran.err.count("\n") == 1
    for text in said:
        assert text in ran.err


def test_connect_prints_the_mean(salet, place) -> None:
    game = f"{SALET} serve-game {shlex.join(LISTS[:4])}"
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
def test_connect_bad_input(salet, place, arguments: tuple[str, ...], said: str) -> None:
    ran = salet("connect", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err and ran.err.count("\n") == 1


def run(arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "salet", *shlex.split(arguments)]
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)


def test_serve_player(place) -> None:
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


def test_serve_game(place) -> None:
    words = shlex.join(LISTS[:4])
    done = run(f"serve-game 1 3 7 {words}", "apple\nangle\nankle\n")
    assert (done.returncode, done.stdout) == (0, "Go\nGWWGG\nGGGGG\nGo\nGGGGG\nStop\n")
    text = Path("desfasurare7.txt").read_text()
    assert text == "angle, apple angle \nankle, ankle \n3\n"
    done = run(f"serve-game {words} --seed 1", "\n".join(WORDS) + "\n")
    assert (done.returncode, done.stdout[:3], done.stdout[-5:]) == (0, "Go\n", "Stop\n")
    assert sorted(path.name for path in place.glob("desf*")) == ["desfasurare7.txt"]


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
def test_serve_game_bad_input(place, arguments: str, typed: str, said: str) -> None:
    done = run(f"serve-game {arguments} {shlex.join(LISTS[:4])}", typed)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_serve_game_keeps_what_was_played(place) -> None:
    done = run(f"serve-game 0 3 1 {shlex.join(LISTS[:4])}", "apple\n")
    assert done.returncode == 2
    assert Path("desfasurare1.txt").read_text() == "apple, apple \n"


def test_live_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Games, mean so far, failures and games per second; nothing where nobody looks."""
    from salet.arena.run import ArenaProgress
    from salet.cli.arena import live

    with live() as report:
        assert report is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with live() as report:
        assert report is not None
        report(ArenaProgress(0, "./me", 200, games=60, failures=3, total=240, seconds=9.0))
        report(ArenaProgress(1, "./you", 200, games=0, failures=0, total=0, seconds=0.0))
    shown = capsys.readouterr().err
    assert "63/200" in shown and "mean 4.0000, 3 failed, 7 games/s" in shown
    assert "player 2" in shown and "mean –" in shown
