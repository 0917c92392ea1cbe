"""The player of several boards: estimates, rollouts, and exact joint play at the end."""

from __future__ import annotations

import numpy as np

from salet.array_types import Floats, Indices
from salet.errors import InputError
from salet.game.game import MAX_BOARDS, Game
from salet.game.joint_state import JointState
from salet.game.state import State
from salet.search.joint_estimate import JointEstimate, draw_consistent
from salet.search.joint_exact import JointSearch
from salet.strategies.base import Strategy
from salet.strategies.greedy import Greedy, generator

_ROUNDS = (64, 256, 512)
"""Rollouts of each guess in the rounds in which guesses are compared."""
_KEPT = 3
"""Of so many guesses one goes on to the next round."""
_SPLITTERS = 24
"""Guesses that rollouts may make besides possible answers."""


class BoardsPlayer(Strategy):
    """Plays the guess that misses least: by exact joint search where that is quick, else by
    rollouts of the guesses of least estimate."""

    name = "boards"

    def __init__(self, seed: int = 0, width: int = 48, exact: int = 40) -> None:
        """`width`: guesses that rollouts compare (1: the estimate decides alone); `exact`: tuples
        of answers up to which joint search is tried."""
        for name, value, minimum in (("width", width, 1), ("exact", exact, 0)):
            if value < minimum:
                raise InputError(f"strategy 'boards': {name}={value}; give at least {minimum}")
        self.seed, self.width, self.exact = seed, width, exact
        self._one_board = Greedy("entropy")
        self._estimate: JointEstimate | None = None
        self._search: JointSearch | None = None
        self._openers: dict[Game, int] = {}

    def choose(self, state: State) -> int:
        """On one board, where modes may forbid guesses, it plays as `entropy`."""
        return self._one_board.choose(state)

    def choose_joint(self, state: JointState) -> int:
        boards = state.open_boards
        known = [int(board.candidates[0]) for board in boards if len(board.candidates) == 1]
        if len(known) == len(boards):
            return known[0]
        if state.tuples <= self.exact:
            found = self._joint_search(state.game).best_guess(state)
            if found is not None:
                return found
        if state.turn > 0:
            return self._compared(state)
        if state.game not in self._openers:
            self._openers[state.game] = self._compared(state)
        return self._openers[state.game]

    def _compared(self, state: JointState) -> int:
        """The guess of least misses, by rollouts unless the estimate decides alone."""
        estimate = self._estimated(state.game)
        misses = estimate.misses(state.open_boards)
        if self.width == 1:
            return int(np.argmin(misses))
        return self._by_rollouts(state, estimate, misses)

    def _by_rollouts(self, state: JointState, estimate: JointEstimate, misses: Floats) -> int:
        """The best of the guesses of least estimate, by more and more rollouts of fewer."""
        order = np.argsort(misses, kind="stable")
        firsts: Indices = order[: self.width].astype(np.int32)
        pool: Indices = order[:_SPLITTERS].astype(np.int32)
        rng = generator(self.seed, state)
        total = np.zeros(len(firsts))
        for draws in _ROUNDS:
            secrets = draw_consistent(state, draws, rng)
            total += draws * estimate.rollouts(state, firsts, pool, secrets)
            kept = np.argsort(total, kind="stable")[: max(_KEPT, len(firsts) // _KEPT)]
            firsts, total = firsts[kept], total[kept]
        return int(firsts[0])

    def _estimated(self, game: Game) -> JointEstimate:
        if self._estimate is None or self._estimate.board is not game.one_board:
            self._estimate = JointEstimate(game.one_board, min(game.boards, MAX_BOARDS))
        return self._estimate

    def _joint_search(self, game: Game) -> JointSearch:
        if self._search is None or self._search.board is not game.one_board:
            self._search = JointSearch(game.one_board)
        return self._search
