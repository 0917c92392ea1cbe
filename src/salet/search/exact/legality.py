"""Which guesses stay legal after a hint: the only kernels that know of letters.

Hard mode: a hint reveals greens (a letter at a position) and needs (a letter at least so often: its
greens and yellows are counted). The legal guesses are those that have all greens and meet all needs
known so far. Both only grow, so greens and needs identify the legal guesses; their key is a sum of
random numbers, one for each green and one for each unit of need.

Strict mode: a guess is legal if it could be the answer, listed as one or not. The key is a sum of
random numbers over the legal guesses.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import inlined_kernel, lean_kernel
from salet.search.exact.layout import HARD, NORMAL
from salet.search.exact.stack import UNKNOWN


@inlined_kernel
def legal_key_after(layout, stack, level, guess, pattern):
    """The two words of the key that identify the legal guesses after a guess and its pattern; zero
    in normal mode, where all guesses are legal.
    """
    key0, key1 = np.uint64(0), np.uint64(0)
    if layout.mode == NORMAL:
        return key0, key1
    rule = layout.legality
    if layout.mode == HARD:
        key0, key1 = stack.legal_keys[level, 0], stack.legal_keys[level, 1]
        length = rule.letters.shape[1]
        alphabet = rule.need_keys.shape[0] // length
        letters = rule.letters[guess]
        greens, needs = stack.greens[level], stack.needs[level]
        hint = stack.hint
        for i in range(length):
            hint[i] = rule.tiles[pattern, i]
        for i in range(length):
            if hint[i] == 0:
                continue
            letter = np.int64(letters[i])
            if hint[i] == 2 and greens[i] == UNKNOWN:
                key0 += rule.green_keys[i * alphabet + letter, 0]
                key1 += rule.green_keys[i * alphabet + letter, 1]
            times = revealed_times(letters, hint, i)
            if times > needs[letter] and times <= rule.max_count:
                key0 += rule.need_keys[letter * length + times - 1, 0]
                key1 += rule.need_keys[letter * length + times - 1, 1]
        return key0, key1
    row = rule.between[guess]
    legal = stack.legal[level]
    for x in range(stack.frames[level].legal):
        if row[legal[x]] == pattern:
            key0 += rule.guess_keys[legal[x], 0]
            key1 += rule.guess_keys[legal[x], 1]
    return key0, key1


@lean_kernel
def revealed_times(letters, hint, i):
    """How often the letter at position i is green or yellow up to there."""
    times = 0
    for j in range(i + 1):
        if hint[j] > 0 and letters[j] == letters[i]:
            times += 1
    return times


@inlined_kernel
def narrow_legal(layout, stack, level):
    """Fill in the legal guesses of a level from those of the level below and the hint between."""
    rule = layout.legality
    frame = stack.frames[level]
    before, legal = stack.legal[level - 1], stack.legal[level]
    count = stack.frames[level - 1].legal
    kept = np.int64(0)
    if layout.mode == HARD:
        apply_hint(layout, stack, level)
        bits = stack.legal_bits
        for x in range(count):
            g = np.uint64(before[x])
            legal[kept] = before[x]
            kept += np.int64((bits[g >> np.uint64(6)] >> (g & np.uint64(63))) & np.uint64(1))
    else:
        row = rule.between[frame.played]
        for x in range(count):
            g = before[x]
            legal[kept] = g
            kept += np.int64(row[g] == frame.pattern)
    frame.legal = kept


@inlined_kernel
def apply_hint(layout, stack, level):
    """Hard mode: greens, needs and key of a level, and into `legal_bits` the guesses that meet what
    is new."""
    rule, frame, bits = layout.legality, stack.frames[level], stack.legal_bits
    length = rule.letters.shape[1]
    alphabet = rule.need_keys.shape[0] // length
    words = bits.shape[0]
    letters = rule.letters[frame.played]
    key0, key1 = legal_key_after(layout, stack, level - 1, frame.played, frame.pattern)
    stack.legal_keys[level, 0], stack.legal_keys[level, 1] = key0, key1
    greens, needs, hint = stack.greens[level], stack.needs[level], stack.hint
    for i in range(length):
        greens[i] = stack.greens[level - 1, i]
        hint[i] = rule.tiles[frame.pattern, i]
    for x in range(alphabet):
        needs[x] = stack.needs[level - 1, x]
    for w in range(words):
        bits[w] = ~np.uint64(0)
    for i in range(length):
        if hint[i] == 0:
            continue
        letter = np.int64(letters[i])
        if hint[i] == 2 and greens[i] == UNKNOWN:
            greens[i] = letter
            mask = rule.green_bits[i * alphabet + letter]
            for w in range(words):
                bits[w] &= mask[w]
        times = revealed_times(letters, hint, i)
        if times > needs[letter] and times <= rule.max_count:
            needs[letter] = times
            mask = rule.need_bits[letter * length + times - 1]
            for w in range(words):
                bits[w] &= mask[w]
