"""Help in four steps, of which only the last names a word.

1. how many words fit
2. what the best guess achieves, for comparison with the player's own idea (`rating.py`)
3. which letters are worth testing, and where
4. the best guess
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from salet.coach import explain
from salet.coach.advice import Advice
from salet.coach.verdicts import percent
from salet.game.state import State

COUNT, YARDSTICK, LETTERS, REVEAL = 1, 2, 3, 4
STEPS = (COUNT, YARDSTICK, LETTERS, REVEAL)
LISTED = 5
"""letters to list"""


class LetterHint(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that only some of the remaining words have, and where to test it."""

    letter: str
    words: int
    """remaining words that have it"""
    position: int
    """position that splits the words best, from 1"""
    words_there: int
    """remaining words that have it at this position"""
    text: str


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """One step of help; the fields of later steps are None."""

    step: int
    text: str
    remaining: int
    guesses_left: int | None
    lower: float | None = None
    """from step 2: bounds on the mean guesses to come with the best guess"""
    upper: float | None = None
    losses: float | None = None
    """share of the answers that even the best guess loses; an upper bound unless proven"""
    proven: bool | None = None
    letters: list[LetterHint] | None = None
    """from step 3, the letter that splits best first"""
    guess: str | None = None
    """step 4"""


def hint(step: int, state: State, advice: Advice | None = None) -> Hint:
    """One step of help in a state; steps 2 and 4 need `advice`."""
    fields: dict[str, Any] = {}
    if step == COUNT:
        text = count_text(len(state.candidates), state.guesses_left)
    elif step == LETTERS:
        letters = letters_to_test(state)
        text = "\n".join([letters_text(letters), *(letter.text for letter in letters)])
        fields["letters"] = letters
    else:
        assert advice is not None
        fields = {
            "lower": advice.lower,
            "upper": advice.upper,
            "losses": advice.losses,
            "proven": advice.proven,
        }
        text = yardstick_text(advice)
        if step == REVEAL:
            fields["guess"], text = advice.guess, advice.explanation
    return Hint(
        step=step,
        text=text,
        remaining=len(state.candidates),
        guesses_left=state.guesses_left,
        **fields,
    )


def count_text(remaining: int, guesses_left: int | None) -> str:
    """`40 words fit; 5 guesses are left`."""
    fit = "1 word fits" if remaining == 1 else f"{remaining} words fit"
    if guesses_left is None:
        return fit
    return f"{fit}; {left_text(guesses_left)}"


def left_text(guesses_left: int) -> str:
    """`5 guesses are left`."""
    return "1 guess is left" if guesses_left == 1 else f"{guesses_left} guesses are left"


def yardstick_text(advice: Advice) -> str:
    """What the best guess achieves, without naming it."""
    best = advice.suggestions[0]
    if advice.proven:
        text = f"the best guess takes {advice.expected:.4g} guesses on average, itself included"
    else:
        text = (
            f"the best guess takes {advice.lower:.4g} to {advice.upper:.4g} guesses on average, "
            "itself included"
        )
    if advice.losses > 0:
        most = "" if advice.proven else "at most "
        return f"{text}, and loses with a chance of {most}{percent(advice.losses)}"
    if best.worst is not None:
        text += f", and never more than {explain.number(best.worst)}"
    return text


def letters_text(letters: list[LetterHint]) -> str:
    """The line above the list of letters."""
    if not letters:
        return "no letter tells the words apart: name a word and have it rated"
    return "letters worth testing, the most telling first:"


def letters_to_test(*states: State, count: int = LISTED) -> list[LetterHint]:
    """The letters that split the remaining words most evenly, each with its best position.

    A letter at a position splits the words into three groups: those without it, those with it
    elsewhere, those with it there. The smaller the sum of squares of their shares, over all states
    (the boards of a game), the better; ties go to the first letter of the alphabet, then to the
    first position.
    """
    lexicon = states[0].game.lexicon
    boards = [lexicon.codes[state.candidates] for state in states]
    words = sum(map(len, boards))
    found: list[tuple[float, int, LetterHint]] = []
    for code in np.unique(np.concatenate(boards)).tolist():
        evenness = np.zeros(boards[0].shape[1])
        all_having, all_there = 0, np.zeros(len(evenness), np.int64)
        for codes in boards:
            is_letter = codes == code
            having, there = int(is_letter.any(axis=1).sum()), is_letter.sum(axis=0)
            squares = (len(codes) - having) ** 2 + (having - there) ** 2 + there**2
            evenness += squares / len(codes) ** 2
            all_having, all_there = all_having + having, all_there + there
        position = int(evenness.argmin())
        if evenness[position] == len(boards):
            continue  # it does not split the words
        there_best = int(all_there[position])
        hint = _letter_hint(lexicon.alphabet[code], words, all_having, position + 1, there_best)
        found.append((float(evenness[position]), code, hint))
    found.sort(key=lambda entry: entry[:2])
    return [letter for _, _, letter in found[:count]]


def _letter_hint(letter: str, words: int, having: int, position: int, there: int) -> LetterHint:
    shown = letter.upper()
    share = "all words have it" if having == words else f"in {having} of {words} words"
    return LetterHint(
        letter=letter,
        words=having,
        position=position,
        words_there=there,
        text=f"{shown} at {position}: {share}, there in {there}",
    )
