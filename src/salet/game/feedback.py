"""Feedback rules: what the game answers to a guess.

A rule is a kernel that fills `out[guess, answer]` with pattern codes, and a notation, which
writes codes as text. The winning pattern has the largest code.

A new rule takes one kernel and one line in `RULES`. The kernel's arguments are

    guesses[guess, position]   letters of the guesses, as codes
    answers[position, answer]  letters of the answers: one row per position, so that the inner
                               loop runs over adjacent answers and becomes SIMD code
    counts[letter, answer]     number of occurrences of the letter in the answer
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
from salet.game.lexicon import encode, graphemes, key, letter_count
from salet.game.notation import PEGS, TILES, Notation
from salet.numeric.jit import kernel, lean_kernel, plain

Fill = Callable[[Codes, Codes, Codes, Patterns], None]


# The inner loops are functions of their own, with every operand in the narrow type of the table:
# otherwise the compiler does not vectorise them (3 instead of 0.3 ns per pair).


@lean_kernel
def _add_present(row: Patterns, here: Codes, anywhere: Codes, letter: Any, yellow: Any) -> None:
    """Add the tile of one position to the pattern of every answer."""
    for a in range(row.shape[0]):
        row[a] += yellow * (row.dtype.type(anywhere[a] > 0) + row.dtype.type(here[a] == letter))


@lean_kernel
def _copy(to: Codes, source: Codes) -> None:
    """Copy a row."""
    for a in range(to.shape[0]):
        to[a] = source[a]


@lean_kernel
def _match(unmatched: Codes, here: Codes, letter: Any) -> None:
    """Where an answer has the letter at this position, one occurrence fewer is unmatched."""
    for a in range(unmatched.shape[0]):
        unmatched[a] -= np.uint8(here[a] == letter)


@lean_kernel
def _add_counted(row: Patterns, here: Codes, unmatched: Codes, letter: Any, yellow: Any) -> None:
    """Add the tile of one position; a yellow uses up an unmatched occurrence of the letter."""
    for a in range(row.shape[0]):
        green = np.uint8(here[a] == letter)
        claim = np.uint8(unmatched[a] > green * unmatched[a])
        row[a] += yellow * row.dtype.type(green + green + claim)
        unmatched[a] -= claim


@lean_kernel
def fill_present(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Green if the letter matches, else yellow if it occurs anywhere in the answer."""
    for g in range(guesses.shape[0]):
        yellow = 1
        for i in range(guesses.shape[1]):
            letter = guesses[g, i]
            _add_present(out[g], answers[i], counts[letter], letter, out.dtype.type(yellow))
            yellow *= 3


@kernel
def fill_standard(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Wordle's rule: greens first; then, left to right, yellow while unmatched letters last."""
    unmatched = np.zeros((guesses.shape[1], out.shape[1]), np.uint8)
    fill_standard_with(guesses, answers, counts, out, unmatched)


@lean_kernel
def fill_standard_with(
    guesses: Codes, answers: Codes, counts: Codes, out: Patterns, unmatched: Codes
) -> None:
    """`fill_standard` with its scratch `unmatched[position, answer]`.

    A letter that occurs once in the guess is yellow if it occurs elsewhere in the answer, as under
    `present`. Only repeated letters need the number of unmatched occurrences: `unmatched` has a
    row for each of them, indexed by the first position of the letter in the guess.
    """
    length = guesses.shape[1]
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
                    _copy(unmatched[i], counts[letter])
                    for j in range(i, length):
                        if guesses[g, j] == letter:
                            _match(unmatched[i], answers[j], letter)
                _add_counted(out[g], answers[i], unmatched[first], letter, out.dtype.type(yellow))
            yellow *= 3


@kernel
def fill_pegs(guesses: Codes, answers: Codes, counts: Codes, out: Patterns) -> None:
    """Mastermind: black = right position, white = right symbol elsewhere, each peg counted once."""
    fill_pegs_with(guesses, answers, counts, out, np.zeros((2, out.shape[1]), np.int16))


@lean_kernel
def fill_pegs_with(guesses: Codes, answers: Codes, counts: Codes, out: Patterns, pegs: Any) -> None:
    """`fill_pegs` with its scratch `pegs[2, answer]`: black pegs, and black and white ones.

    The pairs (black, white) with black + white <= length are numbered row by row:
    code = white + sum over b < black of (length + 1 - b).
    """
    n = out.shape[1]
    length = guesses.shape[1]
    black, both = pegs[0], pegs[1]
    for g in range(guesses.shape[0]):
        for a in range(n):
            black[a] = 0
            both[a] = 0
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
    """A feedback rule: how patterns are computed and written."""

    name: str
    fill: Fill
    notation: Notation
    counts_letters: bool
    """whether hints reveal how often a letter occurs; hard mode then requires as many"""
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
    """The rule of that name."""
    try:
        return RULES[name]
    except KeyError:
        raise UnknownNameError("rule", name, RULES) from None


def score(guess: str, answer: str, rule: str = "standard") -> str:
    """The feedback to a guess as text: G, Y and B tiles, or the counts of pegs.

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
            f"{guess!r} has {letter_count(lengths[0])} and {answer!r} has {lengths[1]}; "
            "guess and answer must have the same length"
        )
    return chosen.notation.format(chosen.code(*keys), lengths[0])
