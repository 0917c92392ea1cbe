"""Words as people write them, and as small integer codes.

Two words are the same word when their keys are: NFC, then lower() (so ß stays one letter). A
letter is a grapheme: what a person sees as one sign, however many code points it takes. Output
keeps the list's own spelling.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from salet.array_types import Codes
from salet.errors import InputError, UnknownNameError

SHORTEST, LONGEST = 2, 16

_JOINER = "\u200d"
_JOINERS = ("\u200c", _JOINER)


def key(word: str) -> str:
    """The form in which words are compared."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).lower())


def graphemes(word: str) -> tuple[str, ...]:
    """Split into what a reader sees as single letters.

    Marks, joiners and modifiers belong to the sign before them, two regional indicators make
    one flag. (Hangul syllables are single code points after NFC.)
    """
    if word.isascii():
        return tuple(word)
    letters: list[str] = []
    for char in word:
        if letters and (
            _extends(char) or letters[-1].endswith(_JOINER) or _flag(letters[-1], char)
        ):
            letters[-1] += char
        else:
            letters.append(char)
    return tuple(letters)


def _extends(char: str) -> bool:
    is_skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    is_tag = "\U000e0020" <= char <= "\U000e007f"
    joins = char in _JOINERS or is_skin_tone or is_tag
    return joins or unicodedata.category(char) in ("Mn", "Me", "Mc")


def _flag(before: str, char: str) -> bool:
    first, last = "\U0001f1e6", "\U0001f1ff"
    return len(before) == 1 and first <= before <= last and first <= char <= last


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words of one length, in order, with their letters as codes."""

    words: tuple[str, ...]
    """as written in the list"""
    alphabet: tuple[str, ...]
    """the letters that occur, sorted; a letter's place here is its code"""
    codes: Codes
    """codes[word, position]"""

    @property
    def length(self) -> int:
        return int(self.codes.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """Where each word's key stands in the order."""
        return {key(word): place for place, word in enumerate(self.words)}

    def find(self, word: str, kind: str = "word") -> int:
        """The word's place, or an error that suggests the nearest one."""
        place = self.places.get(key(word.strip()))
        if place is None:
            raise UnknownNameError(
                kind, word, self.words, f"it is not one of the {len(self)} words"
            )
        return place

    @functools.cached_property
    def by_position(self) -> Codes:
        """codes[position, word]: the layout that kernels stream through."""
        return np.ascontiguousarray(self.codes.T)

    @functools.cached_property
    def counts(self) -> Codes:
        """counts[letter, word]: how often the letter occurs in the word."""
        counts = np.zeros((len(self.alphabet), len(self)), np.uint8)
        for position in range(self.length):
            np.add.at(counts, (self.codes[:, position], np.arange(len(self))), 1)
        return counts


def encode(words: Sequence[str]) -> Lexicon:
    """Check that the words are of one length and distinct, and give their letters codes."""
    if not words:
        raise InputError("the word list is empty; it needs at least one word")
    keys = [key(word) for word in words]
    _refuse_duplicates(words, keys)
    length = len(graphemes(keys[0]))
    if not SHORTEST <= length <= LONGEST:
        raise InputError(
            f"{words[0]!r} has {length} letters; words have {SHORTEST} to {LONGEST} letters"
        )
    if all(word.isascii() for word in keys):
        return Lexicon(tuple(words), *_encode_ascii(words, keys, length))
    split = [graphemes(word) for word in keys]
    for word, letters in zip(words, split, strict=True):
        _refuse_other_length(word, len(letters), words[0], length)
    alphabet = tuple(sorted({letter for letters in split for letter in letters}))
    code = {letter: place for place, letter in enumerate(alphabet)}
    kind: Any = np.uint8 if len(alphabet) <= 256 else np.uint16
    codes: Codes = np.array([[code[letter] for letter in letters] for letters in split], kind)
    return Lexicon(tuple(words), alphabet, codes)


def _encode_ascii(
    words: Sequence[str], keys: Sequence[str], length: int
) -> tuple[tuple[str, ...], Codes]:
    for word, spelled in zip(words, keys, strict=True):
        _refuse_other_length(word, len(spelled), words[0], length)
    raw = np.frombuffer("".join(keys).encode("ascii"), np.uint8).reshape(len(keys), length)
    used = np.flatnonzero(np.bincount(raw.ravel(), minlength=128))
    code = np.zeros(128, np.uint8)
    code[used] = np.arange(len(used))
    return tuple(chr(letter) for letter in used), code[raw]


def _refuse_duplicates(words: Sequence[str], keys: Sequence[str]) -> None:
    if len(set(keys)) == len(keys):
        return
    seen: set[str] = set()
    for word, spelled in zip(words, keys, strict=True):
        if spelled in seen:
            raise InputError(f"{word!r} stands twice in the word list; list every word once")
        seen.add(spelled)


def _refuse_other_length(word: str, length: int, first: str, expected: int) -> None:
    if length != expected:
        raise InputError(
            f"{word!r} has {length} letters, but {first!r} has {expected}; "
            "all words of a game have the same length"
        )


def read_words(text: Iterable[str]) -> list[str]:
    """One word a line; blank lines are passed over."""
    return [word for line in text if (word := line.strip())]
