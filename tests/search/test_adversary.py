"""The adversary against brute force, and the well-known lists."""

from __future__ import annotations

from itertools import permutations

import pytest

import naive
import naive_adversary
import random_games
from salet import Coach, Game, simulate
from salet.errors import InputError
from salet.game.hosts import adversary_pattern
from salet.game.round import Round
from salet.search.adversary import AdversaryProcess, ForcingSearch, force
from salet.search.budget import Budget
from salet.search.dynamic_programming import value_of
from salet.search.value import SearchInterruptedError

SMALL = Game(
    ["aab", "aba", "baa", "abc", "bca", "cab", "ccc"], ["aab", "aba", "baa", "abc", "bca", "cab",
     "ccc", "ddd", "bbb"], host="adversary",
)  # fmt: skip


def _games():
    """Small adversarial games in normal mode, by number."""
    for number in range(60):
        case = random_games.case(number)
        if case.game.mode == "normal" and len(case.game.answers) <= 14:
            yield number, case.game


@pytest.mark.parametrize(("number", "tiny"), list(_games()))
def test_replies_and_fewest_guesses_are_those_of_brute_force(number, tiny):
    answers = ["".join(word) for word in tiny.answers]
    guesses = ["".join(word) for word in tiny.guesses]
    game = Game(answers, guesses, rule=tiny.rule, host="adversary")
    state = game.start()
    for guess in guesses:
        expected = naive_adversary.reply(tiny.rule, guess, answers)
        found = game.show(adversary_pattern(state, game.index(guess)))
        assert found == naive.shown(tiny.rule, expected)
    fewest = naive_adversary.fewest(tiny.rule, answers, guesses)
    result = force(state)
    assert (result.upper, result.lower, result.proven) == (fewest, fewest, True)
    _check_line(game, result.line)


def _check_line(game, line):
    """The line is a game that the host really plays so, and that is won by its last guess."""
    current = Round(game)
    for guess, feedback in line:
        assert not current.over
        assert current.guess(guess) == feedback
    assert current.won


def test_ties_make_equivalent_guesses_unequal():
    """Positions can be exchanged in this game, but the host's choice among equal groups cannot."""
    answers = sorted({"".join(word) for base in ("acdf", "beef") for word in permutations(base)})
    guesses = [*answers, "aaae", "aaea", "aeaa", "eaaa"]
    game = Game(answers, guesses, host="adversary")
    assert naive_adversary.fewest("standard", answers, guesses) == 3
    assert (force(game.start()).upper, force(game.start()).proven) == (3, True)


@pytest.mark.parametrize("mode", ["hard", "strict"])
def test_modes_are_kept(mode):
    for number, tiny in list(_games())[:30]:
        if tiny.rule == "pegs" and mode == "hard":
            continue
        answers = ["".join(word) for word in tiny.answers]
        guesses = ["".join(word) for word in tiny.guesses]
        game = Game(answers, guesses, rule=tiny.rule, mode=mode, host="adversary")
        result = force(game.start())
        _check_line(game, result.line)
        assert result.proven
        assert result.upper == naive_adversary.fewest(tiny.rule, answers, guesses, mode), number


def test_the_generic_process_has_the_same_value():
    process = AdversaryProcess(SMALL)
    assert -value_of(process, process.start()) == force(SMALL.start()).upper
    assert process.refine(process.start()).low == process.refine(process.start()).high
    with pytest.raises(InputError, match="host 'secret' of custom cannot be forced"):
        AdversaryProcess(SMALL.replace(host="secret"))


def test_four_guesses_force_the_original_list():
    game = Game.named("original", host="adversary")
    result = force(game.start())
    assert (result.upper, result.proven) == (4, True)
    _check_line(game, result.line)
    assert simulate(game, "forcing").total == 4
    assert force(game.start(), opener="arise").upper == 4


@pytest.mark.parametrize(("name", "fewest"), [("mastermind:4x6", 5), ("nerdle:6", 3)])
def test_other_games(name, fewest):
    game = Game.named(name, host="adversary")
    result = force(game.start())
    assert (result.upper, result.proven) == (fewest, True)
    _check_line(game, result.line)


def test_players_against_the_adversary():
    result = simulate(SMALL, "minimax")
    assert (result.answers, result.losses) == (1, 0)
    assert result.total >= force(SMALL.start()).upper
    assert simulate(SMALL.replace(cap=1), "minimax").losses == 1
    assert (
        simulate(SMALL, "forcing", opener="ddd").total == force(SMALL.start(), opener="ddd").upper
    )


def test_a_search_that_is_stopped_keeps_its_bounds():
    search = ForcingSearch(SMALL, Budget(nodes=1).start())
    with pytest.raises(SearchInterruptedError):
        search.line(SMALL.start(), 3)
    result = force(Game.named("primel:first=400", host="adversary").start(), seconds=1e-9)
    assert result.lower <= result.upper


def test_advice_ends_with_the_proven_way():
    *_, advice = Coach(SMALL).suggest()
    assert (advice.expected, advice.proven) == (force(SMALL.start()).upper, True)
    best = {row.guess: row for row in advice.suggestions}
    for guess, row in best.items():
        assert row.proven
        assert row.upper == force(SMALL.start(), opener=guess).upper


def test_what_has_no_meaning_is_refused():
    with pytest.raises(InputError, match="guesses have no mean"):
        simulate(SMALL, "exact")
    with pytest.raises(InputError, match="knows no weights"):
        SMALL.replace(weights=[1] * 7)
    with pytest.raises(InputError, match="plays on one board"):
        SMALL.replace(boards=2)
    with pytest.raises(InputError, match="unknown host 'advresary'; did you mean 'adversary'"):
        SMALL.replace(host="advresary")
    with pytest.raises(InputError, match="a secret is given unless"):
        Round(SMALL, 2)
    with pytest.raises(InputError, match="commuted=win against host 'adversary'"):
        Game.named("nerdle:6,commuted=win", host="adversary")
