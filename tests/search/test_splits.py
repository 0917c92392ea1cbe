"""How guesses split the answers, against plain counting."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from salet import Game
from salet.game.state import State
from salet.game.table import Table
from salet.search.splits import splits
from states import sizes_of, states

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("by_answer", [True, False], ids=["by answer", "by guess"])
@given(case=states())
def test_counts_agree_with_plain_counting(by_answer, case):
    words, state = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            Table, "laid_out_for", lambda self, _: self.by_answer.T if by_answer else self.ids
        )
        found = splits(state)
    assert found.answers == len(state.candidates)
    assert found.guesses.tolist() == state.legal.tolist()
    for k, guess in enumerate(state.legal.tolist()):
        sizes = sizes_of(words, state, guess)
        assert found.parts[k] == len(sizes)
        assert found.largest[k] == max(sizes)
        assert found.squares[k] == sum(size * size for size in sizes)
        assert found.n_log_n[k] == pytest.approx(sum(n * math.log2(n) for n in sizes), abs=1e-9)
        assert found.entropy[k] == pytest.approx(naive.entropy(sizes), abs=1e-9)
        assert found.is_candidate[k] == (guess in state.candidates.tolist())


@given(case=states(), data=st.data())
def test_some_guesses_only(case, data):
    _, state = case
    whole = splits(state)
    chosen = data.draw(st.lists(st.sampled_from(range(len(whole.guesses))), min_size=1))
    part = splits(state, whole.guesses[chosen])
    for field in ("guesses", "is_candidate", "parts", "largest", "squares", "n_log_n", "entropy"):
        assert np.array_equal(getattr(part, field), getattr(whole, field)[chosen])


def test_a_guess_that_tells_nothing_has_no_entropy():
    """Exactly 0, not a rounding error: the estimators divide by it."""
    answers = ["ab" + "".join(pair) for pair in itertools.product("cdefghi", repeat=2)]
    game = Game(answers, [*answers, "zzzz"])
    found = splits(game.start())
    assert found.parts[-1] == 1
    assert found.entropy[-1] == 0.0


def test_both_layouts_for_states_of_either_size():
    """Crossing from few answers to many changes the memory layout and nothing else."""
    words = ["".join(letters) for letters in itertools.product("abcd", repeat=3)]
    for count in (47, 48, 49, 64):
        game = Game(words[:count], words)
        found = splits(game.start())
        for guess in (0, 17, 63):
            sizes = list(map(len, naive.groups("standard", words[guess], words[:count]).values()))
            assert found.squares[guess] == sum(size * size for size in sizes)
            assert found.parts[guess] == len(sizes)


def test_dense_ids():
    words = ["".join(letters) + "x" * 8 for letters in itertools.product("abc", repeat=3)]
    game = Game(words)
    found = splits(game.start())
    for guess in range(27):
        sizes = [len(group) for group in naive.groups("standard", words[guess], words).values()]
        assert (found.parts[guess], found.largest[guess]) == (len(sizes), max(sizes))


@pytest.mark.parametrize("size", [1, 2])
def test_the_smallest_states(size):
    game = Game(["ab", "ba"][:size], ["ab", "ba", "cc"])
    found = splits(game.start())
    assert found.parts.tolist() == ([1, 1, 1] if size == 1 else [2, 2, 1])
    assert found.squares.tolist() == ([1, 1, 1] if size == 1 else [2, 2, 4])


@given(case=states(), data=st.data())
def test_bounds_of_guesses_are_brute_force(case, data):
    """3W - w - the greatest weights of all groups; no plan that begins so costs less."""
    _, state = case
    game, count = state.game, state.game.answer_count
    if data.draw(st.booleans()):
        weights = data.draw(st.lists(st.integers(1, 9), min_size=count, max_size=count))
        game = game.replace(weights=weights)
        state = State(game, state.candidates, state.history, state.previous)
    found = splits(state)
    answers = state.candidates.tolist()
    weight = {a: 1 if game.weights is None else int(game.weights[a]) for a in answers}
    total = sum(weight.values())
    for k, guess in enumerate(found.guesses.tolist()):
        groups: dict[int, list[int]] = {}
        for a in answers:
            groups.setdefault(int(game.table[guess, a]), []).append(weight[a])
        own = weight.get(guess, 0)
        heads = sum(max(group) for group in groups.values())
        assert (found.own_weights[k], found.max_weights[k]) == (own, heads)
        assert found.guess_bounds[k] == 3 * total - own - heads


@given(case=states(most=8))
def test_no_guess_beats_its_bound(case):
    words, state = case
    game = state.game
    history = [
        (words[guess], naive.RULES[game.rule.name](words[guess], words[int(state.candidates[0])]))
        for guess, _ in state.history
    ]
    answers, guesses = tuple(words[: game.answer_count]), tuple(words)
    tiny = naive.Tiny(answers, guesses, game.rule.name, game.mode)
    found = splits(state)
    for guess, bound in zip(found.guesses[:3].tolist(), found.guess_bounds.tolist(), strict=False):
        optimum = naive.solve(tiny, history=history, opener=guess)
        assert optimum is not None
        assert bound <= optimum.total
