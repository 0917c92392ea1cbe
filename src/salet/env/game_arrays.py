"""A game as the arrays that kernels read, and batches of game histories.

Everything that learns works on histories: `guesses[b, t]` and `patterns[b, t]` are the guess and
the pattern id of turn `t` of game `b`, and `turns[b]` is the number of guesses made. Observations,
rewards and action masks are functions of the history, so nothing else is stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Floats, Indices, Ints, Patterns
from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import TILES, tiles
from salet.numeric.jit import kernel

MAX_EPISODE_STEPS = 32
"""guesses after which a game without a cap is truncated"""


class GameArrays(NamedTuple):
    """What kernels need to know about a game."""

    table: Patterns
    """table[guess, answer] -> pattern id"""
    letters: Codes
    """letters[guess, position], as indices into the agent's alphabet"""
    colours: NDArray[np.uint8]
    """colours[pattern, position]: 0 grey, 1 yellow, 2 green"""
    alphabet_size: int
    """number of letters in the agent's alphabet"""
    win: int
    """pattern id of the right guess"""
    horizon: int
    """maximum number of guesses"""
    counts_letters: bool
    """whether tiles tell how often a letter occurs (rule `present` only tells that it does)"""

    @staticmethod
    def of(game: Game, alphabet: tuple[str, ...] | None = None) -> GameArrays:
        """The arrays of `game`, with letters numbered by `alphabet` (default: the game's own)."""
        if game.boards > 1:
            raise InputError(
                f"{game.name} has {game.boards} boards; observations and action masks of the "
                "environments describe the history of one (docs/env.md says why)"
            )
        if game.rule.notation is not TILES:
            raise InputError(
                f"rule {game.rule.name!r} gives no hint for each letter; agents play word games "
                "with tiles (rules standard and present)"
            )
        own = game.lexicon.alphabet
        known = own if alphabet is None else alphabet
        missing = [letter for letter in own if letter not in known]
        if missing:
            raise InputError(
                f"{game.name} has the letter {missing[0]!r}, which is not in the agent's alphabet "
                f"{''.join(known)!r}"
            )
        codes = np.array([known.index(letter) for letter in own])
        dtype = np.uint8 if len(known) <= 256 else np.uint16
        table = game.compiled
        colours = [tiles(table.code(pattern), game.length) for pattern in range(table.patterns)]
        return GameArrays(
            table.ids,
            codes[game.lexicon.codes].astype(dtype),
            np.array(colours, np.uint8),
            len(known),
            table.win,
            MAX_EPISODE_STEPS if game.cap is None else game.cap,
            game.rule.counts_letters,
        )


class Histories(NamedTuple):
    """The histories of a batch of games."""

    guesses: Indices
    """guesses[game, turn]"""
    patterns: Indices
    """patterns[game, turn], as ids of the table"""
    turns: Indices
    """turns[game]: number of guesses made"""

    @staticmethod
    def empty(games: int, horizon: int) -> Histories:
        """Games without any guess yet."""
        return Histories(
            np.zeros((games, horizon), np.int32),
            np.zeros((games, horizon), np.int32),
            np.zeros(games, np.int32),
        )

    def take(self, games: Ints | slice) -> Histories:
        """The histories of some of the games."""
        return Histories(self.guesses[games], self.patterns[games], self.turns[games])

    def unique(self) -> tuple[Histories, Ints]:
        """The distinct histories, and the index of each game's among them.

        All games must have made the same number of guesses.
        """
        turn = int(self.turns[0])
        if turn == 0:
            return self.take(slice(0, 1)), np.zeros(len(self.turns), np.int64)
        made = np.concatenate([self.guesses[:, :turn], self.patterns[:, :turn]], axis=1)
        _, first, inverse = np.unique(made, axis=0, return_index=True, return_inverse=True)
        return self.take(first), inverse


@kernel
def make_guess(game: GameArrays, histories: Histories, b: int, guess: int, answer: int) -> Any:
    """Append a guess and its feedback to the history of game `b`; returns the pattern id."""
    turn = histories.turns[b]
    pattern = game.table[guess, answer]
    histories.guesses[b, turn] = guess
    histories.patterns[b, turn] = pattern
    histories.turns[b] = turn + 1
    return pattern


@kernel
def make_guesses(
    game: GameArrays, histories: Histories, games: Ints, guesses: Indices, answers: Indices
) -> None:
    """Make guess `guesses[k]` in game `games[k]`, whose secret is `answers[games[k]]`."""
    for k in range(games.shape[0]):
        make_guess(game, histories, games[k], guesses[k], answers[games[k]])


@kernel
def remaining_answers(game: GameArrays, histories: Histories, b: int, out: Indices) -> Any:
    """Fill `out` with the answers still possible in game `b`, ascending; returns their number."""
    n = game.table.shape[1]
    if histories.turns[b] == 0:
        for a in range(n):
            out[a] = a
    for turn in range(histories.turns[b]):
        row = game.table[histories.guesses[b, turn]]
        pattern = histories.patterns[b, turn]
        found = 0
        for k in range(n):
            a = k if turn == 0 else out[k]
            out[found] = a
            found += row[a] == pattern
        n = found
    return n


@kernel
def draw_candidates(
    game: GameArrays, histories: Histories, fractions: Floats, chosen: Indices
) -> None:
    """For each game, choose the remaining answer at the given fraction (0 to 1) of their number."""
    candidates = np.empty(game.table.shape[1], np.int32)
    for b in range(histories.turns.shape[0]):
        n = remaining_answers(game, histories, b, candidates)
        chosen[b] = candidates[int(fractions[b] * n)]
