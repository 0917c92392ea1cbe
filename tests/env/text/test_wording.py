"""Replies of language models, and what they are answered."""

from __future__ import annotations

import pytest

from salet import Game
from salet.env.text.wording import feedback_text, malformed_text, read_guess, rules_text


@pytest.mark.parametrize(
    ("reply", "guess"),
    [
        ("[crane]", "crane"),
        ("I try [salet] first, no: [CRANE].", "CRANE"),
        ("<guess>crane</guess> [salet]", "crane"),
        ("<think>[salet] is good</think>\n[crane]", "crane"),
        ("<think>[salet] and then it never ends", None),
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
        "'I do not know' has no guess in it; end your reply with one word in square brackets."
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
    assert feedback_text(game, "țară", "BGGG", 1) == "ț a r ă\nB G G G\n1 guess left."
