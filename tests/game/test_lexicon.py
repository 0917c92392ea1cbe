"""Words, letters, and what counts as the same word."""

from __future__ import annotations

import functools
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
from salet.errors import InputError, UnknownNameError
from salet.game.lexicon import (
    MAX_LENGTH,
    MIN_LENGTH,
    edit_distances,
    encode,
    graphemes,
    key,
    letter_count,
)


@pytest.mark.parametrize(
    ("word", "letters"),
    [
        ("crane", ("c", "r", "a", "n", "e")),
        ("straße", ("s", "t", "r", "a", "ß", "e")),
        ("e\u0301te\u0301", ("e\u0301", "t", "e\u0301")),  # not composed: still three letters
        ("b\u0324\u0301a", ("b\u0324\u0301", "a")),  # two marks on one letter
        ("नमस्ते", ("न", "म", "स्", "ते")),
        ("हिन्दी", ("हि", "न्", "दी")),
        ("🇩🇪🇫🇷🇦🇹", ("🇩🇪", "🇫🇷", "🇦🇹")),
        ("👍🏽👍", ("👍🏽", "👍")),
        ("👩\u200d🚀🙂", ("👩\u200d🚀", "🙂")),
        ("☕\ufe0f☕", ("☕\ufe0f", "☕")),
        ("1\ufe0f\u20e32", ("1\ufe0f\u20e3", "2")),
        ("한국어", ("한", "국", "어")),
        ("日本語", ("日", "本", "語")),
        ("\u0301a", ("\u0301", "a")),  # a mark with nothing before it stands alone
        ("", ()),
    ],
)
def test_graphemes(word, letters):
    assert graphemes(word) == letters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CRANE", "crane"),
        ("Straße", "STRAßE"),
        ("É", "e\u0301"),
        ("Ș", "s\u0326"),
        ("Ω", "\u2126"),  # the ohm sign is an omega
        ("한", unicodedata.normalize("NFD", "한")),
        ("\u212b", "å"),  # the angstrom sign
    ],
)
def test_same_word(one, other):
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), [("STRASSE", "straße"), ("ı", "i"), ("I", "ı")])
def test_other_word(one, other):
    assert key(one) != key(other)


def test_sharp_s_stays_one_letter():
    assert key("GROß") == "groß"
    assert len(graphemes(key("GROß"))) == 4
    assert key("ẞ") == "ß"  # the capital sharp s


def test_turkish_capital_i_is_one_letter():
    assert len(graphemes(key("İ"))) == 1
    assert len(graphemes(key("İSTANBUL"))) == 8
    assert key("İ") != key("I")
    lexicon = encode(["İki", "bir"])
    assert lexicon.length == 3
    assert lexicon.find("İKi") == 0
    assert lexicon.find("i\u0307ki") == 0


@given(st.text(max_size=20))
def test_key_is_idempotent(text):
    assert key(key(text)) == key(text)
    assert unicodedata.is_normalized("NFC", key(text))


@given(st.text(max_size=20))
def test_graphemes_join_to_the_word(text):
    letters = graphemes(text)
    assert "".join(letters) == text
    assert all(letters)


@given(st.text("abc\u0301\u0324", max_size=12))
def test_composition_does_not_change_the_number_of_letters(text):
    """However marks are encoded, a reader sees the same number of letters."""
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert len(graphemes(composed)) == len(graphemes(apart))


@given(drawn.word_lists())
def test_encode_keeps_words_letters_and_counts(words):
    lexicon = encode(drawn.spelled(words))
    assert lexicon.words == tuple(drawn.spelled(words))
    assert len(lexicon) == len(words)
    assert lexicon.length == len(words[0])
    assert list(lexicon.alphabet) == sorted({key(letter) for word in words for letter in word})
    decoded = [tuple(lexicon.alphabet[code] for code in row) for row in lexicon.codes]
    assert decoded == [tuple(map(key, word)) for word in words]
    assert np.array_equal(lexicon.by_position, lexicon.codes.T)
    assert lexicon.by_position.flags.c_contiguous
    for index, word in enumerate(words):
        counted = {letter: word.count(letter) for letter in word}
        for code, letter in enumerate(lexicon.alphabet):
            assert lexicon.counts[code, index] == counted.get(letter, 0)
        assert lexicon.find("".join(word)) == index


def test_more_than_256_letters_need_wider_codes():
    pairs = ["".join(pair) for pair in zip(drawn.CJK[::2], drawn.CJK[1::2], strict=True)]
    lexicon = encode(pairs)
    assert lexicon.codes.dtype == np.uint16
    assert len(lexicon.alphabet) == 300
    assert len(np.unique(lexicon.codes)) == 300


