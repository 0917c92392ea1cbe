"""`salet play` as people meet it."""

from __future__ import annotations


def test_a_game_in_hard_mode(salet, type_lines) -> None:
    type_lines("tears", "", "?", "sugar", "", "stare", "raise", "arise")
    ran = salet("play", "--answer", "arise", "--game", "original", "--hard")
    assert ran.code == 0
    assert ran.out.startswith("original: 2315 answers, 6 guesses, hard mode, 5 letters. Ctrl-D")
    assert "answers remain" in ran.out
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
