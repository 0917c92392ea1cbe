"""Which spellings of a dictionary are words of a game, and how they are written there.

A word of a game is lower-case letters and nothing else. `Spelling.word` is the whole rule:

1. *letters only*: a form with a hyphen, an apostrophe, a digit, a full stop, a space or any other
   sign that is not a letter is no word of a game;
2. *case as in the dictionary*: dictionaries write proper nouns and abbreviations with capitals,
   so a form is a common word if it is all lower case. Where the language itself capitalises
   nouns (`nouns_capitalised`; German and its nearest relatives), a form with one capital at its
   start counts too. Names cannot be told from nouns there and stay in;
3. *written* in NFC and lower case, as games compare words (ß stays one letter);
4. *accents folded* if asked for: see `fold`. Letters are counted after that.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from salet.errors import InputError
from salet.game.lexicon import LONGEST, SHORTEST, graphemes, key

CAPITALISE_NOUNS = frozenset({"de", "gsw", "ksh", "lb", "nds", "pfl"})
"""Languages that write every noun with a capital: German, Alemannic, Ripuarian, Luxembourgish,
Low German and Palatine German."""

FOLDED = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ŧ": "t",
    "ŋ": "n",
    "ı": "i",
}
"""Letters that folding replaces although Unicode does not decompose them."""

_FOLDED = str.maketrans(FOLDED)
_ACCENTS = dict.fromkeys(range(0x300, 0x370))


def fold(word: str) -> str:
    """The lower-case word without its accents: é to e, ă to a, ș to s, ä to a, ß to ss, œ to oe.

    NFKD, without the combining diacritical marks (U+0300 to U+036F: the accents of the Latin,
    Greek and Cyrillic scripts), with the letters of `FOLDED` replaced, then NFC. Marks that other
    scripts spell with, such as the vowel signs of Devanagari, stay.
    """
    if word.isascii():
        return word
    bare = unicodedata.normalize("NFKD", word).translate(_ACCENTS).translate(_FOLDED)
    return unicodedata.normalize("NFC", bare)


class _Widths(dict[str, int]):
    """How many letters a single code point adds to a word; filled as code points turn up."""

    def __init__(self, folding: bool) -> None:
        super().__init__()
        self.folding = folding

    def __missing__(self, char: str) -> int:
        written = fold(key(char)) if self.folding else key(char)
        self[char] = width = sum(not _joins(part) for part in written)
        return width


def _joins(char: str) -> bool:
    """Whether the code point becomes one letter with the one before it: marks, Hangul jamo."""
    return unicodedata.category(char).startswith("M") or "\u1160" <= char <= "\u11ff"


@dataclass(frozen=True)
class Spelling:
    """How the words of one game are written."""

    length: int
    """letters (graphemes) in a word, after folding"""
    fold_accents: bool = False
    """write é as e and so on"""
    nouns_capitalised: bool = False
    """keep forms with one capital at their start"""
    _widths: _Widths = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not SHORTEST <= self.length <= LONGEST:
            raise InputError(f"length {self.length}: words have {SHORTEST} to {LONGEST} letters")
        object.__setattr__(self, "_widths", _Widths(self.fold_accents))

    def width(self, text: str) -> int:
        """How many letters the text adds to a word.

        Code points join (e and U+0301 make é), but never so that this sum changes: the width of
        two texts one after the other is the sum of their widths, and `word` of a form has as many
        letters as the form is wide. That is what lengths can be pruned by.
        """
        return len(text) if text.isascii() else sum(map(self._widths.__getitem__, text))

    def spelled(self, form: str) -> str | None:
        """The form in NFC and lower case if it is letters only and its case says common word."""
        form = unicodedata.normalize("NFC", form)
        if not _alphabetic(form):
            return None
        if (small := key(form)) == form:
            return small
        start, rest = form[:1], form[1:]
        titled = self.nouns_capitalised and start.isupper() and rest == rest.lower()
        return small if titled else None

    def word(self, form: str) -> str | None:
        """The word of the game that the form is, or None if it is none (see above)."""
        small = self.spelled(form)
        if small is None:
            return None
        word = fold(small) if self.fold_accents else small
        if not _alphabetic(word):  # ŀ folds to l and a dot
            return None
        return word if len(graphemes(word)) == self.length else None


def _alphabetic(form: str) -> bool:
    """Letters, and marks between them (which isalpha refuses), starting with a letter.

    Pieces of Hangul syllables that NFC could not put together are not letters.
    """
    if form.isascii():
        return form.isalpha()
    if any("\u1160" <= char <= "\u11ff" for char in form):
        return False
    kinds = [unicodedata.category(char)[0] for char in form]
    return bool(kinds) and kinds[0] == "L" and set(kinds) <= {"L", "M"}
