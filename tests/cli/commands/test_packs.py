"""`salet packs` as users and scripts meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("own_data")


def test_add_use_and_remove(salet, tmp_path: Path) -> None:
    answers, guesses = tmp_path / "a.txt", tmp_path / "g.txt"
    answers.write_text("Äpfel\nÜbung\nKönig\n")
    guesses.write_text("Äpfel\nÜbung\nKönig\nhönig\n")
    files = ("--answers", str(answers), "--guesses", str(guesses))
    assert "There are none yet" in salet("packs", "list").out
    assert "3 answers, 4 guesses" in salet("packs", "add", "mine", *files).out
    assert "mine" in salet("games").out
    assert salet("packs", "list", "--json").json["packs"][0]["answers"] == 3
    ran = salet("simulate", "--game", "mine", "--opener", "KÖNIG", "--json")
    assert ran.json["opener"] == "König"
    assert ran.json["cap"] is None
    salet("packs", "add", "mine", *files).assert_refused("'mine'", "--replace")
    salet("packs", "add", "original", *files).assert_refused("'original'")
    salet("packs", "add", "../x", *files).assert_refused("'../x'")
    assert salet("packs", "remove", "mine").code == 0
    salet("packs", "remove", "mine").assert_refused("'mine'")
    salet("simulate", "--game", "mine").assert_refused("'mine'")


def test_without_a_subcommand_help_is_shown(salet) -> None:
    ran = salet("packs")
    assert (ran.code, ran.err) == (0, "")
    assert "build" in ran.out and "Examples:" in ran.out


def test_build_from_a_word_list(salet, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("apple\nangle\nankle\npear\n")
    build = ("packs", "build", "--source", str(words), "--no-ranking")
    assert salet(*build, "--length", "5").out.startswith("words-5: 3 answers")
    salet(*build, "--length", "5").assert_refused("'words-5'", "--replace")
    salet(*build, "--length", "1").assert_refused("--length")
    salet("packs", "build", "--length", "5", "--language", "xx").assert_refused("'xx'")
