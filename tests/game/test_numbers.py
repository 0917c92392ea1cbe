"""Equations and primes: their lists are what plain enumeration gives."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest

from salet import Game, simulate, solve
from salet.errors import InputError
from salet.game.numbers import (
    commuted_key,
    equation_objection,
    equations,
    prime_objection,
    primes,
)
from salet.game.packs import store

CHECKSUMS = {
    "nerdle:6": (206, "47dff957"),
    "nerdle:8": (17_723, "8789ee0d"),
    "primel": (8_363, "67a32fe9"),
}


@pytest.mark.parametrize("name", CHECKSUMS)
def test_lists(name):
    game = Game.named(name)
    count, checksum = CHECKSUMS[name]
    assert (len(game.answers), len(game.guesses), game.cap) == (count, count, 6)
    assert store.checksum(game.answers)[:8] == checksum


def _value(text: str) -> Fraction:
    """The value of an expression, by Python's own precedence."""
    try:
        return Fraction(eval(re.sub(r"(\d+)", r"Fraction(\1)", text), {"Fraction": Fraction}))
    except ZeroDivisionError:
        return Fraction(-1)


@pytest.mark.parametrize("length", [5, 6])
def test_equations_are_all_texts_that_keep_the_rules(length):
    """Over every text of digits and operators, one '=' in any place."""
    number = r"[1-9]\d*"
    rule = re.compile(rf"{number}([+\-*/]{number})+=(0|{number})")
    found = []
    for split in range(3, length - 1):
        for left in map("".join, itertools.product("0123456789+-*/", repeat=split)):
            if re.fullmatch(rf"{number}([+\-*/]{number})+", left):
                value = _value(left)
                text = f"{left}={value}"
                if len(text) == length and rule.fullmatch(text):
                    found.append(text)
    assert equations(length) == tuple(sorted(found))


def test_every_equation_of_eight_characters_is_true():
    sample = equations(8)[::97]
    assert all(_value(text.partition("=")[0]) == int(text.partition("=")[2]) for text in sample)
    assert "3/2*4=6" in equations(7)  # a part may be a fraction
    assert all(equation_objection(text, 8) is None for text in sample)


def test_primes():
    expected = [n for n in range(10, 100) if all(n % f for f in range(2, n))]
    assert primes(2) == tuple(map(str, expected))
    assert all(prime_objection(text, 5) is None for text in primes(5)[::50])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12+35=48", "'12+35=48' is false: 12+35 is 47"),
        ("7/2+9=12", "'7/2+9=12' is false: 7/2+9 is 25/2"),
        ("12+35=4", "has 7 characters; equations of this game have 8"),
        ("012+3=15", "has a leading zero in '012'"),
        ("0*12+3=3", "has a 0 as an operand"),
        ("12+3a=15", "has 'a'; equations are written with 0 to 9"),
        ("12=12+00", "exactly one '='"),
        ("12345678", "exactly one '='"),
        ("+2+3+4=9", "operators stand between numbers"),
    ],
)
def test_false_and_malformed_equations_are_refused(text, reason):
    with pytest.raises(InputError, match=re.escape(reason)):
        Game.named("nerdle:8,first=9").index(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("10001", "is not a prime: it is 73 * 137"), ("1009", "is not a number of 5")],
)
def test_other_numbers_are_refused(text, reason):
    with pytest.raises(InputError, match=re.escape(reason)):
        Game.named("primel").index(text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nerdle:9", "give 5 to 8 characters"),
        ("nerdle:4", "give 5 to 8 characters"),
        ("nerdle:x", "give 5 to 8 characters"),
        ("primel:4", "primel has 5 digits and no size"),
        ("primel:commuted=win", "an option of equations alone"),
        ("nerdle:6,commuted=yes", "only commuted=win is known"),
    ],
)
def test_names_that_are_refused(name, reason):
    with pytest.raises(InputError, match=reason):
        Game.named(name)


def test_nerdle_without_a_size_has_eight_characters():
    assert Game.named("nerdle:first=5").length == 8


# ---------------------------------------------------------------------------- commuted equations


def test_commuted_equations():
    assert commuted_key("3*4-2+1=11") == commuted_key("1+4*3-2=11")
    assert commuted_key("8/2*3=12") == commuted_key("3*8/2=12")
    assert commuted_key("8-2+1=7") != commuted_key("8+2-1=9")
    assert commuted_key("1-2+8=7") != commuted_key("1+8+2=11")


def test_commuted_equations_win_only_where_the_setting_says_so():
    plain, commuted = Game.named("nerdle:6"), Game.named("nerdle:6,commuted=win")
    assert plain.feedback("9+5=14", "5+9=14") == "YGYGGG"
    assert commuted.feedback("9+5=14", "5+9=14") == "GGGGGG"
    assert commuted.feedback("9+4=13", "5+9=14") == plain.feedback("9+4=13", "5+9=14")
    assert commuted.state("9+5=14:gggggg").won
    assert simulate(plain, "entropy").total == 544
    assert simulate(commuted, "entropy").total < 544


def test_exact_search_refuses_wins_against_several_answers():
    with pytest.raises(InputError, match="a guess may win against several answers"):
        solve(Game.named("nerdle:6,commuted=win").start())


def test_the_optimum_of_nerdle_6():
    """Entropy plays it, and no plan is better."""
    result = solve(Game.named("nerdle:6").start())
    assert (result.total, result.proven, result.worst) == (544, True, 4)
    assert solve(Game.named("nerdle:6").start(), objective="worst").worst == 3
