"""How a letter of a guess relates to an answer, as a small number.

The relation of position p of a guess to an answer counts equal letters and nothing else. With x the
guess's letter at p:

    hit        whether the answer has x at p
    elsewhere  other positions of the answer that have x (0, 1, 2 or more)
    spent      other positions where guess and answer both have x (0, 1, 2 or more)
    earlier    positions before p where the guess has x and the answer does not (0, 1, 2 or more)

Letters are compared and never named, so whatever is learned about relations holds for every
alphabet and every length. Which relations look alike to the player is not known here: that is what
the network learns.
"""

from __future__ import annotations

from salet.array_types import Codes, Indices, Ints
from salet.numeric.jit import kernel, lean_kernel

RELATIONS = 54
"""number of relations"""
MATCHES, SHARED = 5, 6
"""equal positions (0 to 4 or more) and shared letters (0 to 5 or more) of two words"""
SIMILARITIES = MATCHES * SHARED


@lean_kernel
def relation(guess: Codes | Ints, answer: Codes, p: int) -> int:
    """The relation of position `p` of a guess to an answer."""
    letter = guess[p]
    elsewhere = 0
    spent = 0
    earlier = 0
    for q in range(guess.shape[0]):
        if q != p:
            if answer[q] == letter:
                elsewhere += 1
            if guess[q] == letter:
                if answer[q] == letter:
                    spent += 1
                elif q < p:
                    earlier += 1
    hit = 27 if answer[p] == letter else 0
    return hit + 9 * min(elsewhere, 2) + 3 * min(spent, 2) + min(earlier, 2)


@kernel
def fill_relations(codes: Codes, words: Indices, guesses: Indices, out: Codes) -> None:
    """out[i, k, p]: the relation of position p of `guesses[i]` to `words[i, k]`."""
    for i in range(words.shape[0]):
        for k in range(words.shape[1]):
            for p in range(codes.shape[1]):
                out[i, k, p] = relation(codes[guesses[i]], codes[words[i, k]], p)


@lean_kernel
def similarity(one: Codes, other: Codes) -> int:
    """How alike two words are: equal positions and shared letters, each up to its maximum."""
    matches = 0
    shared = 0
    for p in range(one.shape[0]):
        if one[p] == other[p]:
            matches += 1
        in_one = 0  # occurrences of this letter up to p in one word, and anywhere in the other
        in_other = 0
        for q in range(one.shape[0]):
            if q <= p and one[q] == one[p]:
                in_one += 1
            if other[q] == one[p]:
                in_other += 1
        if in_one <= in_other:
            shared += 1
    return min(matches, 4) * 6 + min(shared, 5)
