"""`salet arena` as users and scripts meet it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from chat_server import send, serving

pytestmark = pytest.mark.usefixtures("players")

PLAYER = shlex.join([sys.executable, "-S", "player.py"])
CRASH = shlex.join([sys.executable, "-S", "crash.py"])
LISTS = ("--answers", "words.txt", "--guesses", "words.txt", "--cap", "6")
KEYS = ["command", "games", "total", "mean", "worst", "losses", "histogram", "failures", "seconds"]


def test_json(salet) -> None:
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


def test_failures_come_with_the_last_lines_of_stderr(salet) -> None:
    ran = salet("arena", "--player", CRASH, *LISTS)
    assert ran.code == 0
    assert "crash: 8" in ran.out and "no game was finished, failed 8" in ran.out
    lines = ran.err.splitlines()
    assert lines[0] == f"{CRASH}: crash on apple: exit code 3"
    assert lines[1:] == [f"  | line {n}" for n in range(10, 30)]


def test_text(salet) -> None:
    ran = salet("arena", "--player", PLAYER, "--player", PLAYER, *LISTS)
    assert "mean 4.3750 = 35 / 8, worst 6, lost 2, failed 0" in ran.out
    assert "player 2 against player 1: +0.0000 guesses a game" in ran.out
    assert "equal on 8 of 8 answers" in ran.out


def test_samples_and_files_of_answers(salet) -> None:
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


def test_regret(salet) -> None:
    ran = salet("arena", "--player", PLAYER, "--regret", *LISTS[:4], "--json")
    (player,) = ran.json["players"]
    assert list(player) == [*KEYS, "regret"]
    regret = player["regret"]
    assert (regret["guesses"], regret["unpriced"]) == (36, 0)
    assert regret["per_guess"] > 0
    assert list(regret["worst"][0]) == ["history", "guess", "loss", "answers", "games"]
    shown = salet("arena", "--player", PLAYER, "--regret", *LISTS[:4]).out
    assert f"regret {regret['per_guess']:.4f} per guess" in shown


def test_states_too_large_for_regret(salet, monkeypatch) -> None:
    monkeypatch.setattr("salet.search.regret.RegretEvaluator.value", lambda *_: None)
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
def test_bad_input(salet, fault: str) -> None:
    Path("foreign.txt").write_text("apple\nzebra\n")
    Path("long.txt").write_text("apple\napples\n")
    arguments, *said = BAD_INPUT[fault]
    salet("arena", *arguments, *LISTS).assert_refused(*said)


def test_a_chat_model_beside_a_program(salet, monkeypatch) -> None:
    words = Path("words.txt").read_text().split()

    def script(_, messages, __) -> str:
        made = sum(message["role"] == "assistant" for message in messages)
        return f"[{words[made]}]" if made else "no idea"

    monkeypatch.setenv("MY_KEY", "sesame\n")
    with serving(script) as server:
        model = ("--model", server.url, "--name", "tiny", "--key-env", "MY_KEY", "--jobs", "2")
        ran = salet("arena", *model, "--player", PLAYER, *LISTS, "--json")
        shown = salet("arena", *model, "--player", PLAYER, *LISTS, "--temperature", "0").out
        assert set(server.keys) == {"Bearer sesame"}
    chat, program = ran.json["players"]
    assert "sesame" not in ran.out + shown
    assert chat["command"] == f"tiny at {server.url}"
    assert chat["chat"]["illegal"] == 8 and "chat" not in program
    assert chat["regret"]["mean_without_luck"]["mean"] > 4
    assert program["regret"]["against_first"]["answers"] == 8
    assert f"tiny at {server.url} temperature=0.0 on words.txt+words.txt" in shown
    assert "won 6 of 8, 8 illegal guesses" in shown
    assert "tokens read and" in shown and "with luck removed, 95 % between" in shown
    assert "  with luck removed: " in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no player: give a command with --player, or an endpoint with --model"),
        (("--model", "http://localhost"), "1 --model and 0 --name; give one name"),
        (("--model", "localhost", "--name", "m"), "'localhost' is not an address; give one such"),
    ],
)
def test_wrong_models(salet, options, message) -> None:
    ran = salet("arena", *options, *LISTS)
    assert ran.code == 2 and message in ran.err


def test_an_endpoint_that_refuses_is_one_line(salet) -> None:
    def script(_, __, handler) -> None:
        send(handler, 401, b'{"error": {"message": "wrong key"}}')

    with serving(script) as server:
        ran = salet("arena", "--model", server.url, "--name", "m", *LISTS)
    assert ran.code == 2
    assert ran.err == (
        f"salet: {server.url}: 401 Unauthorized: 'wrong key'; give --transcripts FILE to keep the "
        "games of such a run\n"
    )
