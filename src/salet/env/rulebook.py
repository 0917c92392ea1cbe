"""A game as kernels see it, and histories as arrays.

Everything that learns works on histories: `guesses[b, k]` and `patterns[b, k]` are the guess and
the pattern id of turn k of game b, `turns[b]` says how many turns were made. Observations and
rewards are functions of the history, so nothing else needs to be remembered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Bools, Codes, Floats, Indices, Ints, Patterns
from salet.env.masks import Words, narrow_masks
from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import TILES, tiles
from salet.numeric.jit import kernel

LONGEST = 32
"""a game without a cap is broken off after so many guesses"""


class Rulebook(NamedTuple):
    """What a kernel needs to know of a game."""

    table: Patterns
    """table[guess, answer] -> pattern id"""
    letters: Codes
    """letters[guess, position], as places in the agent's alphabet"""
    colours: NDArray[np.uint8]
    """colours[pattern, position]: 0 grey, 1 yellow, 2 green"""
    alphabet: int
    """how many letters there are"""
    win: int
    """the pattern id of a right guess"""
    horizon: int
    """most guesses of a game"""
    counted: bool
    """do tiles tell how often a letter occurs? (rule `present` only tells that it does)"""


class Histories(NamedTuple):
    """Many games, as they stand."""

    guesses: Indices
    """guesses[game, turn]"""
    patterns: Indices
    """patterns[game, turn], as ids of the table"""
    turns: Indices
    """turns[game] = guesses made"""

    @staticmethod
    def blank(games: int, horizon: int) -> Histories:
        """Games that have not begun."""
        return Histories(
            np.zeros((games, horizon), np.int32),
            np.zeros((games, horizon), np.int32),
            np.zeros(games, np.int32),
        )

    def rows(self, chosen: Ints | slice) -> Histories:
        """Some of the games."""
        return Histories(self.guesses[chosen], self.patterns[chosen], self.turns[chosen])

    def distinct(self) -> tuple[Histories, Ints]:
        """The different histories among games of the same turn, and which of them each game has."""
        turn = int(self.turns[0])
        made = np.concatenate([self.guesses[:, :turn], self.patterns[:, :turn]], axis=1)
        if turn == 0:
            return self.rows(slice(0, 1)), np.zeros(len(self.turns), np.int64)
        _, first, inverse = np.unique(made, axis=0, return_index=True, return_inverse=True)
        return self.rows(first), inverse


def horizon_of(game: Game) -> int:
    """Most guesses of a game that an agent plays."""
    return LONGEST if game.cap is None else game.cap


def rulebook(game: Game, alphabet: tuple[str, ...] | None = None) -> Rulebook:
    """The game for kernels; letters are numbered by `alphabet` (the game's own unless given)."""
    if game.rule.notation is not TILES:
        raise InputError(
            f"rule {game.rule.name!r} gives no hint for each letter; agents play games of words "
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
    place = np.array([known.index(letter) for letter in own])
    kind = np.uint8 if len(known) <= 256 else np.uint16
    table = game.compiled
    colours = [tiles(table.code(pattern), game.length) for pattern in range(table.patterns)]
    return Rulebook(
        table.ids,
        place[game.lexicon.codes].astype(kind),
        np.array(colours, np.uint8),
        len(known),
        table.win,
        horizon_of(game),
        game.rule.counts_letters,
    )


def legal_masks(game: Game, histories: Histories) -> Bools:
    """masks[game, guess]: what the mode allows; in normal mode one row for all games."""
    if game.mode == "normal":
        return np.ones((1, len(game.lexicon)), bool)
    masks = np.ones((len(histories.turns), len(game.lexicon)), bool)
    _narrow(game, histories, np.zeros_like(histories.turns), masks)
    return masks


def masks_after(game: Game, histories: Histories, masks: Bools) -> Bools:
    """The masks of hard or strict mode when each game made at most one turn since `masks`.

    It only looks at the last turn: no harm is done if that one was looked at before.
    """
    later = masks.copy()
    later[histories.turns == 0] = True
    _narrow(game, histories, np.maximum(histories.turns - 1, 0), later)
    return later


def _narrow(game: Game, histories: Histories, starts: Indices, masks: Bools) -> None:
    words = Words(
        game.lexicon.by_position,
        game.lexicon.counts,
        game.rule.counts_letters,
        game.mode == "strict",
    )
    dense = game.compiled.dense_codes
    codes = histories.patterns if dense is None else dense[histories.patterns].astype(np.int32)
    narrow_masks(words, histories.guesses, codes, starts, histories.turns, masks.view(np.uint8))


@kernel
def draw_candidates(book: Rulebook, histories: Histories, shares: Floats, chosen: Indices) -> None:
    """For each game, the answer still possible at `shares` (0 to 1) of their number."""
    answers = book.table.shape[1]
    kept = np.empty(answers, np.int32)
    for b in range(histories.turns.shape[0]):
        n = answers
        for a in range(answers):
            kept[a] = a
        for turn in range(histories.turns[b]):
            row = book.table[histories.guesses[b, turn]]
            pattern = histories.patterns[b, turn]
            found = 0
            for k in range(n):
                a = kept[k]
                kept[found] = a
                found += row[a] == pattern
            n = found
        chosen[b] = kept[int(shares[b] * n)]


@kernel
def advance(
    book: Rulebook, histories: Histories, games: Ints, actions: Indices, answers: Indices
) -> None:
    """Make one guess in each of the listed games."""
    for k in range(games.shape[0]):
        b = games[k]
        turn = histories.turns[b]
        histories.guesses[b, turn] = actions[k]
        histories.patterns[b, turn] = book.table[actions[k], answers[b]]
        histories.turns[b] = turn + 1
