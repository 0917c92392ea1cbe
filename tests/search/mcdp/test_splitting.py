"""Guesses that split alike, and bounds of groups, against plain counting."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import naive
from salet.search.mcdp.guessing import GuessProblem
from salet.search.mcdp.splitting import distinct
from salet.search.splits import splits
from states import states


def groups_of(words, state, guess):
    """The groups that a guess makes, as sets of answers."""
    found = naive.groups(
        state.game.rule.name, words[guess], [words[place] for place in state.candidates]
    )
    return frozenset(frozenset(group) for group in found.values())


@pytest.mark.tiny
@settings(max_examples=100)
@given(states())
def test_one_of_each_split_remains(drawn) -> None:
    words, state = drawn
    found = splits(state)
    table = state.game.compiled
    kept = distinct(table.ids, table.patterns, state.candidates, found.guesses, found.is_candidate)
    seen: dict[object, list[int]] = {}
    for place, guess in enumerate(found.guesses.tolist()):
        seen.setdefault(groups_of(words, state, guess), []).append(place)
    for places in seen.values():
        candidates = [place for place in places if found.is_candidate[place]]
        assert [place for place in places if kept[place]] == (candidates or places[:1])


@pytest.mark.tiny
@settings(max_examples=100)
@given(states())
def test_groups_and_their_bounds(drawn) -> None:
    words, state = drawn
    game = state.game.with_(mode="normal")
    problem = GuessProblem(game.start(), narrow=True, plain=False, megabytes=0.1)
    solver = naive.Tiny(
        tuple(words[: game.answer_count]), tuple(words), game.rule.name, "normal", None
    )
    for guess in range(min(4, len(words))):
        steps = problem.follow(game.start(), guess, 10**6)
        groups = naive.groups(game.rule.name, words[guess], words[: game.answer_count])
        sizes = sorted(len(group) for group in groups.values())
        assert sum(size for size in sizes if size > 2) == sum(
            len(below.candidates) for _, below, _ in steps.children
        )
        for _, below, lower in steps.children:
            (turn,) = below.history
            pattern = naive.RULES[game.rule.name](words[guess], words[below.candidates[0]])
            answers = [words[place] for place in below.candidates]
            assert groups[pattern] == answers
            optimum = naive.solve(solver, "mean", [(words[guess], pattern)])
            assert 2 * len(answers) - 1 <= lower <= optimum.total
            assert turn[0] == guess
