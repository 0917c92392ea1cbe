"""Games of numbers, made by rules instead of read from lists: equations and primes.

An equation is an expression, `=` and its value, such as `12+35=47`. The expression has two or more
positive integers without leading zeros, joined by + - * /, with the usual precedence. Divisions are
exact: the value is a non-negative integer, though a part of the expression may be a fraction
(3/2*4=6).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from salet.array_types import Bools, Ints

MIN_EQUATION, MAX_EQUATION = 5, 8
"""Characters of an equation: 1+1=2 is the shortest, and longer ones are too many for a table."""
_OPERATORS = "+-*/"
_OPERATOR = re.compile(r"[+\-*/]")
_EXAMPLES = {5: "1+2=3", 6: "3*4=12", 7: "12+3=15", 8: "12+35=47"}


@functools.cache
def equations(length: int) -> tuple[str, ...]:
    """All equations of that many characters, sorted.

    >>> len(equations(6)), equations(6)[0]
    (206, '1+9=10')
    """
    found: list[str] = []
    for result in range(1, length - 3):
        for digits in _operand_lengths(length - 1 - result):
            for operators in itertools.product(_OPERATORS, repeat=len(digits) - 1):
                found += _true_equations(digits, operators, result)
    return tuple(sorted(found))


def _operand_lengths(length: int) -> Iterator[tuple[int, ...]]:
    """Yield the digits of two or more operands whose expression has `length` characters."""
    for first in range(1, length - 1):
        rest = length - first - 1
        yield first, rest
        for others in _operand_lengths(rest):
            yield first, *others


def _true_equations(
    digits: tuple[int, ...], operators: tuple[str, ...], result: int
) -> Iterator[str]:
    """Yield the equations of this form whose value has `result` digits."""
    ranges = [np.arange(10 ** (count - 1), 10**count, dtype=np.int64) for count in digits]
    operands = [grid.ravel() for grid in np.meshgrid(*ranges, indexing="ij")]
    value, is_whole = _values(operands, operators)
    lowest = 0 if result == 1 else 10 ** (result - 1)
    for row in np.flatnonzero(is_whole & (value >= lowest) & (value < 10**result)):
        pieces = [str(operands[0][row])]
        for operator, operand in zip(operators, operands[1:], strict=True):
            pieces += [operator, str(operand[row])]
        yield f"{''.join(pieces)}={value[row]}"


def _values(operands: list[Ints], operators: tuple[str, ...]) -> tuple[Ints, Bools]:
    """The value of each row of operands, and whether it is whole."""
    above, below = np.zeros_like(operands[0]), np.ones_like(operands[0])  # the sum so far
    sign, numerator, denominator = 1, operands[0], np.ones_like(operands[0])
    for operator, operand in zip((*operators, "+"), (*operands[1:], operands[0]), strict=True):
        if operator == "*":
            numerator = numerator * operand
        elif operator == "/":
            denominator = denominator * operand
        else:
            above = above * denominator + sign * numerator * below
            below = below * denominator
            sign, numerator = (1 if operator == "+" else -1), operand
            denominator = np.ones_like(operand)
    return above // below, above % below == 0


@functools.cache
def primes(digits: int) -> tuple[str, ...]:
    """All primes of that many digits, ascending.

    >>> len(primes(5)), primes(5)[0]
    (8363, '10007')
    """
    limit = 10**digits
    is_prime = np.ones(limit, bool)
    is_prime[:2] = False
    for number in range(2, int(limit**0.5) + 1):
        if is_prime[number]:
            is_prime[number * number :: number] = False
    return tuple(str(number) for number in np.flatnonzero(is_prime) if number >= limit // 10)


def commuted_key(equation: str) -> str:
    """The same text for equations that differ only in the order of summands and factors.

    >>> commuted_key("3*4-2+1=11") == commuted_key("1+4*3-2=11")
    True
    """
    left, _, right = equation.partition("=")
    terms = []
    for sign, term in re.findall(r"([+\-]?)([\d*/]+)", left):
        factors = sorted(
            f"{mark or '*'}{factor}" for mark, factor in re.findall(r"([*/]?)(\d+)", term)
        )
        terms.append(f"{sign or '+'}{''.join(factors)}")
    return f"{' '.join(sorted(terms))}={right}"


def equation_objection(text: str, length: int) -> str | None:
    """Why a text is not an equation of the game; None if it is one."""
    example = f"write one such as {_EXAMPLES.get(length, '12+35=47')!r}"
    if len(text) != length:
        return f"has {len(text)} characters; equations of this game have {length}: {example}"
    strange = re.search(r"[^\d=+\-*/]", text)
    if strange:
        return f"has {strange[0]!r}; equations are written with 0 to 9, + - * / and =: {example}"
    left, mark, right = text.partition("=")
    if not mark or "=" in right or not right.isdigit():
        return f"is not an equation: exactly one '=' stands before the last number; {example}"
    operands = _OPERATOR.split(left)
    if len(operands) < 2 or not all(operands):
        return f"is not an equation: left of '=' operators stand between numbers; {example}"
    for number in (*operands, right):
        if len(number) > 1 and number.startswith("0"):
            return f"has a leading zero in {number!r}; leave it out"
    if "0" in operands:
        return "has a 0 as an operand; numbers left of '=' are at least 1"
    value = _evaluate(operands, _OPERATOR.findall(left))
    return None if value == int(right) else f"is false: {left} is {value}"


def _evaluate(operands: list[str], operators: list[str]) -> Fraction:
    """The value of positive integers joined by operators."""
    total, term = Fraction(0), Fraction(int(operands[0]))
    for operator, operand in zip(operators, map(int, operands[1:]), strict=True):
        if operator == "*":
            term *= operand
        elif operator == "/":
            term /= operand
        else:
            total += term
            term = Fraction(operand if operator == "+" else -operand)
    return total + term


def prime_objection(text: str, length: int) -> str | None:
    """Why a text is not a prime of the game; None if it is one."""
    if not re.fullmatch(rf"[1-9]\d{{{length - 1}}}", text):
        return f"is not a number of {length} digits"
    number = int(text)
    factor = next((f for f in range(2, int(number**0.5) + 1) if number % f == 0), None)
    return None if factor is None else f"is not a prime: it is {factor} * {number // factor}"
