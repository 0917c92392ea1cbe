"""Hypothesis strategies for histories of small word games, as arrays and plainly."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import drawn
import naive
from salet import Game
from salet.env.game_arrays import Histories

CAP = 4


@st.composite
def histories(draw: st.DrawFn, modes: tuple[str, ...] = ("normal",)) -> Any:
    """A small game, its state after a few legal guesses at one answer, the history as arrays, and
    as a list of (letters, colours)."""
    words, answers = draw(drawn.split_lists(least=3, most=14, lengths=(3, 6), letters=7))
    spelled = drawn.spelled(words)
    rule = draw(st.sampled_from(["standard", "present"]))
    game = Game(spelled[:answers], spelled, rule=rule, mode=draw(st.sampled_from(modes)), cap=CAP)
    answer = draw(st.integers(0, answers - 1))
    state = game.start()
    arrays = Histories.empty(1, CAP)
    plain = []
    for turn in range(draw(st.integers(0, CAP))):
        guess = draw(st.sampled_from(state.legal.tolist()))
        pattern = int(game.table[guess, answer])
        arrays.guesses[0, turn], arrays.patterns[0, turn] = guess, pattern
        state = state.after(guess, pattern)
        letters = tuple(int(letter) for letter in game.lexicon.codes[guess])
        plain.append((letters, naive.RULES[rule](words[guess], words[answer])))
    arrays.turns[0] = len(plain)
    return game, state, arrays, plain


@st.composite
def any_turns(draw: st.DrawFn) -> Any:
    """A hard or strict game and turns that need be neither consistent, legal nor possible."""
    words, answers = draw(drawn.split_lists(least=3, most=14, lengths=(3, 6), letters=4))
    spelled = drawn.spelled(words)
    rule = draw(st.sampled_from(["standard", "present"]))
    mode = draw(st.sampled_from(["hard", "strict"]))
    game = Game(spelled[:answers], spelled, rule=rule, mode=mode)
    guess = st.integers(0, len(words) - 1)
    pairs = draw(st.lists(st.tuples(guess, st.integers(0, answers - 1)), max_size=4))
    turns = [(g, int(game.table[g, a])) for g, a in pairs]
    anything = st.tuples(guess, st.integers(0, game.compiled.patterns - 1))
    return game, [*turns, *draw(st.lists(anything, max_size=1))]
