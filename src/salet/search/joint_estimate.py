"""What a game with several boards costs beyond one guess for each: an estimate, and rollouts.

Every board costs the guess that solves it, and a guess solves at most one board. So a player can
only save *misses*, guesses that solve none, and what counts of a joint state is the expected number
of misses to come.

The estimate. A state without unknown answers costs no miss, one board of a few words about half a
one, and more of them little more, because the guess that settles one board settles others as well.
That is the shape of

    misses = sum over k of  a_k * (1 - product over boards of q_k(n_b))
    q_k(n) = (1 + ((n - 1) / c_k) ** p_k) ** (-1 / (1 + d_k * (m - 1)))

for m open boards of n_b answers. With more boards more guesses tell about each for free: d_k.
Feedback comes from every board independently, so the expectation of the product after a guess is
the product of the expectations, each a sum over the groups of one board: the expected misses after
a guess are exact for this estimate. Its constants were fitted to games of `entropy` on `original`.

The rollouts. A few guesses of least estimate are compared by playing on: answers that fit are
drawn, the same for all guesses, and play follows the estimate over the possible answers and some
guesses that split well. A rollout adds the probability of a miss at every guess instead of the
misses that happened: the same mean with much less noise.
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


class Layer(NamedTuple):
    """The constants of one term of the estimate."""

    weight: float
    """a"""
    size: float
    """c"""
    power: float
    """p"""
    sharing: float
    """d"""


LAYERS = (Layer(1.7784, 2.7561, 0.5452, 0.6016), Layer(0.3178, 29.5434, 1.6434, 0.4061))
"""Fitted to 22,416 states of games on 2, 4 and 8 boards of `original`."""
LOST = 10.0
"""Guesses that a lost game counts, beyond those made, when guesses are compared by rollouts."""
_MAX_ROLLOUT = 60
"""Guesses after which a rollout ends."""


class Rollouts(NamedTuple):
    """Means over rollouts, for each first guess."""

    misses: Floats
    """misses to come"""
    lost: Floats
    """share of the games that are lost"""

    @property
    def price(self) -> Floats:
        """Misses and losses in one number."""
        price: Floats = self.misses + LOST * self.lost
        return price


class JointEstimate:
    """Estimated misses after every guess, and rollouts, for games of the same boards."""

    def __init__(self, board: Game, max_boards: int) -> None:
        self.board = board
        self.weights = np.array([layer.weight for layer in LAYERS])
        sizes = np.arange(board.answer_count + 1)
        shares = np.zeros((max_boards + 1, len(LAYERS), len(sizes)))
        for boards in range(1, max_boards + 1):
            for k, layer in enumerate(LAYERS):
                known = 1 + (np.maximum(sizes - 1, 0) / layer.size) ** layer.power
                shares[boards, k] = sizes * known ** (-1 / (1 + layer.sharing * (boards - 1)))
        self.shares: Floats = shares
        """[open boards, k, n]: n * q_k(n)"""
        self._sums = [GroupSums(board, values, is_mean=True) for values in shares]

    def misses(self, boards: tuple[State, ...]) -> Floats:
        """[guess]: estimated misses to come if it is made, itself included."""
        known = np.ones((len(LAYERS), len(self.board.lexicon)))
        for board in boards:
            if len(board.candidates) > 1:
                known *= self._sums[len(boards)].of_board(board)
        misses: Floats = 1 - self._chances(boards) + self.weights @ (1 - known)
        return misses

    def prices(self, state: JointState) -> Floats:
        """[guess]: estimated misses, and LOST for a miss of the next guess that loses the game."""
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
        """What follows each first guess in the mean over the rows of `secrets`, answers of the open
        boards, if play follows the estimate over possible answers and the guesses of `pool`. A cap
        that cannot be kept any more is ignored."""
        boards = state.open_boards
        sizes = np.array([len(board.candidates) for board in boards], np.int32)
        answers = np.zeros((len(boards), int(sizes.max())), np.int32)
        for row, board in zip(answers, boards, strict=True):
            row[: len(board.candidates)] = board.candidates
        misses, lost = out = np.zeros((2, len(firsts)))
        left = state.guesses_left
        if left is None or state.lost_for_sure:
            left = _MAX_ROLLOUT
        table = self.board.compiled
        _roll_out(
            table.ids, table.patterns, answers, sizes, secrets, firsts, pool,
            self.shares, self.weights, left, out,
        )  # fmt: skip
        return Rollouts(misses / len(secrets), lost / len(secrets))


def draw_consistent(state: JointState, count: int, rng: np.random.Generator) -> Indices:
    """[draw, open board]: answers that fit all feedback, different on every board, at random.

    Each draw alone is a uniform one, but a board's answers come up equally often, up to one: what
    an answer of one board costs whatever the others are then adds no noise to the mean.
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
