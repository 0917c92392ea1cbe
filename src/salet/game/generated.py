"""Games whose words are made by rules: codes, equations and primes."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from salet.errors import InputError
from salet.game.lexicon import MAX_LENGTH, MIN_LENGTH
from salet.game.numbers import MAX_EQUATION, MIN_EQUATION, equations, primes

_MAX_CODES = 90_000
_SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER_CAP = 6
"""Guesses in the games of equations and primes that are played online."""
_PRIME_DIGITS = 5


@dataclass(frozen=True)
class WordLists:
    """The word lists behind a name, with the rule, the cap and the boards that go with them."""

    name: str
    answers: Sequence[str]
    guesses: Sequence[str]
    rule: str
    cap: int | None
    boards: int = 1
    commuted: bool = False
    """whether an equation wins if it is the answer in another order"""
    commutes: bool = False
    """whether `commuted` may be asked for"""
    summary: str = ""


CODE_GAMES: Mapping[str, str] = MappingProxyType(
    {"mastermind": "symbols may repeat", "bulls-and-cows": "no symbol repeats"}
)


def _code_game(kind: str, size: str, name: str) -> WordLists:
    found = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size)
    if not found:
        raise InputError(f"game {name!r}: give positions x symbols, as in '{kind}:4x6'")
    positions, symbols = int(found[1]), int(found[2])
    unique = kind == "bulls-and-cows"
    if not MIN_LENGTH <= positions <= MAX_LENGTH or not 1 <= symbols <= len(_SYMBOLS):
        raise InputError(
            f"game {name!r}: give {MIN_LENGTH} to {MAX_LENGTH} positions "
            f"and 1 to {len(_SYMBOLS)} symbols"
        )
    if unique and positions > symbols:
        raise InputError(f"game {name!r}: {positions} positions need {positions} different symbols")
    # Up to nine symbols are 1 to 9, as on the boards; with more, 0 comes first.
    signs = _SYMBOLS[1 : symbols + 1] if symbols <= 9 else _SYMBOLS[:symbols]
    count = math.perm(symbols, positions) if unique else symbols**positions
    if count > _MAX_CODES:
        raise InputError(f"game {name!r} has {count:,} codes; the maximum is {_MAX_CODES:,}")
    codes = (
        itertools.permutations(signs, positions)
        if unique
        else itertools.product(signs, repeat=positions)
    )
    words = ["".join(code) for code in codes]
    return WordLists(
        f"{kind}:{positions}x{symbols}", words, words, "pegs", None, summary=CODE_GAMES[kind]
    )


def _mastermind(size: str, name: str) -> WordLists:
    return _code_game("mastermind", size, name)


def _bulls_and_cows(size: str, name: str) -> WordLists:
    return _code_game("bulls-and-cows", size, name)


def _nerdle(size: str, name: str) -> WordLists:
    length = int(size or MAX_EQUATION) if re.fullmatch(r"\d{0,2}", size) else 0
    if not MIN_EQUATION <= length <= MAX_EQUATION:
        raise InputError(
            f"game {name!r}: give {MIN_EQUATION} to {MAX_EQUATION} characters, as in 'nerdle:8'"
        )
    words = equations(length)
    summary = f"equations of {length} characters"
    return WordLists(
        f"nerdle:{length}", words, words, "standard", _NUMBER_CAP, commutes=True, summary=summary
    )


def _primel(size: str, name: str) -> WordLists:
    if size:
        raise InputError(
            f"game {name!r}: primel has {_PRIME_DIGITS} digits and no size; leave it out"
        )
    words = primes(_PRIME_DIGITS)
    summary = f"primes of {_PRIME_DIGITS} digits"
    return WordLists("primel", words, words, "standard", _NUMBER_CAP, summary=summary)


GENERATORS: Mapping[str, Callable[[str, str], WordLists]] = MappingProxyType(
    {
        "mastermind": _mastermind,
        "bulls-and-cows": _bulls_and_cows,
        "nerdle": _nerdle,
        "primel": _primel,
    }
)
"""The lists of a generated game, from its size and its whole name."""
EXAMPLES = ("mastermind:4x6", "bulls-and-cows:4x10", "nerdle:6", "nerdle:8", "primel")
"""Generated games that lists of games show."""
