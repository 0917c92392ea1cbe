"""Words as people write them, and as small integer codes.

Two words are the same word if their keys are equal: NFC, then lower() (so ß stays one letter). A
letter is a grapheme: what a reader sees as one character, however many code points it has. Output
uses the spelling of the list.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from salet.array_types import Codes, Ints
from salet.errors import InputError, UnknownNameError, suggested

MIN_LENGTH, MAX_LENGTH = 2, 16
"""Letters in a word."""

_MAX_EDITS = 2
"""Edit distance up to which a word is suggested for an unknown one of the same length; words of
another length must be one edit away."""

_JOINER = "\u200d"
_JOINERS = ("\u200c", _JOINER)


def key(word: str) -> str:
    """The form in which words are compared."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).lower())


def graphemes(word: str) -> tuple[str, ...]:
    """Split a word into what a reader sees as single letters.

    Marks, joiners and modifiers belong to the sign before them; two regional indicators make
    one flag. (Hangul syllables are single code points after NFC.)
    """
    if word.isascii():
        return tuple(word)
    letters: list[str] = []
    for char in word:
        if letters and (
            _extends(char) or letters[-1].endswith(_JOINER) or _makes_flag(letters[-1], char)
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


def _makes_flag(before: str, char: str) -> bool:
    first, last = "\U0001f1e6", "\U0001f1ff"
    return len(before) == 1 and first <= before <= last and first <= char <= last


def letter_count(count: int) -> str:
    """`1 letter`, `5 letters`."""
    return f"{count} letter{'' if count == 1 else 's'}"


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words of one length, in order, with their letters as codes."""

    words: tuple[str, ...]
    """the words as written in the list"""
    alphabet: tuple[str, ...]
    """the letters that occur, sorted; a letter's index here is its code"""
    codes: Codes
    """codes[word, position]"""

    @property
    def length(self) -> int:
        """Letters in a word."""
        return int(self.codes.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    @functools.cached_property
    def indices(self) -> dict[str, int]:
        """The index of each word, by key."""
        return {key(word): index for index, word in enumerate(self.words)}

    def find(self, word: str, kind: str = "word") -> int:
        """The index of a word; raises `unknown(word, kind)` if it is not listed."""
        index = self.indices.get(key(word.strip()))
        if index is None:
            raise self.unknown(word, kind)
        return index

    def unknown(
        self,
        word: str,
        kind: str = "word",
        frequencies: Mapping[str, int] | None = None,
        first: int | None = None,
    ) -> InputError:
        """The error for an unlisted word: states a wrong length, and suggests similar words.

        `frequencies` and `first` are those of `nearest`.
        """
        near = self.nearest(word, frequencies, first)
        length = len(graphemes(key(word.strip())))
        if length == self.length:
            hint = f"it is not one of the {len(self)} words"
            return UnknownNameError(kind, word, (), hint, near)
        message = f"{word!r} has {letter_count(length)}; words of this game have {self.length}"
        return InputError(f"{message}; did you mean {suggested(near)}?" if near else message)

    def nearest(
        self,
        word: str,
        frequencies: Mapping[str, int] | None = None,
        first: int | None = None,
        count: int = 2,
    ) -> list[str]:
        """The words at the smallest edit distance from an unlisted one; none if that is large.

        The more frequent words come first, by `frequencies` (by key); then the order of the words
        decides. `first` limits the search to that many words at the beginning of the lexicon.
        """
        code = {letter: index for index, letter in enumerate(self.alphabet)}
        letters = [code.get(letter, -1) for letter in graphemes(key(word.strip()))]
        limit = _MAX_EDITS if len(letters) == self.length else 1
        if abs(len(letters) - self.length) > limit:
            return []
        distances = edit_distances(letters, self.codes[:first])
        least = distances.min(initial=limit + 1)
        if least > min(limit, len(letters) // 2):
            return []
        tied = [self.words[index] for index in np.flatnonzero(distances == least)]
        if frequencies:
            tied.sort(key=lambda other: -frequencies.get(key(other), 0))
        return tied[:count]

    @functools.cached_property
    def by_position(self) -> Codes:
        """codes[position, word]: the layout that kernels stream through."""
        return np.ascontiguousarray(self.codes.T)

    @functools.cached_property
    def counts(self) -> Codes:
        """counts[letter, word]: the number of occurrences of a letter in a word."""
        counts = np.zeros((len(self.alphabet), len(self)), np.uint8)
        for position in range(self.length):
            np.add.at(counts, (self.codes[:, position], np.arange(len(self))), 1)
        return counts


def edit_distances(letters: Sequence[int], codes: Codes) -> Ints:
    """The edit distance from a word to each row of `codes`.

    One edit inserts, deletes or replaces a letter, or swaps two neighbours; no letter is edited
    twice (the restricted distance of Damerau and Levenshtein).
    """
    words = codes.T.astype(np.int64)
    positions = len(words)
    # distance[i, j]: from the first i letters of the given word to the first j of the others
    distance = np.zeros((len(letters) + 1, positions + 1, words.shape[1]), np.int64)
    distance[:, 0] = np.arange(len(letters) + 1)[:, None]
    distance[0] = np.arange(positions + 1)[:, None]
    for i in range(1, len(letters) + 1):
        for j in range(1, positions + 1):
            differs = words[j - 1] != letters[i - 1]
            best = np.minimum(distance[i - 1, j], distance[i, j - 1]) + 1
            best = np.minimum(best, distance[i - 1, j - 1] + differs)
            if i > 1 and j > 1:
                swapped = (words[j - 1] == letters[i - 2]) & (words[j - 2] == letters[i - 1])
                best = np.where(swapped, np.minimum(best, distance[i - 2, j - 2] + 1), best)
            distance[i, j] = best
    return np.asarray(distance[-1, -1])


def encode(words: Sequence[str]) -> Lexicon:
    """The lexicon of distinct words of one length."""
    if not words:
        raise InputError("the word list is empty; it needs at least one word")
    keys = [key(word) for word in words]
    _refuse_duplicates(words, keys)
    length = len(graphemes(keys[0]))
    if not MIN_LENGTH <= length <= MAX_LENGTH:
        raise InputError(
            f"{words[0]!r} has {letter_count(length)}; words have {MIN_LENGTH} to {MAX_LENGTH}"
        )
    if all(word.isascii() for word in keys):
        return Lexicon(tuple(words), *_encode_ascii(words, keys, length))
    split = [graphemes(word) for word in keys]
    for word, letters in zip(words, split, strict=True):
        _refuse_other_length(word, len(letters), words[0], length)
    alphabet = tuple(sorted({letter for letters in split for letter in letters}))
    code = {letter: index for index, letter in enumerate(alphabet)}
    dtype: Any = np.uint8 if len(alphabet) <= 256 else np.uint16
    codes: Codes = np.array([[code[letter] for letter in letters] for letters in split], dtype)
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
            raise InputError(f"{word!r} is twice in the word list; list every word once")
        seen.add(spelled)


def _refuse_other_length(word: str, length: int, first: str, expected: int) -> None:
    if length != expected:
        raise InputError(
            f"{word!r} has {letter_count(length)}, but {first!r} has {expected}; "
            "all words of a game have the same length"
        )
