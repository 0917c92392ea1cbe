"""The messages that a player reads, and the parser of its replies.

Nothing here knows the secret: messages are made from the rules, the player's own words and the
feedback to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from salet.game.game import Game
from salet.game.lexicon import graphemes, key, letter_count
from salet.game.notation import TILES

MAX_REPLY = 100_000
"""Maximum number of characters of a reply that are read."""

_TAGGED = re.compile(r"<guess>\s*([^<>]*?)\s*</guess>", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\s*([^\[\]\n]{1,64}?)\s*\]")
_THINKING = re.compile(r"<think>.*?(</think>|\Z)", re.IGNORECASE | re.DOTALL)
_EDGES = " \t\r\n.,;:!?\"'`*_()[]“”‘’«»"

_TILES_MEAN = {
    "standard": (
        "G: the letter is right here. Y: the letter occurs elsewhere. B: the letter occurs nowhere "
        "else; if it stands in your word several times, only as many of them are G or Y as the "
        "secret has."
    ),
    "present": (
        "G: the letter is right here. Y: the letter occurs in the secret, but not here. B: it does "
        "not occur. Repeated letters are not counted."
    ),
}
_PEGS_MEAN = (
    "Two numbers: how many symbols are right and stand in the right position, and how many others "
    "occur elsewhere in the secret."
)
_MODES = {
    "hard": (
        "Hard mode: letters marked G stay where they are, and letters marked Y are used again in "
        "every later word."
    ),
    "strict": "Strict mode: every word must fit all marks so far.",
}
_ILLEGAL = {
    "retry": "A word that is not allowed is refused and does not count.",
    "turn": "A word that is not allowed uses up a guess.",
    "forfeit": "A word that is not allowed loses the game.",
}


def rules_text(game: Game, illegal: str = "retry") -> str:
    """The rules of a game, for a player that does not know it."""
    is_word = game.rule.notation is TILES
    parts = [
        f"Find the secret {'word' if is_word else 'code'} of {letter_count(game.length)}"
        if is_word
        else f"Find the secret code of {game.length} symbols from {' '.join(game.lexicon.alphabet)}"
    ]
    parts[0] += "." if game.cap is None else f" with at most {game.cap} guesses."
    if is_word:
        parts.append("Every guess is a word of the list, and each letter is marked.")
    parts.append(_TILES_MEAN[game.rule.name] if is_word else _PEGS_MEAN)
    if game.mode in _MODES:
        parts.append(_MODES[game.mode])
    parts.append(_ILLEGAL[illegal])
    return " ".join(parts)


def answers_text(game: Game) -> str:
    """The list of words that can be the secret, for tasks that show it."""
    return f"The secret is one of these {game.answer_count}: {' '.join(game.answers)}"


REPLY_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "tool": "Make your guesses with the tool `guess`, one after the other.",
        "brackets": (
            "Think as long as you like, then end every reply with your next guess in square "
            "brackets."
        ),
    }
)


def feedback_text(game: Game, word: str, pattern: str, guesses_left: int | None) -> str:
    """The marks of a guess, letter by letter, and the number of guesses left."""
    letters = graphemes(word)
    if game.rule.notation is TILES:
        marks = f"{' '.join(letters)}\n{' '.join(pattern)}"
    else:
        black, white = pattern.split(",")
        marks = f"{word}: {black} in the right position, {white} elsewhere"
    return f"{marks}\n{left_text(guesses_left)}"


def left_text(guesses_left: int | None) -> str:
    """How many guesses are left."""
    if guesses_left is None:
        return "Guess again."
    return f"{guesses_left} {'guess' if guesses_left == 1 else 'guesses'} left."


def won_text(guesses: int) -> str:
    """The end of a won game."""
    return f"Right, with {guesses} {'guess' if guesses == 1 else 'guesses'}. The game is over."


LOST = "That was the last guess. The game is lost."
FORFEITED = "The game is lost: too many words were not allowed."
OVER = "The game is over; no guess counts any more."


def unlisted_text(game: Game, word: str) -> str:
    """Why a word that is not listed is refused. Makes no suggestions, which would be hints."""
    length = len(graphemes(key(word)))
    if length != game.length:
        return f"{word!r} has {letter_count(length)}; give one with {game.length}."
    return f"{word!r} is not in the list; give a common one with {letter_count(game.length)}."


def malformed_text(reply: str) -> str:
    """Why a reply without a guess is refused."""
    tail = " ".join(reply.split())[-60:]
    shown = f"{tail!r} has" if tail else "an empty reply has"
    return f"{shown} no guess in it; end your reply with one word in square brackets."


def read_guess(reply: str) -> str | None:
    """The guess in a reply; None if there is none.

    The last one in `<guess>` tags or in square brackets counts; a reply of a single word needs
    neither. Text in `<think>` tags is ignored.

    >>> read_guess("Not [salet]; I choose [ crane ]."), read_guess("Crane!"), read_guess("no idea")
    ('crane', 'Crane', None)
    """
    text = _THINKING.sub(" ", reply[-MAX_REPLY:])
    for form in (_TAGGED, _BRACKETED):
        found = form.findall(text)
        if found:
            return str(found[-1]).strip(_EDGES) or None
    bare = text.strip(_EDGES)
    return bare if bare and len(bare.split()) == 1 else None
