"""What a turn earns, in a registry.

win       1 for the secret, 0 for anything else
guesses   -1 a turn, and -1 more when the game is lost: minus (cap + 1) for a lost game
regret    minus what the turn lost against perfect play: 0 for the best guess, whatever its luck
shaped    as `guesses`, plus the change of the exact potential: -1 + V(before) - V(after), where V
          is the mean number of guesses still to come under best play

On several boards, and where equations win in any order, there are no exact values, and so only the
first two rewards.

The last three have the same best policy: `shaped` differs from `guesses` by a potential (Ng, Harada
and Russell 1999), and `regret` from `shaped` by luck, which is 0 in the mean. The secret is drawn
from all answers of the game in this statement; see docs/text.md for splits. To add a reward, write
a function of a `Turn` and a line in `REWARDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.joint_state import JointState
from salet.game.state import State
from salet.search.regret import RegretEvaluator, has_exact_values


@dataclass(frozen=True)
class Turn:
    """One turn that was used up."""

    evaluator: RegretEvaluator | None
    """None if the game has no exact values"""
    before: State | JointState
    left_before: int | None
    """turns left before it; None without a cap"""
    guess: int | None
    """index of the guess; None if the turn was wasted"""
    after: State | JointState
    left_after: int | None
    """turns left after it"""
    won: bool
    lost: bool
    """whether it lost the game"""
    forfeited: bool = False
    """whether it gave up all turns that were left"""


TextReward = Callable[[Turn], float]


def _win(turn: Turn) -> float:
    return float(turn.won)


def _guesses(turn: Turn) -> float:
    used = 1
    if turn.forfeited and turn.left_before is not None:
        used = turn.left_before  # all that are left count, as if they had been made
    return -float(used) - float(turn.lost)


def _regret(turn: Turn) -> float:
    assert turn.evaluator is not None and isinstance(turn.before, State)
    if turn.forfeited and turn.left_before is not None:
        return -turn.evaluator.regret_of_forfeit(turn.before, turn.left_before).loss
    return -turn.evaluator.regret(turn.before, turn.guess, turn.left_before).loss


def _shaped(turn: Turn) -> float:
    assert turn.evaluator is not None
    change = _potential(turn.evaluator, turn.before, turn.left_before)
    if not (turn.won or turn.lost):
        change -= _potential(turn.evaluator, turn.after, turn.left_after)
    return _guesses(turn) + change


def _potential(evaluator: RegretEvaluator, state: State | JointState, left: int | None) -> float:
    assert isinstance(state, State)
    return evaluator.expected(state, left)


REWARDS: Mapping[str, TextReward] = MappingProxyType(
    {"win": _win, "guesses": _guesses, "regret": _regret, "shaped": _shaped}
)
_NEED_VALUES = ("regret", "shaped")
"""rewards that need exact values"""


def default_text_reward(game: Game) -> str:
    """The name of the reward of a task that names none."""
    return "regret" if has_exact_values(game) else "guesses"


def text_reward_named(name: str, game: Game) -> TextReward:
    """The reward of that name, for a game that has it."""
    if name not in REWARDS:
        raise UnknownNameError("reward", name, REWARDS)
    if name in _NEED_VALUES and not has_exact_values(game):
        raise InputError(
            f"reward {name!r} needs exact values, which {game.name} does not have; use 'guesses' "
            "or 'win'"
        )
    return REWARDS[name]
