"""The lines that name a game."""

from __future__ import annotations

from types import SimpleNamespace

from salet.cli.render.games import headline, rules


def test_a_game_is_named_with_its_rules(tiny_game) -> None:
    assert headline(tiny_game(cap=6)).plain == "tiny: 20 answers, 6 guesses, normal mode"
    assert headline(tiny_game(mode="hard")).plain == "tiny: 20 answers, no cap, hard mode"


def test_a_result_is_named_with_its_rules() -> None:
    assert rules(SimpleNamespace(game="tiny", mode="hard", cap=6)) == "tiny, hard mode, cap 6"
    assert rules(SimpleNamespace(game="tiny", mode="hard", cap=None)) == "tiny, hard mode, no cap"
