"""Skill and luck of a game on several boards, turn by turn.

As on one board (`analysis.py`), V is the expected number of guesses to come under best play, and Q
that of a guess before its feedback is known. A turn loses Q - V and has the luck Q - 1 - V', where
V' is the expectation after its feedback, so that guesses used = V at the start + lost - luck. If
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
"""Number of other guesses, those with the lowest estimates, that a guess is compared with."""
_DRAWS = 256
"""Rollouts of each compared guess."""
_CHUNK = 16
"""Rollouts of each guess between two looks at the clock."""


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
        turns.append(
            JointTurn(
                guess=guess,
                feedback=feedback,
                best=game.guesses[here.best],
                expected_before=here.value,
                expected_after=after.value,
                lost=lost,
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


def _price(
    estimate: JointEstimate,
    search: JointSearch,
    state: JointState,
    guess: int | None,
    clock: Clock,
) -> _Price:
    if state.won:
        return _Price(0.0, 0.0, -1, True)
    if state.tuple_count <= MAX_EXACT_TUPLES:
        found = search.value(state, clock)
        mine = found if guess is None else search.value_of(state, guess, clock)
        if found is not None and mine is not None:
            best = found.guess if guess is None or mine.guesses > found.guesses else guess
            return _Price(float(found.guesses), float(mine.guesses), best, True)
    misses = estimate.misses(state.open_boards)
    order = np.argsort(misses, kind="stable").astype(np.int32)
    made = [] if guess is None else [guess]
    compared = list(dict.fromkeys([*order[:_COMPARED].tolist(), *made]))
    secrets = draw_consistent(state, _DRAWS, np.random.default_rng(state.turn))
    firsts = np.array(compared, np.int32)
    sums, done = np.zeros(len(firsts)), 0
    while done < _DRAWS and not clock.expired():
        chunk = secrets[done : done + _CHUNK]
        sums += estimate.rollouts(state, firsts, order[:POOL], chunk) * len(chunk)
        done += len(chunk)
    means = (sums / done if done else misses[firsts]) + len(state.open)
    first = int(np.argmin(means))
    of_guess = float(means[first]) if guess is None else float(means[compared.index(guess)])
    best = guess if guess is not None and of_guess <= means[first] else compared[first]
    return _Price(float(means[first]), of_guess, best, False)
