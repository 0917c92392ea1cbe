"""Players that look one guess ahead, and how they break ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

import naive
from salet import Game
from salet.errors import InputError, UnknownNameError
from salet.search.heuristics import HEURISTICS
from salet.search.partition import splits
from salet.strategies.greedy import TIES, Greedy, RandomCandidate, check_ties, generator
from states import sizes_of, states

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def best_first(words, state):
    """The legal guesses of greatest entropy, compared exactly, in guess order."""
    exact = [
        (naive.power_product(sizes_of(words, state, guess)), guess)
        for guess in state.legal.tolist()
    ]
    least = min(product for product, _ in exact)
    return [guess for product, guess in exact if product == least]


def by_candidate(words, state):
    """Of exactly tied guesses a possible answer, then the first in guess order."""
    possible = state.candidates.tolist()
    return min(best_first(words, state), key=lambda guess: (guess not in possible, guess))


def by_order(words, state):
    """The first in guess order of those that are greatest in double precision, as numpy sums."""
    game, n = state.game, len(state.candidates)
    values = []
    for guess in state.legal.tolist():
        counts = np.bincount(game.table[guess, state.candidates], minlength=game.compiled.patterns)
        terms = np.array([-(m / n) * math.log(m / n) if m else 0.0 for m in counts])
        values.append(np.sum(terms) / math.log(2))
    return int(state.legal[values.index(max(values))])


def by_first_candidate(words, state):
    """The scan starts from the first candidate; a later word must be strictly greater."""
    n = len(state.candidates)
    answers = [words[index] for index in state.candidates]

    def romanian(guess):
        groups = naive.groups(state.game.rule.name, words[guess], answers)
        total = 0.0
        for colours in sorted(groups, reverse=True):  # green, yellow, grey; first letter first
            m = len(groups[colours])
            total += (math.log2(n) - math.log2(m)) * m
        return total / n

    best = int(state.candidates[0])
    best_value = romanian(best)
    for guess in state.legal.tolist():
        value = romanian(guess)
        if value > best_value:
            best, best_value = guess, value
    return best


RULES = {"candidate": by_candidate, "first": by_order, "first-candidate": by_first_candidate}


def test_every_tie_rule_has_an_oracle():
    assert set(RULES) == set(TIES)


@pytest.mark.parametrize("ties", TIES)
@given(case=states(most=40))
def test_ties(ties, case):
    words, state = case
    if len(state.candidates) > 1 and state.game.rule.name != "pegs":
        assert Greedy("entropy", ties).choose(state) == RULES[ties](words, state)


@pytest.mark.parametrize("ties", TIES)
def test_ties_in_many_small_states(ties):
    """States in which the rules differ: excluded answers come early in guess order."""
    words = ["".join(word) for word in itertools.product("abc", repeat=3)]
    words = words[5:] + words[:5]
    start = Game(words).start()
    met = [
        state
        for guess in range(0, 27, 3)
        for state in start.groups(guess).values()
        if len(state.candidates) > 1
    ]
    assert {len(state.candidates) for state in met} >= {2, 3, 4}
    others = [other for other in TIES if other != ties]
    parted = 0
    for state in met:
        wanted = RULES[ties](words, state)
        assert Greedy("entropy", ties).choose(state) == wanted
        parted += any(RULES[other](words, state) != wanted for other in others)
    assert parted > 5


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("heuristic", HEURISTICS)
@settings(max_examples=20)
@given(case=states())
def test_every_heuristic_plays_a_best_guess(heuristic, ties, case):
    _, state = case
    if not len(state.candidates):
        return
    guess = Greedy(heuristic, ties).choose(state)
    found = splits(state)
    costs = np.asarray(HEURISTICS[heuristic].cost(found), float)
    index = found.guesses.tolist().index(guess)
    if len(state.candidates) > 1:
        assert costs[index] <= costs.min() + HEURISTICS[heuristic].tolerance + 1e-9
    else:
        assert guess == state.candidates[0]


def test_the_three_rules_differ():
    """A game where a guess that cannot be the answer ties with those that can."""
    answers = ["bax", "aax", "cax"]
    game = Game(answers, ["zzz", *answers, "abz"])
    state = game.start().after("zzz", "bbb")
    assert game.guesses == ("bax", "aax", "cax", "zzz", "abz")
    assert Greedy("parts", "candidate").choose(state) == game.index("abz")
    # of two candidates left each tells them apart, and so does abz
    two = state.after("cax", "bgg")
    assert two.words == ("bax", "aax")
    assert Greedy("entropy", "candidate").choose(two) == 0
    assert Greedy("entropy", "first").choose(two) == 0
    turned = Game(["cax", "bax", "aax"], ["abz", "cax", "bax", "aax"])
    later = turned.start().after("cax", "bgg")
    assert later.words == ("bax", "aax")
    assert Greedy("entropy", "first").choose(later) == turned.index("bax")


def test_a_candidate_wins_a_tie_that_doubles_would_break():
    """Splits such as 4+1+1+1+1 and 2+2+2+2 give equal information, whatever doubles say."""
    for n in range(2, 30):
        words = [
            "".join(pair) for pair in itertools.islice(itertools.product("abcdef", repeat=2), n)
        ]
        game = Game(words, [*words, "zz"])
        state = game.start()
        letters = [tuple(word) for word in game.guesses]
        best = best_first(letters, state)
        chosen = Greedy("entropy").choose(state)
        assert chosen == min(best, key=lambda guess: (guess >= n, guess))


def test_a_sole_candidate_is_played_at_once(tiny_game):
    state = tiny_game().start().after("crane", "bybbb")
    assert state.words == ("right",)
    for heuristic, ties in itertools.product(HEURISTICS, TIES):
        assert Greedy(heuristic, ties).choose(state) == state.game.index("right")


# ---------------------------------------------------------------------------- chance


def test_softmax_is_greedy_when_cold_and_uniform_when_hot(tiny_game):
    state = tiny_game().start()
    costs = HEURISTICS["expected-size"].cost(splits(state))
    best = {int(state.legal[k]) for k in np.flatnonzero(costs == costs.min())}
    cold = {
        Greedy("expected-size", temperature=1e-9, seed=seed).choose(state) for seed in range(40)
    }
    assert cold <= best
    hot = {Greedy("expected-size", temperature=1e9, seed=seed).choose(state) for seed in range(400)}
    assert hot == set(range(31))


def test_softmax_follows_its_formula(tiny_game):
    """The frequency of each guess agrees with exp(fraction eliminated / temperature)."""
    state = tiny_game().start()
    answers = state.words
    merit = []
    for guess in state.game.guesses:
        sizes = [len(group) for group in naive.groups("standard", guess, answers).values()]
        merit.append(1 - sum(size * size for size in sizes) / len(answers) ** 2)
    weights = [math.exp(each / 0.05) for each in merit]
    drawn = np.bincount(
        [Greedy("expected-size", temperature=0.05, seed=seed).choose(state) for seed in range(800)],
        minlength=31,
    )
    for weight, count in zip(weights, drawn, strict=True):
        share = weight / sum(weights)
        assert abs(count / 800 - share) < 4 * math.sqrt(share * (1 - share) / 800) + 1e-3


@given(case=states())
def test_random_choices_depend_on_seed_and_history_only(case):
    _, state = case
    if not len(state.candidates):
        return
    for make in (RandomCandidate, lambda seed: Greedy("expected-size", temperature=1.0, seed=seed)):
        assert make(5).choose(state) == make(5).choose(state)
    assert generator(1, state).integers(1 << 60) != generator(2, state).integers(1 << 60)


def test_random_plays_every_candidate_and_nothing_else(tiny_game):
    state = tiny_game().start().after("label", "bbbbb")
    drawn = {RandomCandidate(seed).choose(state) for seed in range(200)}
    assert drawn == set(state.candidates.tolist())


# ---------------------------------------------------------------------------- refusals


def test_refusals():
    with pytest.raises(UnknownNameError, match=r"unknown tie rule 'candidat'; did you mean"):
        Greedy("entropy", "candidat")
    with pytest.raises(UnknownNameError, match="unknown heuristic 'entropie'"):
        Greedy("entropie")
    with pytest.raises(InputError, match="temperature -1: give 0"):
        Greedy("entropy", temperature=-1)
    assert [check_ties(each) for each in TIES] == list(TIES)


def test_the_tie_rules():
    assert set(TIES) == {"candidate", "first", "first-candidate"}
    assert Greedy("entropy").ties == "candidate"
