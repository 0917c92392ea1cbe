"""Feedback rules: what the game answers to a guess.

A rule is one kernel that fills `out[guess, answer]` with pattern codes, and a notation, which
says how a code reads. The winning pattern has the greatest code of all.

A rule of one's own is one kernel and one line in `RULES`. It is given

    guesses[guess, position]   letters of the guesses, as codes
    answers[position, answer]  letters of the answers: one row per position, so that the inner
                               loop runs over answers side by side and becomes SIMD code
    counts[letter, answer]     how often the letter occurs in the answer
    out[guess, answer]         zeros, of the smallest unsigned type that holds every code
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from salet.array_types import Codes, Patterns
from salet.errors import InputError, UnknownNameError
from salet.game.lexicon import encode, graphemes, key
from salet.game.notation import PEGS, TILES, Notation
from salet.numeric.jit import kernel, plain

Fill = Callable[[Codes, Codes, Codes, Patterns], None]


# The inner loops are functions of their own, with every operand in the narrow type of the table:
# only so does the compiler turn them into SIMD code (0.3 instead of 3 ns a pair).


@kernel
def _add_present(row: Patterns, here: Codes, anywhere: Codes, letter: Any, yellow: Any) -> None:
    """Add one position's tile for every answer."""
    for a in range(row.shape[0]):
        row[a] += yellow * (row.dtype.type(anywhere[a] > 0) + row.dtype.type(here[a] == letter))


@kernel
def _match(unmatched: Codes, here: Codes, letter: Any) -> None:
    """Take the answers that have the letter right here off their unmatched occurrences."""
    for a in range(unmatched.shape[0]):
        unmatched[a] -= np.uint8(here[a] == letter)


@kernel
def _add_counted(row: Patterns, here: Codes, unmatched: Codes, letter: Any, yellow: Any) -> None:
    """Add one position's tile; a yellow claims one of the answer's unmatched occurrences."""
    for a in range(row.shape[0]):
        green = np.uint8(here[a] == letter)
        claim = np.uint8(unmatched[a] > green * unmatched[a])
        row[a] += yellow * row.dtype.type(green + green + claim)
        unmatched[a] -= claim


@kernel
def fill_present(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Green where the letter matches, else yellow where it occurs anywhere: no counting."""
    for g in range(guesses.shape[0]):
        yellow = 1
        for i in range(guesses.shape[1]):
            letter = guesses[g, i]
            _add_present(out[g], answers[i], counts[letter], letter, out.dtype.type(yellow))
            yellow *= 3


@kernel
def fill_standard(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Wordle's rule: greens first; then, left to right, yellow while unmatched letters last.

    A letter that stands once in the guess is yellow just when it occurs elsewhere in the answer,
    as under `present`. Only repeated letters need the count of unmatched occurrences, one row
    of counts for each distinct letter: it is set up where the letter first stands.
    """
    length = guesses.shape[1]
    unmatched = np.zeros((length, out.shape[1]), np.uint8)
    for g in range(guesses.shape[0]):
        yellow = 1
        for i in range(length):
            letter = guesses[g, i]
            first, last = i, i
            for j in range(length):
                if guesses[g, j] == letter:
                    first = min(first, j)
                    last = max(last, j)
            if first == last:
                _add_present(out[g], answers[i], counts[letter], letter, out.dtype.type(yellow))
            else:
                if first == i:
                    unmatched[i] = counts[letter]
                    for j in range(i, length):
                        if guesses[g, j] == letter:
                            _match(unmatched[i], answers[j], letter)
                _add_counted(out[g], answers[i], unmatched[first], letter, out.dtype.type(yellow))
            yellow *= 3


@kernel
def fill_pegs(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Mastermind: black = right place, white = right symbol elsewhere, each peg counted once.

    The pairs (black, white) with black + white <= length are numbered row by row:
    code = white + sum over b < black of (length + 1 - b).
    """
    n = out.shape[1]
    length = guesses.shape[1]
    black = np.zeros(n, np.int16)
    both = np.zeros(n, np.int16)
    for g in range(guesses.shape[0]):
        black[:] = 0
        both[:] = 0
        for i in range(length):
            letter = guesses[g, i]
            here = answers[i]
            for a in range(n):
                black[a] += np.int16(here[a] == letter)
            in_guess = 0
            is_first = True
            for j in range(length):
                if guesses[g, j] == letter:
                    in_guess += 1
                    is_first &= j >= i
            if is_first:
                anywhere = counts[letter]
                for a in range(n):
                    both[a] += np.int16(min(in_guess, anywhere[a]))
        for a in range(n):
            b = black[a]
            before = b * (length + 1) - b * (b - 1) // 2
            out[g, a] = before + both[a] - b


@dataclass(frozen=True)
class Rule:
    """A feedback rule: how patterns are computed, and how they read."""

    name: str
    fill: Fill
    notation: Notation
    counts_letters: bool
    """does a hint say how often a letter occurs (hard mode then asks for as many)?"""
    summary: str

    def code(self, guess: str, answer: str) -> int:
        """The pattern code of one pair of words."""
        pair = encode([guess, answer]) if guess != answer else encode([guess])
        out = np.zeros((1, 1), np.uint32)
        last = slice(-1, None)
        args = (pair.codes[:1], pair.by_position[:, last], pair.counts[:, last], out)
        plain(self.fill)(*args)
        return int(out[0, 0])


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            Rule("standard", fill_standard, TILES, True, "Wordle: repeated letters are counted"),
            Rule("present", fill_present, TILES, False, "yellow if the letter occurs anywhere"),
            Rule("pegs", fill_pegs, PEGS, True, "Mastermind: black and white pegs"),
        )
    }
)


def rule_named(name: str) -> Rule:
    """The rule of that name, or an error that suggests one."""
    try:
        return RULES[name]
    except KeyError:
        raise UnknownNameError("rule", name, RULES) from None


def score(guess: str, answer: str, rule: str = "standard") -> str:
    """The feedback to a guess, as text: G, Y and B tiles, or the counts of pegs.

    >>> score("error", "heron")
    'YBGGB'
    >>> score("1122", "1212", rule="pegs")
    '2,2'
    """
    chosen = rule_named(rule)
    keys = key(guess.strip()), key(answer.strip())
    lengths = [len(graphemes(word)) for word in keys]
    if lengths[0] != lengths[1]:
        raise InputError(
            f"{guess!r} has {lengths[0]} letters and {answer!r} has {lengths[1]}; "
            "guess and answer have the same length"
        )
    return chosen.notation.format(chosen.code(*keys), lengths[0])
