"""Observations and rewards against their obvious versions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import naive
import naive_env
from salet import Game
from salet.env.observations import OBSERVATIONS, observation_named
from salet.env.rewards import REWARDS, Reward, earned, forfeit, reward_named
from salet.env.rulebook import Histories, draw_candidates, legal_masks, masks_after, rulebook
from salet.errors import InputError, UnknownNameError
from salet.game.modes import narrow

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


@st.composite
def histories(draw, modes=("normal",)):
    """A small game, a few guesses made against one answer, as arrays and plainly."""
    words, answers = draw(drawn.split_lists(least=3, most=14, lengths=(3, 6), letters=7))
    spelled = drawn.spelled(words)
    rule = draw(st.sampled_from(["standard", "present"]))
    game = Game(spelled[:answers], spelled, rule=rule, mode=draw(st.sampled_from(modes)), cap=4)
    answer = draw(st.integers(0, answers - 1))
    state = game.start()
    arrays = Histories.blank(1, 4)
    plain = []
    for turn in range(draw(st.integers(0, 4))):
        guess = draw(st.sampled_from(state.legal.tolist()))
        pattern = int(game.table[guess, answer])
        arrays.guesses[0, turn], arrays.patterns[0, turn] = guess, pattern
        state = state.after(guess, pattern)
        letters = tuple(int(letter) for letter in game.lexicon.codes[guess])
        plain.append((letters, naive.RULES[rule](words[guess], words[answer])))
    arrays.turns[0] = len(plain)
    return game, state, arrays, plain


@given(histories())
def test_features_are_those_of_the_specification(case):
    game, _, arrays, plain = case
    book = rulebook(game)
    sizes = len(game.lexicon.alphabet), game.length, 4
    seen = observation_named("classic-313+counts-313+history", book).of(arrays)[0].tolist()
    classic = naive_env.classic(plain, *sizes)
    mended = naive_env.counts(plain, *sizes, game.rule.counts_letters)
    tiles = [
        1 + 3 * letter + colour
        for word, colours in plain
        for letter, colour in zip(word, colours, strict=True)
    ]
    tiles += [0] * (4 * game.length - len(tiles))
    assert seen == pytest.approx([*classic, *mended, *tiles])


@given(histories())
def test_candidate_statistics(case):
    game, state, arrays, _ = case
    seen = observation_named("candidates", rulebook(game)).of(arrays)[0].tolist()
    size, n = len(game.lexicon.alphabet), len(state.candidates)
    words = [tuple(map(int, game.lexicon.codes[place])) for place in state.candidates]
    bits = math.log(n) / math.log(max(game.answer_count, 2))
    shares = naive_env.statistics(words, size, game.length)
    assert seen == pytest.approx([*shares, bits, 1 / n, (4 - state.turn) / 4], abs=1e-6)


@given(histories(), st.floats(0, 0.999))
def test_drawn_candidates_are_candidates(case, share):
    game, state, arrays, _ = case
    chosen = np.zeros(1, np.int32)
    draw_candidates(rulebook(game), arrays, np.array([share]), chosen)
    assert chosen[0] == state.candidates[int(share * len(state.candidates))]


@given(histories(("normal", "hard", "strict")))
def test_masks_are_what_the_state_allows(case):
    game, state, arrays, _ = case
    assert np.array_equal(np.flatnonzero(legal_masks(game, arrays)[0]), state.legal)


@st.composite
def any_turns(draw):
    """A hard or strict game and turns that need not fit each other, nor be legal or possible."""
    words, answers = draw(drawn.split_lists(least=3, most=14, lengths=(3, 6), letters=4))
    spelled = drawn.spelled(words)
    rule = draw(st.sampled_from(["standard", "present"]))
    game = Game(
        spelled[:answers], spelled, rule=rule, mode=draw(st.sampled_from(["hard", "strict"]))
    )
    pair = st.tuples(st.integers(0, len(words) - 1), st.integers(0, answers - 1))
    turns = [(g, int(game.table[g, a])) for g, a in draw(st.lists(pair, max_size=4))]
    anything = st.tuples(st.integers(0, len(words) - 1), st.integers(0, game.compiled.patterns - 1))
    return game, [*turns, *draw(st.lists(anything, max_size=1))]


@given(any_turns())
def test_masks_are_what_narrow_keeps(case):
    """All at once and turn by turn, on words with repeated letters."""
    game, turns = case
    arrays = Histories.blank(2, 5)  # the second game stays at its start
    legal = np.arange(len(game.lexicon), dtype=np.int32)
    kept = legal_masks(game, arrays)
    assert kept.all()
    for turn, (guess, pattern) in enumerate(turns):
        arrays.guesses[0, turn], arrays.patterns[0, turn] = guess, pattern
        arrays.turns[0] = turn + 1
        code = game.compiled.code(pattern)
        legal = narrow(game.lexicon, game.rule, game.mode, legal, guess, code)
        before = kept.copy()
        later = masks_after(game, arrays, kept)
        assert np.array_equal(kept, before)  # masks that were handed out stay as they are
        kept = masks_after(game, arrays, later)
        assert np.array_equal(kept, later)
        assert np.array_equal(np.flatnonzero(kept[0]), legal)
        assert kept[1].all()
        assert np.array_equal(legal_masks(game, arrays), kept)
    arrays.turns[0] = 0
    assert masks_after(game, arrays, kept).all()


@pytest.mark.parametrize("name", [*REWARDS, "own"])
@given(case=histories())
def test_giving_up_never_beats_losing(name, case):
    """By a forbidden guess at any turn of a lost game; with `guesses` both are cap + 1."""
    game, state, arrays, plain = case
    if state.won or len(plain) < 4:
        return
    reward = reward_named(Reward(-2, 3, -5, -7, 11, -13) if name == "own" else name)
    book = rulebook(game)
    earnings = [float(earned(book, reward, arrays, 0, turn)) for turn in range(4)]
    for turn in range(4):
        given_up = sum(earnings[:turn]) + float(forfeit(book, reward, turn))
        assert given_up <= sum(earnings) + 1e-9
        if name == "guesses":
            assert given_up == sum(earnings) == -5


@pytest.mark.parametrize("name", [*REWARDS, "own"])
@given(case=histories())
def test_rewards_are_those_of_the_scheme(name, case):
    game, state, arrays, plain = case
    if not plain:
        return
    reward = reward_named(Reward(-2, 3, 5, 7, 11, 13) if name == "own" else name)
    won = state.won
    expected = naive_env.reward(plain, won, not won and len(plain) == 4, *reward)
    assert earned(rulebook(game), reward, arrays, 0, len(plain) - 1) == pytest.approx(expected)


def test_founding_sizes(tiny_game):
    book = rulebook(tiny_game(cap=6), tuple("abcdefghijklmnopqrstuvwxyz"))
    widths = {name: observation_named(name, book).width for name in OBSERVATIONS}
    assert widths == {"classic-313": 313, "counts-313": 313, "candidates": 159, "history": 30}
    assert observation_named("counts-313+candidates", book).width == 472


def test_the_founding_agents_flaw_is_kept_and_mended(tiny_game):
    """geese against terse: the grey e tells that there are but two, and both are green; the
    original then marks the green places as "no", and no others."""
    game = tiny_game(cap=6)
    alphabet = tuple("abcdefghijklmnopqrstuvwxyz")
    book = rulebook(game, alphabet)
    arrays = Histories.blank(1, 6)
    guess, answer = game.index("geese"), game.answer_index("terse")
    arrays.guesses[0, 0], arrays.patterns[0, 0] = guess, game.table[guess, answer]
    arrays.turns[0] = 1
    e = 52 + 10 * alphabet.index("e")
    assert game.feedback("geese", "terse") == "BGBGG"
    founding = observation_named("classic-313", book).of(arrays)[0]
    assert founding[e : e + 10].tolist() == [0, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    mended = observation_named("counts-313", book).of(arrays)[0]
    assert mended[e : e + 10].tolist() == [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]
    assert mended[alphabet.index("e")] == pytest.approx(3 / 5)
    assert mended[26 + alphabet.index("e")] == 2


@pytest.mark.parametrize("name", ["classic", "counts-313+", "tiles"])
def test_unknown_observation(tiny_game, name):
    with pytest.raises(UnknownNameError, match="unknown observation"):
        observation_named(name, rulebook(tiny_game(cap=6)))


def test_no_name_at_all(tiny_game):
    with pytest.raises(InputError, match="observation None is no name; known: classic-313"):
        observation_named(None, rulebook(tiny_game(cap=6)))
    for given_ in ({"step": -1}, (-1, 0), None):
        with pytest.raises(InputError, match=r"is no scheme; give a name \(guesses"):
            reward_named(given_)
    with pytest.raises(InputError, match="its rewards are numbers"):
        reward_named(Reward(step="cheap"))


def test_unknown_reward():
    with pytest.raises(UnknownNameError, match="did you mean 'founding'"):
        reward_named("foundin")


def test_no_tiles_no_agent():
    with pytest.raises(InputError, match="gives no hint for each letter"):
        rulebook(Game.named("mastermind:2x3"))


def test_letters_outside_the_alphabet(tiny_game):
    with pytest.raises(InputError, match="has the letter 'g'"):
        rulebook(tiny_game(), tuple("abcdef"))
