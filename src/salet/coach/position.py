"""Rows as people type them, read into a state without dead ends.

An answer that the list lacks must not break the coach: where no listed answer fits, all guesses
that fit take its place. Where none fits either, some row is mistyped, and the one to look at is
where the word that comes nearest differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.coach.coach import Coach
from salet.errors import RowError
from salet.game.game import Game
from salet.game.notation import TILES
from salet.game.rows import Row, replay
from salet.game.state import State

UNLISTED = "+all guesses"
"""added to the name of a game whose answers are the guesses that fit"""


@dataclass(frozen=True, eq=False)
class Position:
    """Where a game stands, as a coach sees it."""

    coach: Coach
    """of the state's game: another one than was asked where `outside`"""
    state: State
    outside: bool = False
    """no listed answer fits; the candidates are all guesses that do"""


def read_position(coach: Coach, rows: Sequence[Row]) -> Position:
    """The position after these rows; a RowError says which row is wrong and what is right."""
    state = replay(coach.game, rows, allow_unlisted=True)
    return Position(coach, state) if len(state.candidates) else _from_all_guesses(coach, state)


def _from_all_guesses(coach: Coach, state: State) -> Position:
    game = coach.game
    codes = np.array([codes_of(game, guess) for guess, _ in state.history])
    typed = np.array([[code] for _, code in state.history])
    fits = np.flatnonzero((codes == typed).all(axis=0))
    if not len(fits):
        raise _mistyped(coach, state, codes)
    wider = Game(
        [game.guesses[place] for place in fits],
        game.guesses,
        rule=game.rule.name,
        mode=game.mode,
        cap=game.cap,
        name=game.name + UNLISTED,
        host=game.host,
    )
    inner = coach.coach_of(wider)
    again = inner.game.start()
    for guess, feedback in state.turns:
        again = again.after(guess, feedback)
    return Position(inner, again, outside=True)


def codes_of(game: Game, guess: int) -> NDArray[np.uint32]:
    """The pattern codes that a guess gets from every guess as the answer."""
    lexicon = game.lexicon
    out = np.zeros((1, len(lexicon)), np.uint32)
    game.rule.fill(lexicon.codes[guess : guess + 1], lexicon.by_position, lexicon.counts, out)
    codes: NDArray[np.uint32] = out[0]
    return codes


def _mistyped(coach: Coach, state: State, codes: NDArray[np.uint32]) -> RowError:
    """Name the row in which the nearest words differ: fewest rows, then fewest tiles, then the
    likeliest word."""
    game = coach.game
    wrong = np.array(
        [
            _distance(game, row, code)
            for row, (_, code) in zip(codes, state.history, strict=True)
        ]
    )  # fmt: skip
    rows, tiles = (wrong > 0).sum(axis=0), wrong.sum(axis=0)
    order = np.lexsort((np.arange(len(rows)), -coach.likelihood, tiles, rows))
    word = int(order[0])
    row = int(wrong[:, word].argmax())
    guess, code = state.history[row]
    notation = game.rule.notation
    typed = f"{game.guesses[guess]}:{notation.format(code, game.length)}"
    right = notation.format(int(codes[row, word]), game.length)
    return RowError(
        row + 1,
        f"no word fits these rows; row {row + 1} {typed!r} is most likely mistyped: "
        f"{right!r} would fit {game.guesses[word]!r}",
    )


def _distance(game: Game, codes: NDArray[np.uint32], typed: int) -> Any:
    """By how many tiles (or pegs) each code differs from the one typed."""
    if game.rule.notation is TILES:
        powers = 3 ** np.arange(game.length, dtype=np.int64)[:, None]
        return ((codes // powers) % 3 != (typed // powers) % 3).sum(axis=0)
    pairs = [
        tuple(map(int, game.rule.notation.format(code, game.length).split(",")))
        for code in range(game.rule.notation.patterns(game.length))
    ]
    black, white = np.array(pairs)[codes].T
    return np.abs(black - pairs[typed][0]) + np.abs(white - pairs[typed][1])
