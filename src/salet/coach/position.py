"""Read rows as people type them into a state that can always be advised on.

The answer may be missing from the list: if no listed answer fits, all guesses that fit become the
candidates. If no guess fits either, a row is mistyped; the error names the row in which the nearest
word differs.
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
"""Appended to the name of a game whose answers are the guesses that fit."""


@dataclass(frozen=True, eq=False)
class Position:
    """A state of a game, with the coach that advises on it."""

    coach: Coach
    """coach of the state's game, which is another game if `outside`"""
    state: State
    outside: bool = False
    """whether no listed answer fits; the candidates are then all guesses that fit"""


def read_position(coach: Coach, rows: Sequence[Row]) -> Position:
    """The position after these rows; a RowError names the row that is wrong and a correction."""
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
        [game.guesses[index] for index in fits],
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
    """The pattern code of a guess for every guess as the answer."""
    lexicon = game.lexicon
    out = np.zeros((1, len(lexicon)), np.uint32)
    game.rule.fill(lexicon.codes[guess : guess + 1], lexicon.by_position, lexicon.counts, out)
    codes: NDArray[np.uint32] = out[0]
    return codes


def _mistyped(coach: Coach, state: State, codes: NDArray[np.uint32]) -> RowError:
    """The error that names the row in which the nearest word differs.

    Nearest is the word that contradicts the fewest rows, then the fewest tiles, then the likeliest.
    """
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
    """The number of tiles (or pegs) in which each code differs from the one typed."""
    if game.rule.notation is TILES:
        powers = 3 ** np.arange(game.length, dtype=np.int64)[:, None]
        return ((codes // powers) % 3 != (typed // powers) % 3).sum(axis=0)
    pairs = [
        tuple(map(int, game.rule.notation.format(code, game.length).split(",")))
        for code in range(game.rule.notation.patterns(game.length))
    ]
    black, white = np.array(pairs)[codes].T
    return np.abs(black - pairs[typed][0]) + np.abs(white - pairs[typed][1])
