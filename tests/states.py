"""Hypothesis strategies for states of small games."""

from __future__ import annotations

from hypothesis import strategies as st

import drawn
import naive
from salet import Game
from salet.game.feedback import RULES
from salet.game.modes import MODES

PAIRS = [(rule, mode) for rule in RULES for mode in MODES if (rule, mode) != ("pegs", "hard")]
"""every rule with every mode that it supports"""


@st.composite
def states(draw, most=16):
    """A state of a small game of any rule and mode, and its words as letters."""
    rule, mode = draw(st.sampled_from(PAIRS))
    words, answers = draw(drawn.split_lists(least=3, most=most, lengths=(3, 6), letters=6))
    spelled = drawn.spelled(words)
    state = Game(spelled[:answers], spelled, rule=rule, mode=mode).start()
    for _ in range(draw(st.integers(0, 2))):
        guess = draw(st.sampled_from(state.legal.tolist()))
        groups = state.groups(guess)
        state = groups[draw(st.sampled_from(sorted(groups)))]
    return words, state


def sizes_of(words, state, guess):
    """Sizes of the groups that the guess makes, counted plainly."""
    answers = [words[place] for place in state.candidates]
    return [
        len(group) for group in naive.groups(state.game.rule.name, words[guess], answers).values()
    ]