def test_output_keeps_the_spelling_and_search_ignores_case():
    lexicon = encode(["Crane", "SLATE"])
    assert lexicon.words == ("Crane", "SLATE")
    assert lexicon.find("slate") == 1
    assert lexicon.find(" CRANE\n") == 0


def test_find_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match=r"unknown word 'crame'; did you mean 'crane'"):
        encode(["crane", "slate"]).find("crame")
    with pytest.raises(UnknownNameError, match=r"unknown opener 'zzzzz'; it is not one of the 2"):
        encode(["crane", "slate"]).find("zzzzz", "opener")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "empty"),
        (["a"], "'a' has 1 letter; words have 2 to 16"),
        (["a" * 17], "17 letters"),
        (["crane", "slates"], "'slates' has 6 letters, but 'crane' has 5"),
        (["größe", "groß"], "'groß' has 4 letters, but 'größe' has 5"),
        (["crane", "slate", "CRANE"], "'CRANE' is twice in the word list"),
        (["e\u0301t", "É" + "t"], "is twice in the word list"),
        ([""], "0 letters"),
    ],
)
def test_encode_refuses(words, message):
    with pytest.raises(InputError, match=message):
        encode(words)


@pytest.mark.parametrize("length", [MIN_LENGTH, MAX_LENGTH])
def test_minimum_and_maximum_length(length):
    assert encode(["x" * length]).length == length


@pytest.mark.parametrize(("count", "text"), [(0, "0 letters"), (1, "1 letter"), (5, "5 letters")])
def test_letter_count(count, text):
    assert letter_count(count) == text


# ---------------------------------------------------------------------------- unknown words


def naive_distance(one: str, other: str) -> int:
    """Restricted Damerau-Levenshtein distance, by its recursive definition."""

    @functools.cache
    def distance(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        best = min(
            distance(i - 1, j) + 1,
            distance(i, j - 1) + 1,
            distance(i - 1, j - 1) + (one[i - 1] != other[j - 1]),
        )
        if i > 1 and j > 1 and one[i - 2 : i] == other[j - 1] + other[j - 2]:
            best = min(best, distance(i - 2, j - 2) + 1)
        return best

    return distance(len(one), len(other))


@given(st.text("abcd", max_size=6), st.lists(st.text("abc", min_size=4, max_size=4), min_size=1))
def test_edit_distances(word, others):
    letters = ["abcd".index(letter) for letter in word]
    codes = np.array([["abcd".index(letter) for letter in other] for other in others], np.uint8)
    expected = [naive_distance(word, other) for other in others]
    assert edit_distances(letters, codes).tolist() == expected


WORDS = ("south", "sooth", "youth", "crane", "crank", "crate", "Crans")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("sotuh", ["south"]),  # a transposition is one edit
        ("SOTUH", ["south"]),
        ("cranx", ["crank", "Crans"]),  # by frequency, then in the order of the words
        ("rcane", ["crane"]),
        ("zzzzz", []),
        ("ébène", []),  # letters that no word has
    ],
)
def test_nearest_words(word, near):
    frequencies = {"crank": 3, "crans": 2, "crane": 1}
    assert encode(WORDS).nearest(word, frequencies) == near


def test_nearest_words_may_be_limited_to_the_first():
    lexicon = encode(WORDS)
    assert lexicon.nearest("cranx") == ["crane", "crank"]
    assert lexicon.nearest("cranx", first=4) == ["crane"]
    assert lexicon.nearest("cranx", first=1) == []


def test_words_of_other_lengths_are_refused_by_their_length():
    lexicon = encode(["straße", "größen"])
    with pytest.raises(InputError, match=r"^'hell' has 4 letters; words of this game have 6$"):
        lexicon.find("hell")
    with pytest.raises(InputError, match=r"^'größe' has 5 letters; .*; did you mean 'größen'\?$"):
        lexicon.find("größe")
    with pytest.raises(InputError, match=r"^'größ' has 4 letters; words of this game have 6$"):
        lexicon.find("größ")
    with pytest.raises(InputError, match="has 100000 letters; words of this game have 6"):
        lexicon.find("x" * 100_000)
    with pytest.raises(InputError, match=r"'ß' has 1 letter; words of this game have 6"):
        lexicon.find("ß")
    with pytest.raises(UnknownNameError):
        lexicon.find("GRÖßEM")  # six letters
