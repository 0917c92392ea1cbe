"""The player for several boards: estimates, rollouts, and exact joint play at the end."""

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
"""Rollouts of each compared guess, round by round, on 8 boards; on fewer boards, where they are
faster, there are more."""
_HALVING = 3
"""Factor by which the number of compared guesses falls from round to round (successive halving)."""
_OPENER_ROUNDS = (64, 512, 2048)
"""The same for the first guess, which is computed once per game."""
_SPLITTERS = 8
"""Guesses with the lowest estimates that rollouts may make besides possible answers."""
_POSITIONS = 8
"""Number of positions one guess later whose best guesses rollouts may make, too."""
_FOLLOWERS = 3
"""Guesses with the lowest estimates taken from each of these positions."""
_MAX_WORK = 60_000
"""Maximum number of outcomes that joint search examines for one decision."""


class BoardsPlayer(Strategy):
    """Plays the guess with the fewest expected misses: by exact joint search if that is quick,
    otherwise by rollouts of the guesses with the lowest estimates."""

    name = "boards"

    def __init__(self, seed: int = 0, width: int = 48, exact: int = 200) -> None:
        """`width`: number of guesses that rollouts compare (1: use the estimate alone); `exact`:
        maximum number of tuples of answers for joint search."""
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
        if state.tuple_count <= self.exact:
            found = self._joint_search(state.game).best_guess(state)
            if found is not None:
                return found
        if state.turn > 0:
            return self._compared(state)
        if state.game not in self._openers:
            self._openers[state.game] = self._compared(state)
        return self._openers[state.game]

    def _compared(self, state: JointState) -> int:
        """The guess with the fewest expected misses, by rollouts or by the estimate alone."""
        estimate = self._estimated(state.game)
        prices = estimate.prices(state)
        if self.width == 1:
            return int(np.argmin(prices))
        return self._by_rollouts(state, estimate, prices)

    def _by_rollouts(self, state: JointState, estimate: JointEstimate, prices: Floats) -> int:
        """The best guess by successive halving: ever more rollouts of ever fewer guesses."""
        order = np.argsort(prices, kind="stable").astype(np.int32)
        firsts: Indices = order[: self.width]
        rng = generator(self.seed, state)
        pool = self._pool(state, estimate, firsts, rng)
        total = np.zeros(len(firsts))
        rounds = _ROUNDS if state.turn else _OPENER_ROUNDS
        for draws in rounds:
            draws *= max(1, 8 // len(state.open))
            secrets = draw_consistent(state, draws, rng)
            total += draws * estimate.rollouts(state, firsts, pool, secrets).price
            best = np.argsort(total, kind="stable")[: max(_HALVING, len(firsts) // _HALVING)]
            firsts, total = firsts[best], total[best]
        return int(firsts[0])

    def _pool(
        self, state: JointState, estimate: JointEstimate, firsts: Indices, rng: np.random.Generator
    ) -> Indices:
        """Guesses that rollouts may make besides possible answers: the best ones now, and after
        some of the compared guesses, evenly spaced so that none is favoured."""
        pool = firsts[:_SPLITTERS].tolist()
        positions = _POSITIONS if state.turn else len(firsts)
        after_them = firsts[np.linspace(0, len(firsts) - 1, positions).astype(int)].tolist()
        drawn = draw_consistent(state, positions, rng).tolist()
        for guess, secrets in zip(after_them, drawn, strict=True):
            hidden = dict(zip(state.open, secrets, strict=True))
            answers = [hidden.get(board, 0) for board in range(len(state.boards))]
            after = state.after(guess, state.patterns(guess, answers))
            if after.open:
                best = np.argsort(estimate.misses(after.open_boards), kind="stable")
                pool += best[:_FOLLOWERS].tolist()
        return np.array(list(dict.fromkeys(pool)), np.int32)

    def _estimated(self, game: Game) -> JointEstimate:
        if self._estimate is None or self._estimate.board is not game.one_board:
            self._estimate = JointEstimate(game.one_board, min(game.boards, MAX_BOARDS))
        return self._estimate

    def _joint_search(self, game: Game) -> JointSearch:
        if self._search is None or self._search.board is not game.one_board:
            self._search = JointSearch(game.one_board, max_work=_MAX_WORK)
        return self._search
