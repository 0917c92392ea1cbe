"""Help without spoilers on several boards: the four steps of `hints.py`, and ratings of guesses."""

from __future__ import annotations

import msgspec

from salet.coach.hints import (
    COUNT,
    LETTERS,
    REVEAL,
    LetterHint,
    left_text,
    letters_text,
    letters_to_test,
)
from salet.coach.joint_adviser import JointAdvice, what_it_solves
from salet.coach.verdicts import BEST, COSTLY, FINE, FINE_PRICE, UNCAPPED, percent
from salet.game.joint_state import JointState


class JointHint(msgspec.Struct, frozen=True, kw_only=True):
    """One step of help on several boards; the fields of later steps are None."""

    step: int
    text: str
    remaining: list[int]
    """possible answers of every board; 0 for a solved one"""
    guesses_left: int | None
    expected: float | None = None
    """from step 2: guesses to come with the best guess; estimated unless proven"""
    proven: bool | None = None
    letters: list[LetterHint] | None = None
    """step 3, over all boards that are not known"""
    guess: str | None = None
    """step 4"""


class JointRating(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a guess on several boards; names no other guess."""

    guess: str
    verdict: str
    """best, fine or costly"""
    text: str
    behind: float
    """guesses more than the best guess needs; estimated unless proven"""
    losses: float | None
    """increase of the chance of losing; estimated unless proven, None before it is known"""
    proven: bool
    solves: float
    """chance that it solves a board now"""
    seconds: float


def joint_hint(step: int, state: JointState, advice: JointAdvice | None = None) -> JointHint:
    """One step of help in a state; steps 2 and 4 need `advice`."""
    remaining = state.remaining
    if step == COUNT:
        return JointHint(
            step=step,
            text=_count_text(remaining, state.guesses_left),
            remaining=remaining,
            guesses_left=state.guesses_left,
        )
    if step == LETTERS:
        unknown = [board for board in state.open_boards if len(board.candidates) > 1]
        letters = letters_to_test(*unknown) if unknown else []
        lines = [letters_text(letters), *(letter.text for letter in letters)]
        return JointHint(
            step=step,
            text="\n".join(lines) if unknown else "every answer is known",
            remaining=remaining,
            guesses_left=state.guesses_left,
            letters=letters,
        )
    assert advice is not None
    return JointHint(
        step=step,
        text=advice.explanation if step == REVEAL else _yardstick_text(state, advice),
        remaining=remaining,
        guesses_left=state.guesses_left,
        expected=advice.expected,
        proven=advice.proven,
        guess=advice.guess if step == REVEAL else None,
    )


def _count_text(remaining: list[int], guesses_left: int | None) -> str:
    counts = ", ".join(str(count) if count else "solved" for count in remaining)
    left = "" if guesses_left is None else f"; {left_text(guesses_left)}"
    return f"words that fit, board by board: {counts}{left}"


def _yardstick_text(state: JointState, advice: JointAdvice) -> str:
    boards = len(state.open)
    about = "" if advice.proven else "about "
    text = (
        f"the best guess takes {about}{advice.expected:.4g} guesses on average, itself included, "
        f"for {'the board' if boards == 1 else f'the {boards} boards'} that "
        f"{'is' if boards == 1 else 'are'} open"
    )
    if advice.losses:
        text += f", and loses with a chance of {percent(advice.losses)}"
    return text


def joint_rating(guess: str, advice: JointAdvice) -> JointRating:
    """Rate a guess that the advice lists. As on one board, a lost game counts as many guesses as
    the cap allows."""
    row = next(row for row in advice.suggestions if row.guess == guess)
    proven = row.proven and advice.proven
    behind = max(0.0, row.expected - advice.expected)
    losses = None
    if advice.losses is not None and row.losses is not None:
        losses = max(0.0, row.losses - advice.losses)
    is_best = row.guess == advice.guess or (proven and not behind and not losses)
    price = behind + (advice.cap or UNCAPPED) * (losses or 0)
    verdict = BEST if is_best else FINE if price < FINE_PRICE else COSTLY
    about = "" if proven else "about "
    reasons = []
    if is_best:
        reasons = ["no guess is better" if proven else "none was found better"]
    elif losses:
        reasons = [f"adds {about}{percent(losses)} to the chance of losing"]
    if not is_best and (behind or not losses):
        reasons.append(f"{about}{behind:.2f} guesses behind the best")
    return JointRating(
        guess=row.guess,
        verdict=verdict,
        text=f"{verdict}: {' and '.join(reasons)}; it {what_it_solves(row)}",
        behind=0.0 if is_best else behind,
        losses=losses,
        proven=proven,
        solves=row.solves,
        seconds=advice.seconds,
    )
