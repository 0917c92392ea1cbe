"""Game options and output files: what they refuse, they refuse in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

BAD_FILES = {
    "empty": (b"", "is empty"),
    "binary": (b"abc\0def\n", "binary"),
    "crlf": (b"apple\r\nangle\r\n", "CR LF"),
    "bom": (b"\xef\xbb\xbfapple\n", "byte order mark"),
    "latin1": (b"\xe4pfel\n", "UTF-8"),
    "mixed": (b"apple\npear\n", "'pear'"),
    "twice": (b"apple\nangle\nApple\n", "'Apple'"),
    "foreign": (b"apple\nan,le\n", "','"),
}


@pytest.mark.parametrize("fault", BAD_FILES)
def test_bad_word_files(salet, tmp_path: Path, fault: str) -> None:
    content, said = BAD_FILES[fault]
    (tmp_path / "words.txt").write_bytes(content)
    name = str(tmp_path / "words.txt")
    salet("simulate", "--answers", name, "--guesses", name).assert_refused("words.txt", said)


BAD_INPUT = {
    "game": (("--game", "orignal"), "'orignal'", "'original'"),
    "game option": (("--game", "original:frist=3"), "'frist=3'", "first=N"),
    "code size": (("--game", "mastermind:4"), "'mastermind:4'", "4x6"),
    "rule": (("--rule", "presnt"), "'presnt'", "'present'"),
    "mode": (("--mode", "harder"), "'harder'", "'hard'"),
    "hard and mode": (("--hard", "--mode", "strict"), "--hard", "strict"),
    "cap 0": (("--cap", "0"), "0", "at least 1"),
    "cap word": (("--cap", "six"), "'six'", "none"),
    "hard pegs": (("--game", "mastermind:4x6", "--hard"), "'hard'", "'strict'"),
    "missing file": (("--answers", "no/such.txt"), "'no/such.txt'"),
    "plot format": (("--plot", "x.gif"), "'x.gif'", ".png"),
    "no directory": (("--transcripts", "no/such"), "'no/such'", "no directory 'no'"),
    "a directory": (("--transcripts", "."), "'.'", "is a directory"),
    "seed": (("--seed", "-1"), "--seed", "-1"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    salet("simulate", *arguments).assert_refused(*said)


def test_answers_that_are_no_legal_guess(salet, tmp_path: Path) -> None:
    answers, guesses = tmp_path / "answers.txt", tmp_path / "guesses.txt"
    answers.write_text("apple\nzzzzz\n")
    guesses.write_text("apple\nangle\n")
    ran = salet("simulate", "--answers", str(answers))
    ran.assert_refused("'zzzzz'", "'nyt-2023-07'", "--guesses")
    ran = salet("simulate", "--answers", str(answers), "--guesses", str(guesses))
    ran.assert_refused("'zzzzz'", "contain every answer")


def test_a_missing_extra_is_named(salet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    ran = salet("simulate", "--game", "mastermind:2x3", "--plot", str(tmp_path / "p.png"))
    ran.assert_refused("pip install 'salet[plots]'")
