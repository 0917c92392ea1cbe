"""Bounds of the parts that a guess makes, against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from salet.search.exact.layout import INF, layout_of
from salet.search.part_bounds import PartBounds
from states import states


@pytest.mark.tiny
@settings(max_examples=100)
@given(states(), st.integers(0, 40))
def test_parts_and_their_bounds(drawn, target) -> None:
    words, state = drawn
    game = state.game
    rule, answers = game.rule.name, tuple(words[: game.answer_count])
    tiny = naive.Tiny(answers, tuple(words), rule, game.mode, None)
    bounds = PartBounds(layout_of(game), 0.1)
    for guess in range(min(4, len(words))):
        groups = naive.groups(rule, words[guess], answers)
        total = naive.solve(tiny, opener=guess).total
        found = bounds.bound(game.start(), guess, INF)
        assert found.total <= total
        assert found.open is not None
        exact = found.settled
        for pattern, part, lower in found.open:
            shown = naive.RULES[rule](words[guess], words[part[0]])
            assert groups[shown] == [words[index] for index in part]
            assert game.table[guess, part[0]] == pattern
            value = naive.solve(tiny, "mean", [(words[guess], shown)]).total
            assert 2 * len(part) - 1 <= lower <= value
            exact += value
        assert exact == total
        limited = bounds.bound(game.start(), guess, target)
        assert limited.total <= total
        assert (limited.open is None) == (limited.total >= target)
