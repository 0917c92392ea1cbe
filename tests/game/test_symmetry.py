"""Guesses that are equivalent by symmetry."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from salet import Game, solve
from salet.game.feedback import RULES

MODES = ("normal", "hard", "strict")
KINDS = [pair for pair in itertools.product(RULES, MODES) if pair != ("pegs", "hard")]
"""hard mode needs tiles"""


def test_mastermind_has_five_first_guesses():
    game = Game.named("mastermind:4x6")
    assert [game.guesses[i] for i in np.unique(game.symmetry.first_equivalent())] == [
        "1111", "1112", "1122", "1123", "1234",
    ]  # fmt: skip


def test_words_of_a_language_have_no_symmetry():
    game = Game.named("original:first=300")
    assert game.symmetry.is_trivial
    assert game.symmetry.representatives().all()
    assert game.symmetry.size([3, 5]) == 1


def test_weights_break_symmetry():
    words = ["".join(letters) for letters in itertools.product("ab", repeat=2)]
    assert Game(words).symmetry.first_equivalent().tolist() == [0, 1, 1, 0]
    assert Game(words, weights=[1, 1, 2, 1]).symmetry.first_equivalent().tolist() == [0, 1, 2, 3]


def test_answers_are_not_equivalent_to_other_guesses():
    words = ["".join(letters) for letters in itertools.product("ab", repeat=2)]
    assert Game(words[:2], words).symmetry.first_equivalent().tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("rule", "mode"), KINDS)
def test_equivalent_guesses_have_equal_values(rule, mode):
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    game = Game(words, rule=rule, mode=mode)
    least = game.symmetry.first_equivalent()
    assert 1 < len(np.unique(least)) < len(words)
    totals = {}
    for guess, first in enumerate(least):
        total = solve(game, opener=guess, threads=1).total
        assert totals.setdefault(int(first), total) == total


@pytest.mark.parametrize(("rule", "mode"), KINDS)
def test_equivalent_guesses_have_equal_values_after_a_guess(rule, mode):
    words = ["".join(letters) for letters in itertools.product("abcd", repeat=3)]
    game = Game(words, rule=rule, mode=mode)
    merged = 0
    for first in ("aab", "abc", "aaa"):
        history = [words.index(first)]
        least = game.symmetry.first_equivalent(history)
        for state in game.start().groups(history[0]).values():
            if not 3 <= len(state.candidates) <= 12:
                continue
            totals = {}
            legal = set(state.legal.tolist())
            for guess in sorted(legal):
                assert int(least[guess]) in legal
                total = solve(state, opener=guess, threads=1).total
                assert totals.setdefault(int(least[guess]), total) == total
            merged += len(legal) - len(totals)
    assert merged > 0


@pytest.mark.parametrize(("rule", "mode"), KINDS)
def test_histories_of_equal_keys_have_equal_values(rule, mode):
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    game = Game(words, rule=rule, mode=mode)
    histories, totals = 0, {}
    for first in range(0, len(words), 2):
        for state in game.start().groups(first).values():
            for second in state.legal.tolist()[::4]:
                for after in state.groups(second).values():
                    if not state.won and not after.won:
                        histories += 1
                        value = solve(after, threads=1).total, len(after.legal)
                        key = game.symmetry.canonical(after.history)
                        assert totals.setdefault(key, value) == value
    assert len(totals) < histories


def test_the_key_of_a_history_names_letters_in_the_order_in_which_they_occur():
    game = Game.named("mastermind:4x6")

    def key(*turns):
        return game.symmetry.canonical([(game.index(word), pattern) for word, pattern in turns])

    assert key(("1123", 5), ("4456", 3)) == key(("3122", 5), ("6455", 3))
    assert key(("1123", 5), ("4456", 3)) != key(("3122", 5), ("5546", 3))
    assert key(("1123", 5)) == key(("6252", 5)) != key(("6252", 4))
    assert key(("1123", 5)) != key(("1122", 5))


def test_symmetries_that_fix_a_history_are_counted():
    """As many as permutations of the game that preserve the table and fix the guesses."""
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    game = Game(words, rule="pegs")
    index = {word: number for number, word in enumerate(words)}
    every = [
        [
            index["".join(dict(zip("abc", names, strict=True))[word[i]] for i in order)]
            for word in words
        ]
        for order in itertools.permutations(range(3))
        for names in itertools.permutations("abc")
    ]
    for permutation in every:
        assert (game.table[permutation][:, permutation] == game.table).all()
    for history in ([], ["aaa"], ["aab"], ["abc"], ["aab", "bca"], ["aab", "aac"]):
        guesses = [index[word] for word in history]
        kept = [p for p in every if all(p[guess] == guess for guess in guesses)]
        assert game.symmetry.size(guesses) == len(kept)
        least = [min(p[guess] for p in kept) for guess in range(len(words))]
        assert game.symmetry.first_equivalent(guesses).tolist() == least


def test_many_letters_and_positions():
    game = Game.named("bulls-and-cows:4x10")
    assert game.symmetry.size() == math.factorial(10) * math.factorial(4)
    assert game.symmetry.representatives().sum() == 1


def test_many_positions_are_only_swapped_in_pairs():
    words = ["".join(letters) for letters in itertools.product("ab", repeat=8)]
    game = Game(words)
    assert len(np.unique(game.symmetry.first_equivalent())) == 5  # by how many are alike: 8, 7 … 4


def _image(words, word, order, names):
    return words["".join(names[letter] for letter in np.array(list(word))[order])]


def test_a_canonical_form_is_shared_by_the_images_of_a_history():
    """Positions may be permuted where feedback only counts; letters and turns always."""
    rng = random.Random(5)
    words = ["".join(letters) for letters in itertools.product("abcd", repeat=3)]
    index = {word: number for number, word in enumerate(words)}
    for rule in RULES:
        game = Game(words, rule=rule)
        for _ in range(40):
            guesses = rng.sample(range(len(words)), rng.randint(1, 3))
            answer = rng.randrange(len(words))
            state = game.start()
            for guess in guesses:
                state = state.after(guess, int(game.table[guess, answer]))
            order = rng.sample(range(3), 3) if rule == "pegs" else [0, 1, 2]
            names = dict(zip("abcd", rng.sample("abcd", 4), strict=True))
            mapped = [
                (_image(index, words[guess], order, names), code) for guess, code in state.history
            ]
            wanted = game.symmetry.canonical(state.history)
            assert game.symmetry.canonical(rng.sample(mapped, len(mapped))) == wanted


@pytest.mark.parametrize("rule", list(RULES))
def test_histories_of_one_canonical_form_have_states_of_one_value(rule):
    """Also where only some letters and positions can be swapped."""
    words = ["".join(pair) for pair in itertools.product("abcd", "abce")]
    for game in (
        Game(words, rule=rule),
        Game(words, rule=rule, weights=[1 + 2 * (word[0] == "a") for word in words]),
        Game(sorted({*words, *map("".join, itertools.product("abd", repeat=2))}), rule=rule),
    ):
        values, shared = {}, 0
        for first, second in itertools.product(range(len(game.guesses)), repeat=2):
            for before in game.start().groups(first).values():
                for state in before.groups(second).values():
                    if len(state.candidates) < 3:
                        continue
                    form = game.symmetry.canonical(state.history)
                    value = solve(state, threads=1).total
                    shared += form in values
                    assert values.setdefault(form, value) == value
        assert shared > 20


def test_without_symmetry_a_canonical_form_is_the_set_of_turns():
    game = Game.named("original:first=50")
    assert game.symmetry.canonical([(3, 7), (4, 5)]) == game.symmetry.canonical([(4, 5), (3, 7)])
    assert game.symmetry.canonical([(3, 7), (4, 5)]) != game.symmetry.canonical([(4, 7), (3, 5)])


def test_a_long_history_has_a_canonical_form_at_once():
    """The orders of twelve turns of equal patterns are too many to try."""
    game = Game.named("mastermind:4x6")
    turns = [(guess, 0) for guess in range(12)]
    form = game.symmetry.canonical(turns)
    assert form[:12] == (0,) * 12 and len(form) == 12 + 12 * 4
    assert form == game.symmetry.canonical(turns[::-1])
    assert form != game.symmetry.canonical(turns[:11])
