"""Modes: which guesses are legal after a history of hints.

normal   every listed guess
hard     the real game's: greens stay, and every letter that was green or yellow is used at least
         as often as it was revealed; greys may be reused. The last hint is enough, because a
         legal guess makes earlier hints appear again.
strict   every listed guess that could be the answer as far as the hints tell, answer or not
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
    """Refuse an unknown mode, or one that the feedback rule cannot support."""
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
    """What hard mode asks after a hint: letters that must stay in place, and least counts."""
    greens: dict[int, int] = {}
    least: dict[int, int] = {}
    for position, colour in enumerate(tiles(code, len(letters))):
        letter = letters[position]
        if colour == GREEN:
            greens[position] = letter
        if colour != GREY:
            least[letter] = least.get(letter, 0) + 1 if counts_letters else 1
    return greens, least


@kernel
def _keep_hard(
    words: Codes, counts: Codes, legal: Indices, greens: Indices, least: Indices
) -> Indices:
    """The legal guesses g with words[i, g] = letter for all greens and enough of each letter."""
    kept = np.empty_like(legal)
    n = 0
    for g in legal:
        fits = True
        for k in range(greens.shape[0]):
            fits &= words[greens[k, 0], g] == greens[k, 1]
        for k in range(least.shape[0]):
            fits &= counts[least[k, 0], g] >= least[k, 1]
        if fits:
            kept[n] = g
            n += 1
    return kept[:n].copy()


def narrow(
    lexicon: Lexicon, rule: Rule, mode: str, legal: Indices, guess: int, code: int
) -> Indices:
    """The guesses that stay legal after one more hint."""
    if mode == "normal":
        return legal
    if mode == "hard":
        letters = [int(letter) for letter in lexicon.codes[guess]]
        greens, least = (
            np.array(list(asked.items()), np.int32).reshape(-1, 2)
            for asked in demands(letters, code, rule.counts_letters)
        )
        return _keep_hard(lexicon.by_position, lexicon.counts, legal, greens, least)
    as_answers = np.zeros((1, len(lexicon)), np.uint32)
    rule.fill(lexicon.codes[guess : guess + 1], lexicon.by_position, lexicon.counts, as_answers)
    fits: Indices = legal[as_answers[0, legal] == code]
    return fits


def objection(
    lexicon: Lexicon, rule: Rule, mode: str, history: Sequence[tuple[int, int]], guess: int
) -> str | None:
    """Why the mode forbids the guess after this history of (guess, code); None if it does not."""
    if mode == "normal":
        return None
    word = lexicon.words[guess]
    for earlier, code in history:
        hint = f"{lexicon.words[earlier]} {rule.notation.format(code, lexicon.length)}"
        if mode == "hard":
            letters = [int(letter) for letter in lexicon.codes[earlier]]
            greens, least = demands(letters, code, rule.counts_letters)
            for position, letter in greens.items():
                if lexicon.codes[guess, position] != letter:
                    sign = lexicon.alphabet[letter].upper()
                    return f"hard mode: letter {position + 1} must be {sign} (after {hint})"
            for letter, number in least.items():
                if lexicon.counts[letter, guess] < number:
                    sign = lexicon.alphabet[letter].upper()
                    times = "" if number == 1 else f" {number} times"
                    return f"hard mode: {word!r} must contain {sign}{times} (after {hint})"
        elif mode == "strict" and rule.code(*_keys(lexicon, earlier, guess)) != code:
            return f"strict mode: {word!r} could not have coloured {hint}"
    return None


def _keys(lexicon: Lexicon, *places: int) -> list[str]:
    return ["".join(lexicon.alphabet[c] for c in lexicon.codes[place]) for place in places]
