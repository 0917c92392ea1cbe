"""A network that plays: it sees histories of a game and names guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from salet.array_types import Bools, Indices
from salet.env.observations import Observation, observation_named
from salet.env.rulebook import Histories, Rulebook, advance, draw_candidates, legal_masks, rulebook
from salet.game.game import Game
from salet.learn.heads import Head, Outputs, head_named
from salet.learn.network import Network


@dataclass(frozen=True, eq=False)
class Table:
    """Where an agent sits down to play: a game, how it is seen, and what its guesses are made of.

    The same network can play at several tables, as long as alphabet and length are the same.
    """

    game: Game
    book: Rulebook
    seen: Observation
    head: Head

    @staticmethod
    def of(
        game: Game,
        observation: str,
        head: str,
        alphabet: tuple[str, ...],
        vocabulary: Sequence[str],
    ) -> Table:
        """A table for weights made with this alphabet and vocabulary."""
        book = rulebook(game, alphabet)
        seen = observation_named(observation, book)
        return Table(game, book, seen, head_named(head, game, book, vocabulary))

    def outputs(self, network: Network, histories: Histories) -> Outputs:
        """The network's outputs for each game."""
        with torch.no_grad():
            out: Outputs = network(torch.from_numpy(self.seen.of(histories))).numpy()
        return out

    def legal(self, histories: Histories) -> Bools:
        """The allowed guesses of each game, or one row for all."""
        return legal_masks(self.game, histories)

    def best(self, network: Network, histories: Histories) -> tuple[Indices, Outputs]:
        """The best guess for each game and its value."""
        return self.head.best(self.outputs(network, histories), self.legal(histories))


@dataclass(frozen=True)
class Explorer:
    """How games are played to learn from: mostly the best guess, now and then a random one."""

    epsilon: float
    exploration: str
    """where random guesses come from: see `DqnConfig.exploration`"""
    generator: np.random.Generator

    def guesses(self, table: Table, network: Network, histories: Histories) -> Indices:
        """A guess for each game."""
        count = len(histories.turns)
        legal = table.legal(histories)
        is_wild = self.generator.random(count) < self.epsilon
        chosen = np.empty(count, np.int32)
        for rows in (np.flatnonzero(is_wild), np.flatnonzero(~is_wild)):
            if len(rows):
                here, allowed = histories.rows(rows), legal if len(legal) == 1 else legal[rows]
                if is_wild[rows[0]]:
                    chosen[rows] = self._wild(table, here, allowed)
                else:
                    chosen[rows] = table.head.best(table.outputs(network, here), allowed)[0]
        return chosen

    def _wild(self, table: Table, histories: Histories, legal: Bools) -> Indices:
        count = len(histories.turns)
        if self.exploration == "words":
            weights = self.generator.random((count, legal.shape[1]))
            words: Indices = np.where(legal, weights, -1.0).argmax(axis=1).astype(np.int32)
            return words
        candidates = np.empty(count, np.int32)
        if self.exploration != "outputs":
            draw_candidates(table.book, histories, self.generator.random(count), candidates)
        if self.exploration == "candidates":
            return candidates
        guesses, _ = table.head.best(table.head.wild(count, self.generator), legal)
        if self.exploration == "mixed":
            guesses = np.where(self.generator.random(count) < 0.5, candidates, guesses)
        return guesses


def play(
    table: Table, network: Network, answers: Indices, explorer: Explorer | None = None
) -> Histories:
    """Play a game for each answer, all in lock-step, to the end; greedily without an explorer."""
    histories = Histories.blank(len(answers), table.book.horizon)
    active = np.arange(len(answers))
    while len(active):
        now = histories.rows(active)
        if explorer is None:
            alike, inverse = now.distinct()
            guesses = table.best(network, alike)[0][inverse]
        else:
            guesses = explorer.guesses(table, network, now)
        advance(table.book, histories, active, guesses, answers)
        turns = histories.turns[active]
        won = histories.patterns[active, turns - 1] == table.book.win
        active = active[~won & (turns < table.book.horizon)]
    return histories


def won_games(table: Table, played: Histories) -> Bools:
    """Which finished games were won."""
    rows = np.arange(len(played.turns))
    won: Bools = played.patterns[rows, played.turns - 1] == table.book.win
    return won


@dataclass(frozen=True)
class Score:
    """Greedy play of every answer of a game."""

    answers: int
    wins: int
    mean: float
    """guesses a game; a loss counts cap + 1"""

    @property
    def rank(self) -> tuple[int, float]:
        """Less is better: losses, then the mean."""
        return self.answers - self.wins, self.mean


def evaluate(table: Table, network: Network) -> Score:
    """Play every answer of the table's game greedily."""
    count = table.game.answer_count
    played = play(table, network, np.arange(count, dtype=np.int32))
    won = won_games(table, played)
    charged = np.where(won, played.turns, table.book.horizon + 1)
    return Score(count, int(won.sum()), float(charged.mean()))
