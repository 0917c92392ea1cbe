"""Replies of language models, and what they are answered."""

from __future__ import annotations

import pytest

from salet import Game
from salet.env.text.wording import (
    feedback_text,
    malformed_text,
    read_guess,
    rules_text,
    unlisted_text,
)


@pytest.mark.parametrize(
    ("reply", "guess"),
    [
        ("[crane]", "crane"),
        ("I try [salet] first, no: [CRANE].", "CRANE"),
        ("<guess>crane</guess> [salet]", "crane"),
        ("<think>[salet] is good</think>\n[crane]", "crane"),
        ("<think>[salet] and then it never ends", None),
        ("[salet] is good\n</THINK>\nI do not know", None),
        ("[salet] is good</think>[crane]<think>or not</think>", "crane"),
        ("**crane**", "crane"),
        ("crane.", "crane"),
        ("crane salet", None),
        ("", None),
        ("[]", None),
        ("[ ]", None),
        ("[" + "x" * 200 + "]", "x" * 200),
        ("țărmă", "țărmă"),
        ("[1 2 3 4]", "1 2 3 4"),
        ("x" * 300_000 + " [crane]", "crane"),
        ("\x00\ufffd", "\x00\ufffd"),
    ],
)
def test_the_guess_in_a_reply(reply: str, guess: str | None) -> None:
    assert read_guess(reply) == guess


def test_a_reply_without_a_guess_is_quoted() -> None:
    assert malformed_text("  I do not\nknow ") == (
        "'I do not know' has no guess in it; end your reply with one guess in square brackets."
    )
    assert malformed_text(" ").startswith("an empty reply has no guess")
    assert len(malformed_text("x" * 10_000)) < 200


def test_rules_name_what_the_game_does() -> None:
    hard = rules_text(Game(["apple", "angle"], mode="hard", cap=6), "forfeit")
    assert "Hard mode" in hard and "loses the game" in hard
    assert "Repeated letters are not counted" in rules_text(Game(["apple"], rule="present"))
    assert "fit all marks" in rules_text(Game(["apple"], mode="strict"), "turn")


def test_letters_are_graphemes() -> None:
    game = Game(["țară", "mară"])
    assert feedback_text(game, "țară", ["BGGG"], 1) == "ț a r ă\nB G G G\n1 guess left."


@pytest.mark.parametrize(
    ("name", "rule", "wrong", "said"),
    [
        ("nerdle:6", "secret equation of 6 characters", "3*4=13", "'3*4=13' is false: 3*4 is 12."),
        ("primel", "secret prime number of 5 digits", "10001", "is not a prime: it is 73 * 137."),
        ("mastermind:4x6", "Symbols may repeat.", "1237", "from 1 2 3 4 5 6. Symbols may repeat."),
        ("bulls-and-cows:4x8", "No symbol occurs twice.", "1123", "No symbol occurs twice."),
        ("bulls-and-cows:4x8", "code of 4 symbols", "123", "'123' has 3 symbols; give one with 4."),
    ],
)
def test_secrets_and_guesses_are_called_what_they_are(name, rule, wrong, said) -> None:
    game = Game.named(name)
    assert rule in rules_text(game)
    assert "word" not in rules_text(game)
    assert unlisted_text(game, wrong).endswith(said)
