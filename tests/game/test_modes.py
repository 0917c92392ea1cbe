"""The guesses that each mode allows, against naive rules."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import naive
from salet import Game
from salet.errors import IllegalGuessError, InputError, UnknownNameError
from salet.game.feedback import RULES
from salet.game.modes import MODES, check_mode, demands, objection
from salet.game.notation import TILES
from states import PAIRS

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def after(game, history):
    """The state after guesses against known answers."""
    state = game.start()
    for guess, answer in history:
        state = state.after(guess, game.feedback(guess, answer))
    return state


def allowed(state):
    return {state.game.guesses[index] for index in state.legal}


# ---------------------------------------------------------------------------- known cases


CATCH = [("crane", "catch"), ("cacti", "catch")]


def test_two_revealed_letters_must_both_be_used(tiny_game):
    state = after(tiny_game(mode="hard"), CATCH)
    assert "caput" not in allowed(state)
    with pytest.raises(
        IllegalGuessError, match=r"'caput' is not allowed: .*must contain C 2 times"
    ):
        state.check("caput")
    assert "catch" in allowed(state)


def test_the_known_cases_are_complete(shared):
    cases = json.loads((shared / "data/known-results.json").read_text("utf-8"))["wordle_hard_mode"]
    tested = [case for case in cases if "guess" in case]
    assert [[tuple(row) for row in case["history"]] for case in tested] == [CATCH]
    assert [(case["guess"], case["legal"]) for case in tested] == [("caput", False)]
    assert "CREDO legal, CRATE legal" in cases[1]["note"]
    assert "PLIED illegal" in cases[1]["note"]


def test_trace_credo_crate_plied(tiny_game):
    """After TRACE with R green, C and E yellow."""
    state = tiny_game(mode="hard").start().after("trace", "bgbyy")
    assert {"credo", "crate"} <= allowed(state)
    assert "plied" not in allowed(state)
    assert "crate" not in state.words  # it cannot be the answer: the T was grey
    with pytest.raises(IllegalGuessError, match="letter 2 must be R"):
        state.check("plied")
    strict = tiny_game(mode="strict").start().after("trace", "bgbyy")
    assert "credo" in allowed(strict)
    assert not {"crate", "plied"} & allowed(strict)


def test_a_yellow_may_stay_in_its_position_and_greys_may_be_reused():
    game = Game(["stale", "least"], ["stale", "least", "steal", "smelt", "stoat"], mode="hard")
    state = game.start().after("stale", "ygbbb")  # S yellow at position 1, T green at position 2
    assert allowed(state) == {"stale", "steal", "stoat"}
    assert not len(state.candidates)


def test_one_occurrence_suffices_under_present():
    words = ["allay", "alley", "pylon", "loyal", "banal"]
    counted = Game(words, mode="hard").start().after("alley", "bybby")
    assert allowed(counted) == {"allay", "alley", "pylon", "loyal"}
    twice = Game(words, mode="hard").start().after("allay", "yyyyy")
    assert allowed(twice) == {"allay"}  # two As, two Ls and a Y
    once = Game(words, rule="present", mode="hard").start().after("allay", "yyyyy")
    assert allowed(once) == {"allay", "alley", "loyal"}


def test_strict_allows_guesses_that_are_not_answers():
    game = Game(["crane"], ["crane", "crate", "grate"], mode="strict")
    state = game.start().after("grate", "bggbg")
    assert allowed(state) == {"crane"}
    state = game.start().after("crane", "gggbg")
    assert allowed(state) == {"crate"}
    assert not len(state.candidates)


# ---------------------------------------------------------------------------- against naive


@st.composite
def played(draw, pairs=tuple(PAIRS)):
    """A game and a history of legal guesses with feedback (true or made up)."""
    rule, mode = draw(st.sampled_from(pairs))
    words, answers = draw(drawn.split_lists(least=3, most=14, lengths=(3, 6), letters=8))
    game = Game(drawn.spelled(words[:answers]), drawn.spelled(words), rule=rule, mode=mode)
    state = game.start()
    history = []
    for _ in range(draw(st.integers(1, 4))):
        if not len(state.legal):
            break
        guess = int(draw(st.sampled_from(state.legal.tolist())))
        against = draw(st.sampled_from(words))
        pattern = naive.RULES[rule](words[guess], against)
        history.append((words[guess], pattern))
        state = state.after(guess, naive.shown(rule, pattern))
    return words, answers, state, history


@given(played())
def test_legality_and_candidates_agree_with_the_naive_rules(case):
    words, answers, state, history = case
    game = state.game
    rule, mode = game.rule.name, game.mode
    legal = [index for index, word in enumerate(words) if naive.legal(rule, mode, history, word)]
    assert state.legal.tolist() == legal
    possible = [
        index for index, word in enumerate(words[:answers]) if naive.consistent(rule, history, word)
    ]
    assert state.candidates.tolist() == possible
    assert set(possible) <= set(legal)  # a possible answer is legal in every mode


@given(played())
def test_objection_agrees_with_legal(case):
    words, _, state, _ = case
    game = state.game
    legal = set(state.legal.tolist())
    for index in range(len(words)):
        why = objection(game.lexicon, game.rule, game.mode, state.history, index)
        assert (why is None) == (index in legal)
        if why is None:
            assert state.check(index) == index
        else:
            assert "\n" not in why
            with pytest.raises(IllegalGuessError):
                state.check(index)
            with pytest.raises(IllegalGuessError):
                state.after(index, 0)


@given(played([("standard", "hard"), ("present", "hard")]))
def test_checking_the_last_hint_suffices(case):
    """Legal guesses repeat what earlier hints revealed, if the feedback is true."""
    words, _, state, _ = case
    game = state.game
    for index in state.candidates.tolist():
        replayed, rows = game.start(), []
        for guess, _ in state.history:
            pattern = naive.RULES[game.rule.name](words[guess], words[index])
            rows.append((words[guess], pattern))
            replayed = replayed.after(guess, naive.shown(game.rule.name, pattern))
        last_only = [
            number
            for number, word in enumerate(words)
            if naive.legal(game.rule.name, "hard", rows[-1:], word)
        ]
        assert replayed.legal.tolist() == last_only


@given(st.lists(st.integers(0, 2), min_size=2, max_size=8), st.data())
def test_demands(colours, data):
    letters = data.draw(st.lists(st.integers(0, 3), min_size=len(colours), max_size=len(colours)))
    code = sum(colour * 3**index for index, colour in enumerate(colours))
    for counted in (True, False):
        greens, least = demands(letters, code, counted)
        assert greens == {p: letters[p] for p, colour in enumerate(colours) if colour == 2}
        for letter in range(4):
            shown = sum(
                mine == letter and colour > 0 for mine, colour in zip(letters, colours, strict=True)
            )
            assert least.get(letter, 0) == (shown if counted else min(shown, 1))


def test_normal_allows_everything(tiny_game):
    state = after(tiny_game(), CATCH)
    assert np.array_equal(state.legal, np.arange(31))


# ---------------------------------------------------------------------------- refusals


def test_modes():
    assert list(MODES) == ["normal", "hard", "strict"]
    with pytest.raises(UnknownNameError, match=r"unknown mode 'hart'; did you mean 'hard'"):
        check_mode("hart", RULES["standard"])


@pytest.mark.parametrize("rule", RULES)
def test_hard_is_refused_where_there_are_no_tiles(rule):
    if RULES[rule].notation is TILES:
        check_mode("hard", RULES[rule])
    else:
        with pytest.raises(InputError, match=r"mode 'hard' needs a hint for each letter.*'strict'"):
            Game(["12", "21"], rule=rule, mode="hard")
        check_mode("strict", RULES[rule])
