"""`salet play` as people meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("own_data")


def test_a_game_in_hard_mode(salet, type_lines) -> None:
    type_lines("tears", "", "?", "sugar", "", "stare", "raise", "arise")
    ran = salet("play", "--answer", "arise", "--game", "original", "--hard")
    assert ran.code == 0
    assert ran.out.startswith(
        "original: 2315 answers, 6 guesses, hard mode, 5 letters\n`hint` helps"
    )
    assert "words fit; 5 guesses are left" in ran.out
    assert "'sugar' is not allowed: hard mode: 'sugar' must contain E" in ran.out
    assert "salet original 4/6*" in ran.out
    assert ran.out.rstrip().endswith("🟩🟩🟩🟩🟩")


def test_a_lost_game(salet, type_lines) -> None:
    type_lines("crane", "CRANE", "[red]", "slate")
    ran = salet("play", "--answer", "arise", "--game", "original", "--cap", "2")
    assert "you have tried 'crane' already" in ran.out
    assert "'[red]'" in ran.out
    assert "The answer was ARISE." in ran.out
    assert "X/2" in ran.out


def test_a_game_given_up(salet, type_lines) -> None:
    type_lines("give up")
    ran = salet("play", "--answer", "arise", "--game", "original")
    assert ran.out.endswith("The answer was ARISE.\n")


def test_pegs_are_counted(salet, type_lines) -> None:
    type_lines("1122", "1212")
    ran = salet("play", "--answer", "1212", "--game", "mastermind:4x6")
    assert "1122  2 right, 2 in the wrong place" in ran.out
    assert "Found in 2." in ran.out


def test_the_same_seed_gives_the_same_secret(salet, type_lines) -> None:
    type_lines("give up", "give up")
    first, again = (salet("play", "--seed", "5").out for _ in range(2))
    assert first == again
    assert "nyt-2023-07" in first


def test_bad_input(salet) -> None:
    salet("play", "--answer", "crnae").assert_refused("'crnae'")
    salet("play", "--answer", "aahed").assert_refused("'aahed'", "not one of its answers")
    for answer in ("crane", "crane/crane", "crane/slate/trace"):
        ran = salet("play", "--answer", answer, "--game", "original:boards=2")
        ran.assert_refused(f"answer {answer!r}", "2 different answers", "aback/abase")


def test_help_comes_in_steps(salet, type_lines) -> None:
    """Nothing unasked; a step each time, from the beginning after every guess; ideas are rated."""
    type_lines("crane", "hint", "hint", "hint", "hint", "hint", "horse?", "zzzzz?", "horse", "hint",
               "give up")  # fmt: skip
    ran = salet("play", "--answer", "verse", "--game", "original")
    steps = ["40 words fit", "the best guess takes 2.425 guesses", "letters worth testing",
             "SOUTH splits 40 words", "HORSE is fine: 0.1", "unknown word 'zzzzz'",
             "words fit; 4 guesses are left"]  # fmt: skip
    places = [ran.out.index(step.replace("fine: 0.1", "")) for step in steps]
    assert places == sorted(places)


def kept(folder: Path) -> list[dict]:
    path = folder / "history.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_games_are_saved(salet, type_lines, own_data: Path) -> None:
    type_lines("crane", "arise")
    ran = salet("play", "--answer", "arise", "--game", "original")
    assert str(own_data) in ran.err
    (game,) = kept(own_data)
    assert (game["won"], game["words"], game["source"]) == (True, ["crane", "arise"], "play")
    type_lines("crane", "give up")
    salet("play", "--answer", "arise", "--game", "original")
    assert [game["won"] for game in kept(own_data)] == [True, False]
    type_lines("give up")
    salet("play", "--answer", "arise", "--game", "original")
    type_lines("crane", "arise")
    salet("play", "--answer", "arise", "--game", "original", "--no-keep")
    assert len(kept(own_data)) == 2
