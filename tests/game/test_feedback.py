"""Every feedback rule against a naive one."""

from __future__ import annotations

import json
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import drawn
import naive
from salet import score
from salet.errors import InputError, UnknownNameError
from salet.game.feedback import RULES, rule_named
from salet.game.lexicon import encode
from salet.game.table import build_table

pytestmark = pytest.mark.tiny

KNOWN = [
    ("error", "elder", "GBBBG"),
    ("error", "heron", "YBGGB"),
    ("added", "dread", "YYBYG"),
    ("geese", "those", "BBBGG"),
    ("chuck", "whack", "BGBGG"),
    ("steer", "terse", "YYYYY"),
    ("sease", "essay", "YYYYB"),
    ("label", "skill", "YBBBG"),
]


def test_every_rule_has_an_oracle():
    assert set(RULES) == set(naive.RULES)


@pytest.mark.parametrize(("guess", "answer", "expected"), KNOWN)
def test_known_cases(guess, answer, expected):
    assert score(guess, answer) == expected
    lexicon = encode([guess, answer])
    table = build_table(lexicon, 2, RULES["standard"])
    assert RULES["standard"].notation.format(int(table.ids[0, 1]), 5) == expected


def test_the_known_cases_are_complete(shared):
    cases = json.loads((shared / "data/known-results.json").read_text("utf-8"))["wordle_feedback"]
    assert [(case["guess"], case["answer"], case["expected"]) for case in cases] == KNOWN


def test_present():
    assert score("carte", "frate", rule="present") == "BYYGG"  # grey is B here
    assert score("geese", "those", rule="present") == "BYYGG"
    assert score("geese", "those") == "BBBGG"


@pytest.mark.parametrize(
    ("guess", "answer", "expected"),
    [
        ("1122", "1212", "2,2"),
        ("1234", "4321", "0,4"),
        ("1111", "1222", "1,0"),
        ("12", "12", "2,0"),
    ],
)
def test_pegs(guess, answer, expected):
    assert score(guess, answer, rule="pegs") == expected


@pytest.mark.parametrize("rule", RULES)
@given(lists=drawn.split_lists(most=10))
@example(lists=([drawn.CJK[:16], drawn.CJK[284:], drawn.CJK[10:26]], 2))
@example(lists=([("a",) * 16, ("a",) * 8 + ("b",) * 8], 2))
def test_tables_agree_with_the_naive_rules(rule, lists):
    words, answers = lists
    table = build_table(encode(drawn.spelled(words)), answers, RULES[rule])
    assert table.ids.shape == (len(words), answers)
    length = len(words[0])
    for g, guess in enumerate(words):
        for a, answer in enumerate(words[:answers]):
            pattern = int(table.ids[g, a])
            shown = RULES[rule].notation.format(table.code(pattern), length)
            assert shown == naive.shown(rule, naive.RULES[rule](guess, answer))
            assert (pattern == table.win) == (g == a)


@pytest.mark.parametrize("rule", RULES)
@given(words=drawn.word_lists(least=2, most=2))
def test_single_pairs_agree_with_the_naive_rules(rule, words):
    guess, answer = words
    shown = naive.shown(rule, naive.RULES[rule](guess, answer))
    assert score("".join(guess), "".join(answer), rule) == shown
    apart = unicodedata.normalize("NFD", "".join(guess))
    assert score(apart, "".join(answer), rule) == shown


@pytest.mark.parametrize("rule", RULES)
@given(words=drawn.word_lists(least=2, most=6, lengths=(5, 6), letters=3), data=st.data())
def test_renaming_letters_changes_no_pattern(rule, words, data):
    """Renaming the letters changes no pattern."""
    letters = sorted({letter for word in words for letter in word})
    renamed = dict(zip(letters, data.draw(st.permutations(letters)), strict=True))
    others = [tuple(renamed[letter] for letter in word) for word in words]
    before, after = (
        build_table(encode(drawn.spelled(each)), len(each), RULES[rule]) for each in (words, others)
    )
    assert np.array_equal(before.ids, after.ids)


def test_words_are_compared_after_nfc_and_lower():
    assert score("ÉTÉ", "e\u0301te\u0301") == "GGG"
    assert score("GROß", "groß") == "GGGG"
    assert score("İki", "İKİ".replace("K", "k")) == score("xki", "xkx")


def test_score_refuses():
    with pytest.raises(InputError, match="'crane' has 5 letters and 'slates' has 6"):
        score("crane", "slates")
    with pytest.raises(InputError, match="letters"):
        score("", "")
    with pytest.raises(UnknownNameError, match=r"unknown rule 'standart'; did you mean 'standard'"):
        score("crane", "slate", rule="standart")
    with pytest.raises(UnknownNameError, match="standard, present, pegs"):
        rule_named("zzz")


def test_the_rules_by_name():
    for name, rule in RULES.items():
        assert rule.name == name
        assert rule.summary
    with pytest.raises(TypeError):
        RULES["mine"] = RULES["standard"]
