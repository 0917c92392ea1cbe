"""Which spellings are words of a game."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.errors import InputError
from salet.game.lexicon import graphemes, key
from salet.game.packs.spelling import FOLDED, Spelling, fold


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("crane", "crane"),
        ("größe", "größe"),  # ß is one letter
        ("cafe\u0301s", "cafés"),  # NFC
        ("Crane", None),
        ("NATOs", None),
        ("iPods", None),
        ("cran", None),
        ("cranes", None),
        ("o'cat", None),
        ("o’cat", None),
        ("a-bcd", None),
        ("abcd1", None),
        ("abcd.", None),
        ("ab cd", None),
        ("", None),
        ("\u0301abcde", None),  # a mark with nothing under it
        ("बजारमाका", "बजारमाका"),  # five graphemes, eight code points
    ],
)
def test_a_word_is_lower_case_letters_of_the_length(form: str, word: str | None) -> None:
    assert Spelling(5).word(form) == word


@pytest.mark.parametrize(
    ("form", "word"),
    [("Tisch", "tisch"), ("tisch", "tisch"), ("TISCH", None), ("TiSch", None), ("Öfchen", None)],
)
def test_nouns_may_have_a_capital(form: str, word: str | None) -> None:
    assert Spelling(5, nouns_capitalised=True).word(form) == word


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("élève", "eleve"),
        ("ătâșț", "atast"),
        ("größe", "grosse"),
        ("œuvre", "oeuvre"),
        ("ǽsir", "aesir"),
        ("smørrebrød", "smorrebrod"),
        ("łódź", "lodz"),
        ("đón", "don"),
        ("ĳs", "ijs"),
        ("ёлкой", "елкои"),
        ("άβατο", "αβατο"),
        ("नमस्ते", "नमस्ते"),  # vowel signs are no accents
        ("한국어", "한국어"),
    ],
)
def test_folding(word: str, folded: str) -> None:
    assert fold(word) == folded


def test_letters_are_counted_after_folding() -> None:
    assert Spelling(6, fold_accents=True).word("größe") == "grosse"
    assert Spelling(5, fold_accents=True).word("größe") is None


def test_what_folds_to_a_sign_is_no_word() -> None:
    assert Spelling(7, fold_accents=True).word("coŀlega") is None  # l and a dot


def test_folding_replaces_only_what_unicode_does_not() -> None:
    for letter, plain in FOLDED.items():
        assert unicodedata.normalize("NFKD", letter) == letter
        assert plain.isascii()


@given(
    st.text(st.sampled_from("aéßœǽłĳΣς\u0301\u0327ñİı한가\u1100\u1161क\u093fA-'"), max_size=12),
    st.booleans(),
)
def test_width_is_the_number_of_letters(form: str, folded: bool) -> None:
    spelling = Spelling(5, folded, True)
    small = spelling.spelled(form)
    if small is not None:
        word = fold(small) if folded else key(form)
        assert spelling.width(form) == len(graphemes(word))


@given(st.text(max_size=8), st.text(max_size=8), st.booleans())
def test_widths_add_up(one: str, two: str, folded: bool) -> None:
    spelling = Spelling(5, folded)
    assert spelling.width(one + two) == spelling.width(one) + spelling.width(two)


@pytest.mark.parametrize("length", [-1, 0, 1, 17])
def test_an_impossible_length_is_refused(length: int) -> None:
    with pytest.raises(InputError, match=f"length {length}: words have 2 to 16 letters"):
        Spelling(length)
