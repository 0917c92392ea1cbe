"""`salet watch` as users and scripts meet it."""

from __future__ import annotations

import pytest

GAME = ("--game", "original:first=8,guesses=answers")
PLAYERS = ("--strategy", "parts", "--against", "random")
WORDS = ("--answer", "abbey", "--answer", "ABACK")


def test_json(salet) -> None:
    fields = salet("watch", *PLAYERS, *WORDS, *GAME, "--json").json
    assert [game["answer"] for game in fields["games"]] == ["abbey", "aback"]
    for played in fields["games"]:
        for side in ("strategy", "against"):
            assert played[side]["won"]
            assert played[side]["guesses"][-1] == [played["answer"], "GGGGG"]


def test_text(salet) -> None:
    ran = salet("watch", *PLAYERS, *WORDS, *GAME)
    assert ran.out.startswith("original:first=8,guesses=answers: 8 answers, 6 guesses")
    assert "the answer is abbey" in ran.out
    assert "parts, in" in ran.out
    assert "[A][B][B][E][Y]" in ran.out


def test_secrets_are_drawn(salet) -> None:
    ran = salet("watch", *PLAYERS, "--count", "3", "--game", "mastermind:2x3")
    assert ran.out.count("the answer is") == 3
    assert "2 right, 0 in the wrong place" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--strategy", "entropie"), "'entropie'"),
        ((*PLAYERS, "--answer", "zzzzz"), "'zzzzz'"),
        ((*PLAYERS, "--count", "0"), "--count"),
    ],
)
def test_bad_input(salet, arguments: tuple[str, ...], said: str) -> None:
    salet("watch", *arguments, *GAME).assert_refused(said)
