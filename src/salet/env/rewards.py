"""What a guess earns: reward schemes, in a registry.

A scheme is a handful of numbers, so a scheme of one's own is one line in `REWARDS`, or a
`Reward` given to the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from salet.env.rulebook import Histories, Rulebook
from salet.errors import InputError, UnknownNameError
from salet.numeric.jit import kernel


class Reward(NamedTuple):
    """What a guess earns."""

    step: float = -1.0
    """every guess"""
    yellow: float = 0.0
    """a letter that is yellow for the first time in the game"""
    green: float = 0.0
    """a letter that is green for the first time in the game"""
    repeat: float = 0.0
    """a green tile whose letter was green before"""
    win: float = 0.0
    """the right guess"""
    loss: float = 0.0
    """the last guess that the cap allows, if it is wrong, or a forbidden guess"""
    only_end: bool = False
    """does the last guess earn nothing but `win` or `loss`?"""


REWARDS: Mapping[str, Reward] = MappingProxyType(
    {
        "guesses": Reward(loss=-1.0),
        "careful": Reward(loss=-6.0),
        "founding": Reward(-5.0, 1.0, 1.0, 0.0, 10.0, -10.0, True),
        "million": Reward(-5.0, 1.0, 1.0, -0.1, 15.0, -15.0),
    }
)
"""-1 a guess (a loss counts as cap + 1), the same with losses as bad as six guesses more, the
founding agent's, and that of its later long runs"""


def reward_named(name: str | Reward) -> Reward:
    """The scheme of that name, or a scheme as it is given."""
    if isinstance(name, Reward):
        return _in_numbers(name)
    if not isinstance(name, str):
        raise InputError(
            f"reward {name!r} is no scheme; give a name ({', '.join(REWARDS)}) or a Reward"
        )
    if name not in REWARDS:
        raise UnknownNameError("reward", name, REWARDS)
    return REWARDS[name]


def _in_numbers(reward: Reward) -> Reward:
    """The scheme with the types that kernels are compiled for."""
    try:
        return Reward._make([*map(float, reward[:6]), bool(reward.only_end)])
    except (TypeError, ValueError):
        raise InputError(f"{reward} is no scheme; its rewards are numbers") from None


@kernel
def forfeit(book: Rulebook, reward: Reward, turn: int) -> Any:
    """What a forbidden guess at number `turn` (from 0) costs: as much as losing can cost.

    It ends the game, so it pays for every guess that is not made: otherwise it would be cheaper
    than playing on. A wrong guess earns at least `step` and the worst of tiles, and the last one
    `loss`; so no game that is played out and lost ends worse.
    """
    worst_tile = min(0.0, reward.yellow, reward.green, reward.repeat)
    unpaid = book.horizon - turn
    if reward.only_end:
        unpaid -= 1
    return reward.loss + unpaid * (reward.step + worst_tile * book.letters.shape[1])


@kernel
def earned(book: Rulebook, reward: Reward, histories: Histories, b: int, turn: int) -> Any:
    """What guess number `turn` (from 0) of game b earned."""
    pattern = histories.patterns[b, turn]
    won = pattern == book.win
    lost = not won and turn + 1 == book.horizon
    total = reward.win * won + reward.loss * lost
    if reward.only_end and (won or lost):
        return total
    total += reward.step
    if reward.yellow == 0 and reward.green == 0 and reward.repeat == 0:
        return total
    length = book.letters.shape[1]
    word = book.letters[histories.guesses[b, turn]]
    colours = book.colours[pattern]
    for i in range(length):
        if colours[i] == 0:
            continue
        is_new = True
        for k in range(turn + 1):
            earlier = book.letters[histories.guesses[b, k]]
            seen = book.colours[histories.patterns[b, k]]
            for j in range(length if k < turn else i):
                is_new &= not (earlier[j] == word[i] and seen[j] == colours[i])
        if is_new:
            total += reward.green if colours[i] == 2 else reward.yellow
        elif colours[i] == 2:
            total += reward.repeat
    return total
