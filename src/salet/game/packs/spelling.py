"""Which spellings of a dictionary are words of a game, and how a game writes them.

A word of a game consists of lower-case letters only. `Spelling.word` applies the rules:

1. *letters only*: a form with a hyphen, an apostrophe, a digit, a full stop, a space or any other
   character that is not a letter is dropped;
2. *case as in the dictionary*: dictionaries write proper nouns and abbreviations with capitals,
   so a form is a common word if it is all lower case. Where the language itself capitalises
   nouns (`nouns_capitalised`; German and its closest relatives), a form with one initial capital
   counts too. Names cannot be distinguished from nouns there and are kept;
3. words are *written* in NFC and lower case, as games compare words (ß stays one letter);
4. *accents are folded* if requested: see `fold`. Letters are counted after that.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from salet.errors import InputError
from salet.game.lexicon import MAX_LENGTH, MIN_LENGTH, graphemes, key

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
    """The number of letters that a code point adds to a word, computed on first use."""

    def __init__(self, folding: bool) -> None:
        super().__init__()
        self.folding = folding

    def __missing__(self, char: str) -> int:
        written = fold(key(char)) if self.folding else key(char)
        self[char] = width = sum(not _joins(part) for part in written)
        return width


def _joins(char: str) -> bool:
    """Whether the code point joins the letter before it: marks, Hangul jamo."""
    return unicodedata.category(char).startswith("M") or "\u1160" <= char <= "\u11ff"


@dataclass(frozen=True)
class Spelling:
    """How the words of one game are written."""

    length: int
    """number of letters (graphemes) in a word, after folding"""
    fold_accents: bool = False
    """whether é is written as e and so on"""
    nouns_capitalised: bool = False
    """whether forms with one initial capital are kept"""
    _widths: _Widths = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not MIN_LENGTH <= self.length <= MAX_LENGTH:
            raise InputError(
                f"length {self.length}: words have {MIN_LENGTH} to {MAX_LENGTH} letters"
            )
        object.__setattr__(self, "_widths", _Widths(self.fold_accents))

    def width(self, text: str) -> int:
        """The number of letters that a text adds to a word.

        Widths are additive although code points join (e and U+0301 make é): the width of two
        concatenated texts is the sum of their widths, and `word(form)` has `width(form)` letters.
        So forms of the wrong length can be skipped before they are made.
        """
        return len(text) if text.isascii() else sum(map(self._widths.__getitem__, text))

    def spelled(self, form: str) -> str | None:
        """The form in NFC and lower case; None unless it is letters in the case of common words."""
        form = unicodedata.normalize("NFC", form)
        if not _alphabetic(form):
            return None
        if (small := key(form)) == form:
            return small
        start, rest = form[:1], form[1:]
        titled = self.nouns_capitalised and start.isupper() and rest == rest.lower()
        return small if titled else None

    def word(self, form: str) -> str | None:
        """The word of the game that a form stands for; None if there is none (see the module)."""
        small = self.spelled(form)
        if small is None:
            return None
        word = fold(small) if self.fold_accents else small
        if not _alphabetic(word):  # ŀ folds to l and a dot
            return None
        return word if len(graphemes(word)) == self.length else None


def _alphabetic(form: str) -> bool:
    """Whether a form is letters and marks (which isalpha rejects), starting with a letter.

    Parts of Hangul syllables that NFC could not compose are not letters.
    """
    if form.isascii():
        return form.isalpha()
    if any("\u1160" <= char <= "\u11ff" for char in form):
        return False
    kinds = [unicodedata.category(char)[0] for char in form]
    return bool(kinds) and kinds[0] == "L" and set(kinds) <= {"L", "M"}
