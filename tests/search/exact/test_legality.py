"""Which guesses stay legal: kernels against the rules written out."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import naive
from random_tables import random_puzzle, trials
from salet import Game
from salet.search.exact.layout import layout_of
from salet.search.exact.legality import legal_key_after, narrow_legal, revealed_times
from salet.search.exact.solver import Solver
from salet.search.exact.stack import UNKNOWN
from salet.search.roots import root_of

pytestmark = pytest.mark.tiny


def random_game(rng, mode):
    rule = rng.choice(
        ["standard", "present"] if mode == "hard" else ["standard", "present", "pegs"]
    )
    length, alphabet = rng.randint(2, 4), rng.choice(["ab", "abc", "abcdef"])
    words = ["".join(letters) for letters in itertools.product(alphabet, repeat=length)]
    words = rng.sample(words, min(len(words), rng.randint(3, 40)))
    return Game(words[: rng.randint(2, len(words))], words, rule=rule, mode=mode)


def entered(state):
    solver = Solver(layout_of(state.game), megabytes=0.01)
    solver.enter(root_of(state))
    return solver


def legal_key(solver, level, guess, pattern):
    layout = solver.layout
    key = legal_key_after(layout, solver.stack, level, layout.index_of[guess], pattern)
    return tuple(map(int, key))


def legal_after(solver, guess, pattern):
    """What `narrow_legal` leaves one level up, in the game's numbering."""
    layout, stack = solver.layout, solver.stack
    stack.frames[1].played, stack.frames[1].pattern = layout.index_of[guess], pattern
    narrow_legal(layout, stack, 1)
    legal = stack.legal[1, : stack.frames[1].legal]
    assert (np.diff(legal) > 0).all()  # ascending, as scans want it
    return sorted(layout.original[legal].tolist())


def random_walk(rng, state, turns):
    """States of a game against one random answer."""
    secret = int(rng.choice(state.candidates))
    for _ in range(turns):
        guess = int(rng.choice(state.legal))
        pattern = int(state.game.table[guess, secret])
        if pattern == state.game.win:
            return
        yield state, guess, pattern
        state = state.after(guess, pattern)


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_narrow_legal_is_the_rule(mode):
    rng = random.Random(mode)
    for _ in range(trials(120)):
        game = random_game(rng, mode)
        turns = []
        for state, guess, pattern in random_walk(rng, game.start(), 3):
            rule, words = game.rule.name, game.guesses
            secret = words[int(np.flatnonzero(game.table[guess] == pattern)[0])]
            turns.append((words[guess], naive.RULES[rule](words[guess], secret)))
            wanted = [g for g, w in enumerate(words) if naive.legal(rule, mode, turns, w)]
            assert legal_after(entered(state), guess, pattern) == wanted
            assert state.after(guess, pattern).legal.tolist() == wanted


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_keys_of_a_level_are_those_of_the_state_entered(mode):
    """A state has one key, whether a search goes there or begins there."""
    rng = random.Random(f"keys {mode}")
    for _ in range(trials(120)):
        for state, guess, pattern in random_walk(rng, random_game(rng, mode).start(), 3):
            key = legal_key(entered(state), 0, guess, pattern)
            below = entered(state.after(guess, pattern))
            assert key == tuple(map(int, below.stack.legal_keys[0]))


def test_normal_mode_has_no_key():
    solver = entered(Game(["ab", "ba", "bb"]).start())
    assert legal_key(solver, 0, 0, 3) == (0, 0)


def demands_of(game, turns):
    """What hard mode knows: greens, and the number of times that letters occur."""
    greens, needs = {}, {}
    for guess, tiles in turns:
        word = game.guesses[guess]
        shown = [word[i] for i, colour in enumerate(tiles) if colour != naive.GREY]
        for i, colour in enumerate(tiles):
            if colour == naive.GREEN:
                greens[i] = word[i]
        for letter in set(shown):
            count = 1 if game.rule.name == "present" else shown.count(letter)
            needs[letter] = max(count, needs.get(letter, 0))
    return frozenset(greens.items()), frozenset(needs.items())


def test_hard_mode_keys_are_equal_just_when_the_same_is_known():
    """Two hints in either order, and all other hints of the game, have one key for each set of
    known greens and letter counts."""
    rng = random.Random("hard keys")
    met_by_two_orders = 0
    for _ in range(trials(60)):
        game = random_game(rng, "hard")
        start = game.start()
        keys, orders = {}, {}
        for _ in range(40):
            secret = int(rng.choice(start.candidates))
            state, turns = start, []
            for _ in range(2):
                guess = int(rng.choice(state.legal))
                pattern = int(game.table[guess, secret])
                words = game.guesses
                tiles = naive.RULES[game.rule.name](words[guess], words[secret])
                turns.append((guess, tiles))
                key = legal_key(entered(state), 0, guess, pattern)
                known = demands_of(game, turns)
                assert keys.setdefault(known, key) == key
                orders.setdefault(known, set()).add(tuple(turns))
                state = state.after(guess, pattern)
        assert len(set(keys.values())) == len(keys)
        met_by_two_orders += any(
            {(a, b), (b, a)} <= ways for ways in orders.values() for a, b in permuted(ways)
        )
    assert met_by_two_orders > 0


def permuted(ways):
    return [way for way in ways if len(way) == 2 and way[0] != way[1]]


def test_strict_mode_keys_are_equal_just_when_the_legal_guesses_are():
    rng = random.Random("strict keys")
    for _ in range(trials(60)):
        puzzle = random_puzzle(rng, mode="strict")
        solver = puzzle.solver()
        solver.enter(puzzle.root(puzzle.answers, 3))
        keys = {}
        for guess in puzzle.guesses:
            for pattern in range(puzzle.patterns):
                legal = puzzle.narrow(puzzle.guesses, guess, pattern)
                key = legal_key(solver, 0, guess, pattern)
                assert keys.setdefault(legal, key) == key
                assert legal_after(solver, guess, pattern) == sorted(legal)
        assert len(set(keys.values())) == len(keys)


def test_letters_are_counted_up_to_their_position():
    letters = np.array([4, 9, 4, 4, 9], np.uint8)
    hint = np.array([2, 0, 0, 1, 1], np.int64)
    times = [revealed_times(letters, hint, i) for i in range(5)]
    assert times == [1, 0, 1, 2, 1]


def test_what_was_known_before_is_not_counted_again():
    game = Game(["aab", "abb", "aba", "bab"], mode="hard")
    state = game.start().after("abb", "GBG")
    solver = entered(state)
    assert solver.stack.greens[0].tolist().count(UNKNOWN) == 1
    legal_after(solver, game.index("aab"), game.win)  # one more green, and a second a
    assert UNKNOWN not in solver.stack.greens[1].tolist()
    below = entered(state.after("aab", "GGG"))
    assert solver.stack.legal_keys[1].tolist() == below.stack.legal_keys[0].tolist()
