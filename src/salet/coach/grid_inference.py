"""Infer the likeliest words behind a share grid, which shows colours without words.

People prefer common words to rare ones, but less than in proportion to their frequency: the prior
of a word is the square root of its frequency (less for past answers and plurals). An answer `a` has
the weight

    prior(a) * product over rows r of the total prior of all guesses whose feedback for a is r,

and a guess in row r has the sum over answers of that weight times the guess's share of the total.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from salet.array_types import Floats
from salet.coach.coach import Coach
from salet.coach.grids import Grid
from salet.errors import InputError, RowError
from salet.game.notation import TILES, tile_code


class LikelyWord(msgspec.Struct, frozen=True):
    """A word and its probability."""

    word: str
    chance: float


class GridReading(msgspec.Struct, frozen=True, kw_only=True):
    """The words that a grid may stand for, likeliest first."""

    answers: list[LikelyWord]
    possible: int
    """number of answers for which every row is possible"""
    rows: list[list[LikelyWord]]
    """the likeliest guesses of each row"""


def infer_words(
    coach: Coach, grid: Grid, answer: str | None = None, count: int = 10
) -> GridReading:
    """The likeliest answers and guesses of a grid; if `answer` is given, only the guesses."""
    game = coach.game
    if game.rule.notation is not TILES:
        raise InputError(f"{game.name} shares no squares")
    ids = []
    for number, row in enumerate(grid.rows, 1):
        if len(row) != game.length:
            raise RowError(
                number,
                f"row {number} of the grid has {len(row)} squares; words of {game.name} have "
                f"{game.length} letters",
            )
        ids.append(game.compiled.pattern(tile_code(row)))
    answers, table = np.arange(game.answer_count), game.table
    if answer is not None:
        answers = np.array([game.answer_index(answer)])
        table = table[:, answers]
    common = np.sqrt(coach.likelihood)
    logs = np.log(common[answers])
    matches = []
    for number, pattern in enumerate(ids, 1):
        fits = table == (-1 if pattern is None else pattern)
        guesses, columns = np.nonzero(fits)  # few: a pattern in a hundred
        mass = np.bincount(columns, common[guesses], len(answers))
        matches.append((guesses, columns, mass))
        with np.errstate(divide="ignore"):
            logs = logs + np.log(mass)
        if not np.isfinite(logs).any():
            raise RowError(
                number,
                f"row {number} of the grid fits no words of {game.name}; look at its squares",
            )
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    rows = []
    for guesses, columns, mass in matches:
        shares = chances[columns] * common[guesses] / mass[columns]
        found = np.bincount(guesses, shares, len(common)).astype(np.float64)
        rows.append(_top(coach, found, np.arange(len(common)), count))
    return GridReading(
        answers=_top(coach, chances, answers, count),
        possible=int((chances > 0).sum()),
        rows=rows,
    )


def _top(coach: Coach, chances: Floats, indices: Any, count: int) -> list[LikelyWord]:
    order = np.argsort(-chances, kind="stable")[:count]
    words = coach.game.guesses
    return [
        LikelyWord(words[int(indices[at])], float(chances[at])) for at in order if chances[at] > 0
    ]
