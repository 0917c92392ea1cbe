"""The command line as users and scripts meet it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from salet.cli.app import COMMANDS


def test_bare_salet_groups_every_command_with_an_example(salet) -> None:
    ran = salet()
    assert ran.code == 0
    for entry in COMMANDS:
        assert entry.purpose in ran.out
        assert entry.example in ran.out
        assert entry.example.split()[1] == entry.name
    assert salet("--help").out == ran.out


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_command_has_help_with_examples(salet, entry) -> None:
    ran = salet(entry.name, "--help")
    assert ran.code == 0
    assert "Examples:" in ran.out
    assert f"salet {entry.name}" in ran.out


def test_help_loads_no_compiler() -> None:
    code = "import sys; from salet.cli import main; main(['--help']); "
    code += "print([m for m in ('numba', 'numpy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(salet) -> None:
    assert salet("--version").out.startswith("salet ")


@pytest.mark.parametrize(
    ("arguments", "feedback"),
    [
        (("error", "heron"), "YBGGB"),
        (("FRATE", "carte", "--rule", "present"), "BYYGG"),
        (("1122", "1212", "--rule", "pegs"), "2,2"),
        (("straße", "STRASSE"), None),
    ],
)
def test_score(salet, arguments: tuple[str, ...], feedback: str | None) -> None:
    ran = salet("score", *arguments)
    if feedback is None:
        assert (ran.code, ran.out) == (2, "")
        assert "6 letters" in ran.err
    else:
        assert ran.out == f"{feedback}\n"
        assert salet("score", *arguments, "--json").json["feedback"] == feedback


SIMULATE_KEYS = [
    *("game", "mode", "cap", "strategy", "ties", "opener", "answers", "total", "mean", "worst"),
    *("losses", "histogram", "seconds", "version", "commit"),
]


def test_simulate_json(salet) -> None:
    ran = salet("simulate", "--strategy", "entropy", "--game", "original:first=60", "--json")
    assert list(ran.json) == SIMULATE_KEYS
    assert ran.json["game"] == "original:first=60"
    assert ran.json["cap"] == 6
    counted = sum(int(size) * count for size, count in ran.json["histogram"].items())
    assert ran.json["total"] == counted
    assert ran.json["mean"] == pytest.approx(counted / 60)
    assert ran.err == ""


def test_simulate_for_people(salet) -> None:
    ran = salet("simulate", "--game", "mastermind:2x3", "--strategy", "minimax")
    assert "minimax on mastermind:2x3" in ran.out
    assert "█" in ran.out


def test_simulate_writes_transcripts_and_plot(salet, tmp_path: Path) -> None:
    lines, picture = tmp_path / "games.txt", tmp_path / "plot.png"
    ran = salet(
        *("simulate", "--game", "original:first=20", "--json"),
        *("--transcripts", str(lines), "--plot", str(picture)),
    )
    assert ran.code == 0
    rows = lines.read_text().splitlines()
    assert len(rows) == 21
    assert rows[0].startswith("aback, ") and rows[0].endswith("aback ")
    assert int(rows[-1]) == ran.json["total"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_missing_extra_is_named(salet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    ran = salet("simulate", "--game", "mastermind:2x3", "--plot", str(tmp_path / "p.png"))
    assert ran.code == 2
    assert "pip install 'salet[plots]'" in ran.err


def test_games_lists_every_pack_with_checksum(salet) -> None:
    ran = salet("games")
    rows = {row["name"]: row for row in salet("games", "--json").json["games"]}
    assert (rows["original"]["answers"], rows["original"]["guesses"]) == (2315, 12972)
    for name, row in rows.items():
        assert name in ran.out
        assert row["answers_sha256"][:8] in ran.out


def _file(path: Path, text: str | bytes) -> str:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


BAD_FILES = {
    "empty": (b"", "is empty"),
    "binary": (b"abc\0def\n", "binary"),
    "crlf": (b"apple\r\nangle\r\n", "line endings"),
    "bom": (b"\xef\xbb\xbfapple\n", "byte order mark"),
    "latin1": (b"\xe4pfel\n", "UTF-8"),
    "mixed": (b"apple\npear\n", "'pear'"),
    "twice": (b"apple\nangle\nApple\n", "'Apple'"),
    "foreign": (b"apple\nan,le\n", "','"),
}


@pytest.mark.parametrize("fault", BAD_FILES)
def test_bad_word_files(salet, tmp_path: Path, fault: str) -> None:
    content, said = BAD_FILES[fault]
    name = _file(tmp_path / "words.txt", content)
    assert_one_line(salet("simulate", "--answers", name, "--guesses", name), "words.txt", said)


BAD_INPUT = {
    "game": (("--game", "orignal"), "'orignal'", "'original'"),
    "game option": (("--game", "original:frist=3"), "'frist=3'", "first=N"),
    "code size": (("--game", "mastermind:4"), "'mastermind:4'", "4x6"),
    "strategy": (("--strategy", "entropie"), "'entropie'", "'entropy'"),
    "strategy file": (("--strategy", "nope.py:Mine"), "'nope.py'", "FILE.py:NAME"),
    "opener": (("--opener", "sallet"), "'sallet'", "'salet'"),
    "ties": (("--ties", "candidates"), "'candidates'", "'candidate'"),
    "rule": (("--rule", "presnt"), "'presnt'", "'present'"),
    "mode": (("--mode", "harder"), "'harder'", "'hard'"),
    "hard and mode": (("--hard", "--mode", "strict"), "--hard", "strict"),
    "cap 0": (("--cap", "0"), "0", "at least 1"),
    "cap word": (("--cap", "six"), "'six'", "none"),
    "hard pegs": (("--game", "mastermind:4x6", "--hard"), "'hard'", "'strict'"),
    "missing file": (("--answers", "no/such.txt"), "'no/such.txt'", "one word per line"),
    "option": (("--opnr", "x"), "--opnr", "--help"),
    "plot": (("--plot", "x.gif"), "'x.gif'", ".png"),
    "transcripts": (("--game", "mastermind:2x3", "--transcripts", "no/such"), "'no/such'", "write"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    assert_one_line(salet("simulate", *arguments), *said)


def assert_one_line(ran, *said: str) -> None:
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("salet: ") and ran.err.count("\n") == 1
    for text in said:
        assert text in ran.err


def test_answers_that_are_no_legal_guess(salet, tmp_path: Path) -> None:
    answers = _file(tmp_path / "answers.txt", "apple\nzzzzz\n")
    guesses = _file(tmp_path / "guesses.txt", "apple\nangle\n")
    assert_one_line(salet("simulate", "--answers", answers), "'zzzzz'", "--guesses")
    ran = salet("simulate", "--answers", answers, "--guesses", guesses)
    assert_one_line(ran, "'zzzzz'", "contain every answer")


def test_an_unwritable_cache_is_done_without(tmp_path: Path) -> None:
    blocked = _file(tmp_path / "file", "in the way")
    done = subprocess.run(
        [sys.executable, "-m", "salet", "simulate", "--game", "mastermind:2x3", "--json"],
        env={**os.environ, "SALET_CACHE_DIR": f"{blocked}/cache"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["total"] == 21


def test_ctrl_c_leaves_one_line_and_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\ndef slow(state):\n    print('ready', flush=True)\n    time.sleep(600)\n"
    )
    arguments = ("simulate", "--strategy", "slow.py:slow", "--transcripts", "games.txt")
    with subprocess.Popen(
        [sys.executable, "-m", "salet", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "salet: stopped"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".txt") == []


def test_packs_add_use_remove(salet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALET_DATA_DIR", str(tmp_path / "data"))
    answers = _file(tmp_path / "a.txt", "Äpfel\nÜbung\nKönig\n")
    guesses = _file(tmp_path / "g.txt", "Äpfel\nÜbung\nKönig\nhönig\n")
    assert salet("packs", "add", "mine", "--answers", answers, "--guesses", guesses).code == 0
    assert "mine" in salet("games").out
    assert salet("packs", "list", "--json").json["packs"][0]["answers"] == 3
    ran = salet("simulate", "--game", "mine", "--opener", "KÖNIG", "--json")
    assert ran.json["opener"] == "König"
    assert ran.json["cap"] is None
    assert_one_line(salet("packs", "add", "mine", "--answers", answers), "'mine'", "--replace")
    assert_one_line(salet("packs", "add", "original", "--answers", answers), "'original'")
    assert_one_line(salet("packs", "add", "../x", "--answers", answers), "'../x'")
    assert salet("packs", "remove", "mine").code == 0
    assert_one_line(salet("simulate", "--game", "mine"), "'mine'")


def test_play(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["tears", "", "?", "sugar", "", "stare", "raise", "arise"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(typed))
    ran = salet("play", "--answer", "arise", "--game", "original", "--hard")
    assert ran.code == 0
    assert "answers remain" in ran.out
    assert "'sugar' is not allowed: hard mode: 'sugar' must contain E" in ran.out
    assert "salet original 4/6*" in ran.out
    assert ran.out.rstrip().endswith("🟩🟩🟩🟩🟩")


def test_play_lost_and_given_up(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, said in ((["crane", "CRANE", "slate"], "X/2"), (["give up"], "The answer was")):
        typed = iter(words)
        monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text, it=typed: next(it))
        ran = salet("play", "--answer", "arise", "--game", "original", "--cap", "2")
        assert said in ran.out
        assert "ARISE" in ran.out


def test_play_is_the_same_for_the_same_seed(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: "give up")
    first, again = (salet("play", "--seed", "5").out for _ in range(2))
    assert first == again
    assert "nyt-2023-07" in first


def test_demo_ends_with_commands_that_work(salet) -> None:
    from salet.cli.demo import NEXT

    ran = salet("demo")
    assert ran.code == 0
    assert "2315" in ran.out
    for arguments, _ in NEXT:
        assert arguments in ran.out
        name, *rest = arguments.split()
        if name != "play":
            assert salet(name, *rest).code == 0
