"""Reward schemes, in a registry.

A scheme is a handful of numbers: to add one, write a line in `REWARDS`, or pass a `Reward` to the
environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from salet.env.game_arrays import GameArrays, Histories
from salet.errors import InputError, UnknownNameError
from salet.numeric.jit import kernel


class Reward(NamedTuple):
    """What each guess earns."""

    step: float = -1.0
    """any guess"""
    yellow: float = 0.0
    """a letter that is yellow for the first time in the game"""
    green: float = 0.0
    """a letter that is green for the first time in the game"""
    repeat: float = 0.0
    """a green tile whose letter has been green before"""
    win: float = 0.0
    """the right guess"""
    loss: float = 0.0
    """a wrong guess that is the last the cap allows, or an illegal guess"""
    only_end: bool = False
    """whether the last guess earns only `win` or `loss`"""


REWARDS: Mapping[str, Reward] = MappingProxyType(
    {
        "guesses": Reward(loss=-1.0),
        "careful": Reward(loss=-6.0),
        "founding": Reward(-5.0, 1.0, 1.0, 0.0, 10.0, -10.0, True),
        "million": Reward(-5.0, 1.0, 1.0, -0.1, 15.0, -15.0),
    }
)
"""-1 a guess (so a loss totals -(cap + 1)); the same with losses as costly as six more guesses; the
rewards of the original DQN; those of its later, longer runs"""


def reward_named(name: str | Reward) -> Reward:
    """The scheme of that name; a `Reward` is returned with its numbers checked."""
    if isinstance(name, Reward):
        return _checked(name)
    if not isinstance(name, str):
        raise InputError(
            f"reward {name!r} is not a scheme; give a name ({', '.join(REWARDS)}) or a Reward"
        )
    if name not in REWARDS:
        raise UnknownNameError("reward", name, REWARDS)
    return REWARDS[name]


def _checked(reward: Reward) -> Reward:
    """The scheme with the types that kernels are compiled for."""
    try:
        return Reward._make([*map(float, reward[:6]), bool(reward.only_end)])
    except (TypeError, ValueError):
        raise InputError(f"{reward} is not a scheme; its rewards must be numbers") from None


@kernel
def forfeit_reward(game: GameArrays, reward: Reward, turn: int) -> Any:
    """The reward of an illegal guess at `turn` (from 0): no better than any way of losing.

    It ends the game, so it pays for every guess that is not made: otherwise it would be cheaper
    than playing on. A wrong guess earns at least `step` plus the worst tiles, and the last one
    earns `loss`; so no game that is played out and lost earns less.
    """
    worst_tile = min(0.0, reward.yellow, reward.green, reward.repeat)
    unpaid = game.horizon - turn
    if reward.only_end:
        unpaid -= 1
    return reward.loss + unpaid * (reward.step + worst_tile * game.letters.shape[1])


@kernel
def guess_reward(game: GameArrays, reward: Reward, histories: Histories, b: int, turn: int) -> Any:
    """The reward of the guess at `turn` (from 0) of game `b`."""
    pattern = histories.patterns[b, turn]
    won = pattern == game.win
    lost = not won and turn + 1 == game.horizon
    total = reward.win * won + reward.loss * lost
    if reward.only_end and (won or lost):
        return total
    total += reward.step
    if reward.yellow == 0 and reward.green == 0 and reward.repeat == 0:
        return total
    length = game.letters.shape[1]
    word = game.letters[histories.guesses[b, turn]]
    colours = game.colours[pattern]
    for i in range(length):
        if colours[i] == 0:
            continue
        is_new = True
        for k in range(turn + 1):
            earlier = game.letters[histories.guesses[b, k]]
            seen = game.colours[histories.patterns[b, k]]
            for j in range(length if k < turn else i):
                is_new &= not (earlier[j] == word[i] and seen[j] == colours[i])
        if is_new:
            total += reward.green if colours[i] == 2 else reward.yellow
        elif colours[i] == 2:
            total += reward.repeat
    return total
