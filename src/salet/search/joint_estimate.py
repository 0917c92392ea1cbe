"""Estimate the cost of a state with several boards, in closed form and by rollouts.

Every board costs the guess that solves it, and a guess solves at most one board. So players differ
only in *misses*, guesses that solve no board, and the value of a joint state is the expected number
of misses to come.

The estimate. If all answers are known there is no miss; one board with a few words costs about half
a miss, and further boards little more, because a guess that splits one board splits others as well.
This is the shape of

    misses = sum over k of  a_k * (1 - product over boards of q_k(n_b))
    q_k(n) = (1 + ((n - 1) / c_k) ** p_k) ** (-1 / (1 + d_k * (m - 1)))

for m open boards with n_b answers. d_k accounts for guesses on other boards, which give information
about each board for free. The feedback of boards is independent, so the expectation of the product
after a guess is the product of expectations, each a sum over the groups of one board: the expected
estimate after a guess is computed exactly. The constants were fitted to games of `entropy` on
`original`.

The rollouts. A few guesses with the lowest estimates are compared by playing on: consistent answers
are drawn, the same for all guesses, and play minimises the estimate over the possible answers and a
pool of other guesses. A rollout sums the probabilities of a miss instead of the misses themselves,
which has the same mean and much less variance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from salet.array_types import Floats, Indices, Patterns
from salet.game.game import Game
from salet.game.joint_state import JointState
from salet.game.state import State
from salet.numeric.jit import kernel
from salet.search.joint_splits import GroupSums


class EstimateTerm(NamedTuple):
    """The constants of one term of the estimate."""

    weight: float
    """a"""
    size: float
    """c"""
    power: float
    """p"""
    sharing: float
    """d"""


TERMS = (
    EstimateTerm(1.7784, 2.7561, 0.5452, 0.6016),
    EstimateTerm(0.3178, 29.5434, 1.6434, 0.4061),
)
"""Fitted to 22,416 states of games on 2, 4 and 8 boards of `original`."""
LOST = 10.0
"""Additional guesses that a lost game counts when guesses are compared by rollouts."""
_MAX_ROLLOUT = 60
"""Maximum number of guesses in a rollout."""


class Rollouts(NamedTuple):
    """Means over rollouts, for each first guess."""

    misses: Floats
    """misses to come"""
    lost: Floats
    """share of lost games"""

    @property
    def price(self) -> Floats:
        """Misses and losses in one number."""
        price: Floats = self.misses + LOST * self.lost
        return price


class JointEstimate:
    """Estimates and rollouts for games whose boards are `board`."""

    def __init__(self, board: Game, max_boards: int) -> None:
        self.board = board
        self.weights = np.array([term.weight for term in TERMS])
        sizes = np.arange(board.answer_count + 1)
        shares = np.zeros((max_boards + 1, len(TERMS), len(sizes)))
        for boards in range(1, max_boards + 1):
            for k, term in enumerate(TERMS):
                known = 1 + (np.maximum(sizes - 1, 0) / term.size) ** term.power
                shares[boards, k] = sizes * known ** (-1 / (1 + term.sharing * (boards - 1)))
        self.shares: Floats = shares
        """[open boards, k, n]: n * q_k(n)"""
        self._sums = [GroupSums(board, values, is_mean=True) for values in shares]

    def misses(self, boards: tuple[State, ...]) -> Floats:
        """[guess]: estimated number of misses to come if it is made, itself included."""
        known = np.ones((len(TERMS), len(self.board.lexicon)))
        for board in boards:
            if len(board.candidates) > 1:
                known *= self._sums[len(boards)].of_board(board)
        misses: Floats = 1 - self._chances(boards) + self.weights @ (1 - known)
        return misses

    def prices(self, state: JointState) -> Floats:
        """[guess]: estimated misses, plus LOST times the chance that it misses and so loses."""
        prices = self.misses(state.open_boards)
        if state.guesses_left == len(state.open):
            prices += LOST * (1 - self._chances(state.open_boards))
        return prices

    def _chances(self, boards: tuple[State, ...]) -> Floats:
        """[guess]: chance that it solves a board."""
        chances = np.zeros(len(self.board.lexicon))
        for board in boards:
            chances[board.candidates] += 1 / len(board.candidates)
        return chances

    def rollouts(
        self,
        state: JointState,
        firsts: Indices,
        pool: Indices,
        secrets: Indices,
    ) -> Rollouts:
        """Means over rollouts that begin with each first guess.

        Each row of `secrets` has an answer for every open board. After the first guess, play
        minimises the estimate over the possible answers and the guesses of `pool`. The cap of a
        game that cannot be won any more is ignored.
        """
        boards = state.open_boards
        sizes = np.array([len(board.candidates) for board in boards], np.int32)
        answers = np.zeros((len(boards), int(sizes.max())), np.int32)
        for row, board in zip(answers, boards, strict=True):
            row[: len(board.candidates)] = board.candidates
        misses, lost = out = np.zeros((2, len(firsts)))
        left = state.guesses_left
        if left is None or state.unwinnable:
            left = _MAX_ROLLOUT
        table = self.board.compiled
        _roll_out(
            table.ids, table.patterns, answers, sizes, secrets, firsts, pool,
            self.shares, self.weights, left, out,
        )  # fmt: skip
        return Rollouts(misses / len(secrets), lost / len(secrets))


def draw_consistent(state: JointState, count: int, rng: np.random.Generator) -> Indices:
    """[draw, open board]: random answers that fit all feedback and differ between boards.

    Each draw is uniform, but all answers of a board are drawn equally often (up to one), which
    reduces the variance of means (stratified sampling).
    """
    drawn = np.empty((count, len(state.open)), np.int32)
    column = {board: index for index, board in enumerate(state.open)}
    for group in state.boards_by_history:
        candidates = state.boards[group[0]].candidates
        size = len(candidates)
        rounds = -(-count // size)
        order = rng.random((rounds, size)).argsort(axis=1)
        for shift, board in enumerate(group):
            shifted = np.roll(order, shift, axis=1).ravel()[:count]
            drawn[:, column[board]] = candidates[shifted]
    return drawn


@kernel
def _choose(
    table: Patterns,
    answers: Indices,
    sizes: Indices,
    boards: int,
    pool: Indices,
    pool_size: int,
    shares: Floats,
    weights: Floats,
    counts: Indices,
) -> tuple[int, float]:
    """The guess of the pool with the fewest estimated misses, and its chance to solve a board."""
    layers = weights.shape[0]
    known, sums = np.empty(layers), np.empty(layers)
    best, least, best_chance = -1, np.inf, 0.0
    for j in range(pool_size):
        guess = pool[j]
        row = table[guess]
        chance = 0.0
        known[:] = 1.0
        for b in range(boards):
            n = sizes[b]
            if n == 1:
                chance += 1.0 if answers[b, 0] == guess else 0.0
                continue
            sums[:] = 0.0
            for i in range(n):
                a = answers[b, i]
                counts[row[a]] += 1
                if a == guess:
                    chance += 1.0 / n
            for i in range(n):
                size = counts[row[answers[b, i]]]
                if size > 0:
                    counts[row[answers[b, i]]] = 0
                    for k in range(layers):
                        sums[k] += shares[boards, k, size]
            for k in range(layers):
                known[k] *= sums[k] / n
        misses = -chance
        for k in range(layers):
            misses += weights[k] * (1.0 - known[k])
        if misses < least - 1e-9:
            best, least, best_chance = guess, misses, chance
    return best, best_chance


@kernel
def _narrow(
    row: Patterns,
    guess: int,
    boards: int,
    before: Indices,
    answers: Indices,
    sizes: Indices,
    secrets: Indices,
) -> int:
    """Keep the answers that fit the feedback, on the boards that stay open; how many do."""
    left = 0
    for b in range(boards):
        secret = secrets[b]
        if secret == guess:
            continue
        n = 0
        for i in range(sizes[b]):
            if row[before[b, i]] == row[secret]:
                answers[left, n] = before[b, i]
                n += 1
        sizes[left], secrets[left] = n, secret
        left += 1
    return left


@kernel
def _roll_out(
    table: Patterns,
    patterns: int,
    start: Indices,
    start_sizes: Indices,
    secrets: Indices,
    firsts: Indices,
    pool: Indices,
    shares: Floats,
    weights: Floats,
    guesses_left: int,
    out: Floats,
) -> None:
    """out[:, first] += the sums over the rows of secrets of the misses to come and lost games."""
    boards, width = start.shape
    answers = np.empty((boards, width), np.int32)
    sizes, hidden = np.empty(boards, np.int32), np.empty(boards, np.int32)
    counts = np.zeros(patterns, np.int32)
    words = np.empty(boards * width + pool.shape[0], np.int32)
    for k in range(firsts.shape[0]):
        chance = 0.0
        for b in range(boards):
            for i in range(start_sizes[b]):
                if start[b, i] == firsts[k]:
                    chance += 1.0 / start_sizes[b]
        for t in range(secrets.shape[0]):
            sizes[:] = start_sizes
            hidden[:] = secrets[t]
            guess, made, misses = firsts[k], 1, 1.0 - chance
            still_open = _narrow(table[guess], guess, boards, start, answers, sizes, hidden)
            while still_open > 0:
                count, unknown = 0, 0
                for b in range(still_open):
                    unknown += sizes[b] > 1
                    for i in range(sizes[b]):
                        words[count] = answers[b, i]
                        count += 1
                if unknown == 0 or made >= guesses_left:
                    break
                words[count : count + pool.shape[0]] = pool
                guess, hit = _choose(
                    table, answers, sizes, still_open, words, count + pool.shape[0],
                    shares, weights, counts,
                )  # fmt: skip
                misses += 1.0 - hit
                made += 1
                still_open = _narrow(
                    table[guess], guess, still_open, answers, answers, sizes, hidden
                )
            out[0, k] += misses
            if made + still_open > guesses_left:
                out[1, k] += 1.0
