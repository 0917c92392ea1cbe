"""Play games with several boards: tuples of answers, drawn by a stated generator.

There are too many tuples to play them all, so the mean is an estimate with a confidence interval.
The result also has a lower bound on the mean of any player:

Every board costs one guess, and each guess solves at most one, so a game of B boards takes B
guesses and one more for each guess that solves none. The first guess solves a board with
probability at most B / n. Let all other answers be known: then the answer of a board is any of
n - B + 1 ones, the first guess puts it into one of at most P groups (P: the most groups that any
guess makes), and the second guess is one word of that group. So the second guess solves a board
with probability at most B * P / (n - B + 1). A cap of B + 1 guesses or more changes nothing, since
a lost game counts cap + 1. With a cap of B the first miss loses the game and is the only one that
counts; with a smaller cap every game is lost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.joint_state import JointState, draw_tuples
from salet.search.splits import splits
from salet.strategies.base import Strategy
from salet.strategies.simulate import Progress, Simulation, summarise

DEFAULT_SAMPLE = 1000
"""Default number of games."""
_CONFIDENCE = 1.959964
"""Half the width of a 95 % confidence interval, in standard errors."""


class JointSimulation(Simulation, frozen=True, kw_only=True):
    """The result of games with several boards; `answers` counts the games."""

    boards: int
    sample: int
    """games played"""
    seed: int
    """seed of the answers: see salet.game.joint_state.draw_tuples"""
    interval: tuple[float, float]
    """95 % confidence interval of the mean"""
    wins: float
    """share of games won within the cap"""
    within: dict[int, float]
    """share of games won within B + 3, B + 4 and B + 5 guesses, whatever the cap"""
    lower: float
    """lower bound on the mean of any player over all tuples"""
    games_per_second: float


def play_sample(
    game: Game,
    player: Strategy,
    *,
    opener: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> JointSimulation:
    """Play a sample of tuples of answers."""
    sample = DEFAULT_SAMPLE if sample is None else sample
    if sample < 1:
        raise InputError(f"a sample of {sample}: give at least 1 game")
    secrets = draw_tuples(game, sample, seed)
    first = state_guess(game.joint_start(), opener, player)
    start = time.perf_counter()
    states: list[JointState] = []
    for state in _finished(game, player, first, secrets, jobs):
        states.append(state)
        if progress is not None:
            progress(len(states), sample)
    seconds = time.perf_counter() - start
    lines = [state.guesses for state in states]
    won = np.array([state.won for state in states])
    tuples = [tuple(row) for row in secrets.tolist()]
    base = summarise(game, player, tuples, lines, won, seconds)
    return JointSimulation(
        **{name: getattr(base, name) for name in base.__struct_fields__},
        boards=game.boards,
        sample=sample,
        seed=seed,
        interval=_interval(base.charges),
        wins=float(won.mean()),
        within={
            limit: float(np.mean([s.won and s.turn <= limit for s in states]))
            for limit in range(game.boards + 3, game.boards + 6)
        },
        lower=lower_bound(game),
        games_per_second=round(sample / max(seconds, 1e-9), 1),
    )


def state_guess(state: JointState, opener: int | None, player: Strategy) -> int:
    """The first guess: the given one, or the player's."""
    return state.check(player.choose_joint(state)) if opener is None else opener


def _finished(
    game: Game, player: Strategy, first: int, secrets: Indices, jobs: int
) -> Iterator[JointState]:
    """Yield the last state of every game, in order."""

    def play(answers: list[int]) -> JointState:
        return play_joint(game, player.choose_joint, first, answers)

    rows = secrets.tolist()
    if jobs == 1:
        yield from map(play, rows)
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(play, rows)


def play_joint(
    game: Game, choose: Callable[[JointState], str | int], first: int, answers: list[int]
) -> JointState:
    """The last state of one game that begins with the guess `first`."""
    state = game.joint_start()
    guess = first
    while True:
        state = state.after(guess, state.patterns(guess, answers))
        if state.over or state.unwinnable:
            return state
        guess = state.check(choose(state))


def _interval(charges: list[int]) -> tuple[float, float]:
    """The 95 % confidence interval of the mean; for a single game its length."""
    mean = float(np.mean(charges))
    if len(charges) == 1:
        return mean, mean
    half = _CONFIDENCE * float(np.std(charges, ddof=1)) / math.sqrt(len(charges))
    return mean - half, mean + half


def lower_bound(game: Game) -> float:
    """A lower bound on any player's mean over all tuples, proven in the module docstring; a lost
    game counts cap + 1."""
    boards, answers = game.boards, game.answer_count
    if game.cap is not None and game.cap < boards:
        return game.cap + 1
    groups = int(splits(game.one_board.start()).parts.max())
    first = max(0.0, 1 - boards / answers)
    second = max(0.0, 1 - boards * groups / (answers - boards + 1))
    return boards + first + (0.0 if game.cap == boards else second)
