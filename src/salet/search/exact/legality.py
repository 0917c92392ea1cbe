"""Which guesses stay legal after a hint: the only kernels that know of letters.

Hard mode: a hint fixes greens (a letter at a position) and needs (a letter at least so often, its
green and yellow count). The legal guesses are those that have all greens and meet all needs known
so far; both only grow, so the pair (greens, needs) identifies the legal set, and its key is a sum
of random numbers, one for each green and each unit of need. Strict mode: a guess is legal if it
could be the answer, whatever the answer list says; the key is a sum over legal guesses.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.model import HARD, LEGAL, NORMAL, PATTERN, PLAYED

NONE = 255
"""No green known at this position."""


@lean_kernel
def child_key(game, stack, level, guess, pattern):
    """The part of a child's key that identifies its legal guesses (zero in normal mode: always
    all).
    """
    if game.mode == NORMAL:
        return np.uint64(0), np.uint64(0)
    rule = game.legality
    key0, key1 = np.uint64(0), np.uint64(0)
    if game.mode == HARD:
        key0, key1 = stack.legal_key[level, 0], stack.legal_key[level, 1]
        length = rule.codes.shape[1]
        letters = rule.need_keys.shape[0] // length
        code = rule.codes[guess]
        green, need = stack.green[level], stack.need[level]
        hints = stack.hint
        for i in range(length):
            hints[i] = rule.digits[pattern, i]
        for i in range(length):
            if hints[i] == 0:
                continue
            letter = np.int64(code[i])
            if hints[i] == 2 and green[i] == NONE:
                key0 += rule.green_keys[i * letters + letter, 0]
                key1 += rule.green_keys[i * letters + letter, 1]
            times = 0
            for j in range(i + 1):
                if hints[j] > 0 and code[j] == letter:
                    times += 1
            if times > need[letter] and times <= rule.most:
                key0 += rule.need_keys[letter * length + times - 1, 0]
                key1 += rule.need_keys[letter * length + times - 1, 1]
        return key0, key1
    row = rule.full[guess]
    legal = stack.legal[level]
    for x in range(stack.frame[level, LEGAL]):
        if row[legal[x]] == pattern:
            key0 += rule.guess_keys[legal[x], 0]
            key1 += rule.guess_keys[legal[x], 1]
    return key0, key1


@lean_kernel
def child_legal(game, stack, level):
    """Fill in what is legal on a level, from the level below it and the hint between them."""
    rule = game.legality
    frame = stack.frame[level]
    guess, pattern = frame[PLAYED], frame[PATTERN]
    before, legal = stack.legal[level - 1], stack.legal[level]
    count = stack.frame[level - 1, LEGAL]
    kept = np.int64(0)
    if game.mode == HARD:
        length = rule.codes.shape[1]
        letters = rule.need_keys.shape[0] // length
        code = rule.codes[guess]
        green, need, bits = stack.green[level], stack.need[level], stack.bits[level]
        words = bits.shape[0]
        key0, key1 = child_key(game, stack, level - 1, guess, pattern)
        stack.legal_key[level, 0], stack.legal_key[level, 1] = key0, key1
        for i in range(length):
            green[i] = stack.green[level - 1, i]
        for i in range(letters):
            need[i] = stack.need[level - 1, i]
        for w in range(words):
            bits[w] = ~np.uint64(0)
        hints = stack.hint
        for i in range(length):
            if hints[i] == 0:
                continue
            letter = np.int64(code[i])
            if hints[i] == 2 and green[i] == NONE:
                green[i] = letter
                mask = rule.green_bits[i * letters + letter]
                for w in range(words):
                    bits[w] &= mask[w]
            times = 0
            for j in range(i + 1):
                if hints[j] > 0 and code[j] == letter:
                    times += 1
            if times > need[letter] and times <= rule.most:
                need[letter] = times
                mask = rule.need_bits[letter * length + times - 1]
                for w in range(words):
                    bits[w] &= mask[w]
        for x in range(count):
            g = np.uint64(before[x])
            legal[kept] = before[x]
            kept += np.int64((bits[g >> np.uint64(6)] >> (g & np.uint64(63))) & np.uint64(1))
    else:
        row = rule.full[guess]
        for x in range(count):
            g = before[x]
            legal[kept] = g
            kept += np.int64(row[g] == pattern)
    frame[LEGAL] = kept
