"""Skill and luck of a game on several boards, turn by turn.

As on one board (`analysis.py`), V is the expected number of guesses to come under best play, and Q
that of a guess before its feedback is known. A turn loses Q - V and has the luck Q - 1 - V', where
V' is the expectation after its feedback, so that guesses used = V at the start + lost - luck. A
lost game counts one guess more than the cap, and guesses saved by losing games are not a gain. If
few tuples of answers are left, V and Q are exact; otherwise they are means of rollouts on the same
answers. `JointTurn.proven` says which. Once time is over, estimates are taken instead of rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from salet.coach.joint_adviser import MAX_EXACT_TUPLES, POOL
from salet.errors import InputError
from salet.game.game import Game
from salet.game.joint_state import JointState
from salet.game.round import named_secrets
from salet.game.rows import parse_rows, replay_joint
from salet.search.budget import Clock
from salet.search.joint_estimate import JointEstimate, draw_consistent
from salet.search.joint_exact import JointSearch

_COMPARED = 16
"""Number of guesses, those with the lowest estimates, of which the best is found."""
_DRAWS = 128
"""Rollouts of each of them."""
_FRESH_DRAWS = 512
"""Rollouts of the best and of the guess made."""


_HOW = {
    False: "turns that are not proven are priced by rollouts",
    True: "turns that are not proven are priced by rollouts, or estimated after time was over",
}


class JointTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One guess on all boards."""

    guess: str
    feedback: str
    best: str
    """best guess; the guess itself if no other is better"""
    expected_before: float
    """guesses to come with the best guess"""
    expected_after: float
    lost: float
    lost_games: float
    """increase of the chance of losing; 0 where that is not known exactly"""
    luck: float
    remaining_before: list[int]
    remaining_after: list[int]
    """possible answers of every board; 0 for a solved one"""
    solved: list[int]
    """boards that the guess solved, from 1"""
    proven: bool
    """whether `lost` is exact"""


class JointAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """A game on several boards; the fields of `salet analyse --json`."""

    game: str
    mode: str
    cap: int | None
    boards: int
    won: bool
    over: bool
    turns: list[JointTurn]
    lost: float
    lost_games: float
    luck: float
    solved_in: list[int]
    """the turn that solved each board, 0 for open ones"""
    proven: bool
    notes: list[str]

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


def read_joint_game(game: Game, words: Sequence[str], answers: str | None) -> JointState:
    """The last state of a game.

    `words` are rows with the feedback of all boards, or guesses with `answers`, a word for each
    board: `crane/slate`.
    """
    if answers is None:
        if words and not any(mark in word for word in words for mark in "/:"):
            raise InputError(
                f"on {game.boards} boards give the feedback of all after each guess, as in "
                "crane:bybbg/bbbyb, or an answer for each, as in crane/slate"
            )
        return replay_joint(game, parse_rows(list(words)))
    if any(":" in word for word in words):
        raise InputError("rows with feedback need no answer; give one of the two")
    secrets = named_secrets(game, answers)
    state = game.joint_start()
    for word in words:
        if state.won:
            raise InputError(f"{word!r}: all boards were solved before it")
        if state.guesses_left == 0:
            raise InputError(f"{word!r} exceeds the cap of {game.cap} guesses")
        guess = state.check(word)
        state = state.after(guess, state.patterns(guess, secrets))
    return state


def analyse_joint(
    estimate: JointEstimate, search: JointSearch, last: JointState, clock: Clock
) -> JointAnalysis:
    """Compute what each guess of a game cost, and what was luck."""
    if not last.turn:
        raise InputError("give the guesses of a game")
    game = last.game
    states = [game.joint_start()]
    for guess, feedback in last.turns:
        states.append(states[-1].after(guess, feedback))
    made: list[int | None] = [*last.guesses, None]
    priced = [_price(estimate, search, *pair, clock) for pair in zip(states, made, strict=True)]
    turns = []
    for number, (guess, feedback) in enumerate(last.turns):
        here, after = priced[number], priced[number + 1]
        lost = here.of_guess - here.value
        games = here.losses_of_guess - here.losses
        turns.append(
            JointTurn(
                guess=guess,
                feedback=feedback,
                best=game.guesses[here.best],
                expected_before=here.value,
                expected_after=after.value,
                lost=max(0.0, lost) if games else lost,
                lost_games=games,
                luck=here.of_guess - 1 - after.value,
                remaining_before=states[number].remaining,
                remaining_after=states[number + 1].remaining,
                solved=[b + 1 for b, turn in enumerate(last.solved_in) if turn == number + 1],
                proven=here.proven,
            )
        )
    proven = all(turn.proven for turn in turns)
    return JointAnalysis(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        boards=game.boards,
        won=last.won,
        over=last.over,
        turns=turns,
        lost=sum(turn.lost for turn in turns),
        lost_games=sum(turn.lost_games for turn in turns),
        luck=sum(turn.luck for turn in turns),
        solved_in=list(last.solved_in),
        proven=proven,
        notes=[] if proven else [_HOW[clock.expired()]],
    )


class _Price(msgspec.Struct, frozen=True):
    """The value of a state, and of the guess that was made in it."""

    value: float
    of_guess: float
    best: int
    proven: bool
    losses: float = 0.0
    losses_of_guess: float = 0.0


def _price(
    estimate: JointEstimate,
    search: JointSearch,
    state: JointState,
    guess: int | None,
    clock: Clock,
) -> _Price:
    if state.won:
        return _Price(0.0, 0.0, -1, True)
    left = state.guesses_left
    if left is not None and state.unwinnable:  # whatever is guessed
        return _Price(left + 1, left + 1, -1 if guess is None else guess, True, 1.0, 1.0)
    if state.tuple_count <= MAX_EXACT_TUPLES:
        found = search.value(state, clock)
        mine = found if guess is None else search.value_of(state, guess, clock)
        if found is not None and mine is not None:
            is_worse = (mine.lost, mine.guesses) > (found.lost, found.guesses)
            best = found.guess if guess is None or is_worse else guess
            return _Price(
                float(found.guesses), float(mine.guesses), best, True,
                float(found.lost), float(mine.lost),
            )  # fmt: skip
    return _rolled_out(estimate, state, guess, clock)


def _rolled_out(
    estimate: JointEstimate, state: JointState, guess: int | None, clock: Clock
) -> _Price:
    """The price by rollouts, or by the estimate once time is over.

    The best guess is found by some rollouts and then compared with the guess made by fresh ones:
    otherwise it would profit from the luck that made it the best.
    """
    prices = estimate.prices(state)
    order = np.argsort(prices, kind="stable").astype(np.int32)
    rng = np.random.default_rng(state.turn)

    def means(guesses: list[int], draws: int) -> list[float]:
        secrets = draw_consistent(state, draws, rng)
        found = []
        for one in guesses:
            if clock.expired():
                return [float(prices[each]) for each in guesses]
            rolled = estimate.rollouts(state, np.array([one], np.int32), order[:POOL], secrets)
            found.append(float(rolled.price[0]))
        return found

    compared = order[:_COMPARED].tolist()
    best = compared[int(np.argmin(means(compared, _DRAWS)))]
    made = best if guess is None else guess
    value, of_guess = (mean + len(state.open) for mean in means([best, made], _FRESH_DRAWS))
    if of_guess <= value:
        best, value = made, of_guess
    return _Price(value, of_guess, best, False)
