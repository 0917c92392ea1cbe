"""Modes: which guesses are legal after a history of hints.

normal   every listed guess
hard     as in the real game: greens stay, and every letter that was green or yellow is used at
         least as often as it was revealed; greys may be reused. It suffices to check the last
         hint, because a legal guess repeats what earlier hints revealed.
strict   every listed guess that is consistent with all hints, whether it is an answer or not
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from salet.array_types import Codes, Indices
from salet.errors import InputError, UnknownNameError
from salet.game.feedback import Rule
from salet.game.lexicon import Lexicon
from salet.game.notation import GREEN, GREY, TILES, tiles
from salet.numeric.jit import kernel

MODES: Mapping[str, str] = MappingProxyType(
    {
        "normal": "every listed guess",
        "hard": "revealed hints must be used, as in the real game",
        "strict": "only guesses that fit all feedback so far",
    }
)


def check_mode(mode: str, rule: Rule) -> None:
    """Raise an error for an unknown mode, or one that the feedback rule cannot support."""
    if mode not in MODES:
        raise UnknownNameError("mode", mode, MODES)
    if mode == "hard" and rule.notation is not TILES:
        raise InputError(
            f"mode 'hard' needs a hint for each letter, which rule {rule.name!r} does not give; "
            "use 'normal' or 'strict'"
        )


def demands(
    letters: Sequence[int], code: int, counts_letters: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """What hard mode demands after a hint: {position: letter} and {letter: minimum count}."""
    greens: dict[int, int] = {}
    minimum: dict[int, int] = {}
    for position, colour in enumerate(tiles(code, len(letters))):
        letter = letters[position]
        if colour == GREEN:
            greens[position] = letter
        if colour != GREY:
            minimum[letter] = minimum.get(letter, 0) + 1 if counts_letters else 1
    return greens, minimum


@kernel
def _keep_hard(
    words: Codes, counts: Codes, legal: Indices, greens: Indices, minimum: Indices
) -> Indices:
    """The legal guesses that meet the demands, given as rows of `greens` and `minimum`."""
    kept = np.empty_like(legal)
    n = 0
    for g in legal:
        fits = True
        for k in range(greens.shape[0]):
            fits &= words[greens[k, 0], g] == greens[k, 1]
        for k in range(minimum.shape[0]):
            fits &= counts[minimum[k, 0], g] >= minimum[k, 1]
        if fits:
            kept[n] = g
            n += 1
    return kept[:n].copy()


def narrow(
    lexicon: Lexicon, rule: Rule, mode: str, legal: Indices, guess: int, code: int
) -> Indices:
    """The legal guesses that remain legal after one more hint."""
    if mode == "normal":
        return legal
    if mode == "hard":
        letters = [int(letter) for letter in lexicon.codes[guess]]
        greens, minimum = (
            np.array(list(demanded.items()), np.int32).reshape(-1, 2)
            for demanded in demands(letters, code, rule.counts_letters)
        )
        return _keep_hard(lexicon.by_position, lexicon.counts, legal, greens, minimum)
    as_answers = np.zeros((1, len(lexicon)), np.uint32)
    rule.fill(lexicon.codes[guess : guess + 1], lexicon.by_position, lexicon.counts, as_answers)
    fits: Indices = legal[as_answers[0, legal] == code]
    return fits


def objection(
    lexicon: Lexicon, rule: Rule, mode: str, history: Sequence[tuple[int, int]], guess: int
) -> str | None:
    """Why the mode forbids a guess after a history of (guess, code); None if it allows it."""
    if mode == "normal":
        return None
    word = lexicon.words[guess]
    for earlier, code in history:
        hint = f"{lexicon.words[earlier]} {rule.notation.format(code, lexicon.length)}"
        if mode == "hard":
            letters = [int(letter) for letter in lexicon.codes[earlier]]
            greens, minimum = demands(letters, code, rule.counts_letters)
            for position, letter in greens.items():
                if lexicon.codes[guess, position] != letter:
                    sign = lexicon.alphabet[letter].upper()
                    return f"hard mode: letter {position + 1} must be {sign} (after {hint})"
            for letter, count in minimum.items():
                if lexicon.counts[letter, guess] < count:
                    sign = lexicon.alphabet[letter].upper()
                    times = "" if count == 1 else f" {count} times"
                    return f"hard mode: {word!r} must contain {sign}{times} (after {hint})"
        elif mode == "strict" and rule.code(*_keys(lexicon, earlier, guess)) != code:
            return f"strict mode: {word!r} cannot be the answer after {hint}"
    return None


def _keys(lexicon: Lexicon, *indices: int) -> list[str]:
    return ["".join(lexicon.alphabet[c] for c in lexicon.codes[index]) for index in indices]
