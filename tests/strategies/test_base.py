"""The interface of players."""

from __future__ import annotations

import pytest

from salet import Strategy


class First(Strategy):
    def choose(self, state):
        return state.words[0]


def test_a_player_must_choose():
    with pytest.raises(TypeError, match="choose"):
        Strategy()


def test_repr_and_defaults():
    player = First()
    assert repr(player) == "<strategy First>"
    assert player.ties is None
    player.name = "mine"
    assert repr(player) == "<strategy mine>"
