"""The messages that a player reads, and the parser of its replies.

Nothing here knows the secret: messages are made from the rules, the player's own words and the
feedback to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from salet.game.game import Game
from salet.game.joint_state import SOLVED
from salet.game.lexicon import graphemes, key
from salet.game.notation import TILES

MAX_REPLY = 100_000
"""Maximum number of characters of a reply that are read."""

_TAGGED = re.compile(r"<guess>\s*([^<>]*?)\s*</guess>", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\s*([^\[\]\n]{1,64}?)\s*\]")
_THINKING = re.compile(r"<think>.*?(</think>|\Z)", re.IGNORECASE | re.DOTALL)
_END_OF_THINKING = re.compile(r"\A.*</think>", re.IGNORECASE | re.DOTALL)
_EDGES = " \t\r\n.,;:!?\"'`*_()[]“”‘’«»"


class _Kind(NamedTuple):
    """What the secrets of a game are called, and which guesses there are."""

    secret: str = "word"
    sign: str = "letter"
    guesses: str = "Every guess is a word of the list."


_KINDS = {
    "nerdle": _Kind(
        "equation",
        "character",
        "Every guess is a true equation of this length: positive integers joined by + - * /, then "
        "= and the value.",
    ),
    "primel": _Kind("prime number", "digit", "Every guess is a prime number of this length."),
    "mastermind": _Kind("code", "symbol", "Symbols may repeat."),
    "bulls-and-cows": _Kind("code", "symbol", "No symbol occurs twice."),
}
"""Games whose secrets are no words, by the first part of their name."""
_LISTED_CODES = _Kind("code", "symbol", "Every guess is a code of the list.")

_TILES_MEAN = {
    "standard": (
        "Each {0} of a guess is marked. G: the {0} is right here. Y: the {0} occurs elsewhere. B: "
        "the {0} occurs nowhere else; if it stands in your guess several times, only as many of "
        "them are G or Y as the secret has."
    ),
    "present": (
        "Each {0} of a guess is marked. G: the {0} is right here. Y: the {0} occurs in the secret, "
        "but not here. B: it does not occur. Repeated {0}s are not counted."
    ),
}
_PEGS_MEAN = (
    "A guess is answered by two numbers: how many symbols are right and stand in the right "
    "position, and how many others occur elsewhere in the secret."
)
_MODES = {
    "hard": (
        "Hard mode: {0}s marked G stay where they are, and {0}s marked Y are used again in every "
        "later guess."
    ),
    "strict": "Strict mode: every guess must fit all marks so far.",
}
_ILLEGAL = {
    "retry": "A guess that is not allowed is refused and does not count.",
    "turn": "A guess that is not allowed uses up a turn.",
    "forfeit": "A guess that is not allowed loses the game.",
}
_BOARDS = (
    "Each is on a board of its own, and all are different. Every guess is made on all boards that "
    "are not solved yet."
)


def rules_text(game: Game, illegal: str = "retry") -> str:
    """The rules of a game, for a player that does not know it."""
    kind = _kind(game)
    has_tiles = game.rule.notation is TILES
    secret = f"{kind.secret}s" if game.boards > 1 else kind.secret
    count = f"{game.boards} " if game.boards > 1 else ""
    signs = "" if has_tiles else f" from {' '.join(game.lexicon.alphabet)}"
    limit = "" if game.cap is None else f" with at most {game.cap} guesses"
    size = f"{_counted(game.length, kind.sign)}{signs}"
    parts = [f"Find the {count}secret {secret} of {size}{limit}."]
    if game.boards > 1:
        parts.append(_BOARDS)
    parts.append(kind.guesses)
    parts.append(_TILES_MEAN[game.rule.name].format(kind.sign) if has_tiles else _PEGS_MEAN)
    if game.commuted:
        parts.append("An equation that differs from the secret only in its order wins, too.")
    if game.mode in _MODES:
        parts.append(_MODES[game.mode].format(kind.sign))
    parts.append(_ILLEGAL[illegal])
    return " ".join(parts)


def answers_text(game: Game) -> str:
    """The list of words that can be the secret, for tasks that show it."""
    each = "The secret is" if game.boards == 1 else "Every secret is"
    return f"{each} one of these {game.answer_count}: {' '.join(game.answers)}"


REPLY_FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "tool": "Make your guesses with the tool `guess`, one after the other.",
        "brackets": (
            "Think as long as you like, then end every reply with your next guess in square "
            "brackets."
        ),
    }
)


def feedback_text(
    game: Game, word: str, patterns: Sequence[str], guesses_left: int | None, boards_left: int = 1
) -> str:
    """The marks of a guess on each board, and how much is left."""
    has_tiles = game.rule.notation is TILES
    shown = " ".join(graphemes(word)) if has_tiles else word
    if game.boards == 1:
        marks = f"{shown}{chr(10) if has_tiles else ': '}{_marks(game, patterns[0])}"
        return f"{marks}\n{left_text(guesses_left)}"
    lines = [shown]
    for number, pattern in enumerate(patterns, 1):
        marks = "solved before" if pattern == SOLVED else _marks(game, pattern)
        lines.append(f"board {number}: {marks}")
    return "\n".join([*lines, left_text(guesses_left, boards_left)])


def _marks(game: Game, pattern: str) -> str:
    if game.rule.notation is TILES:
        return " ".join(pattern)
    black, white = pattern.split(",")
    return f"{black} in the right position, {white} elsewhere"


def left_text(guesses_left: int | None, boards_left: int = 1) -> str:
    """How many guesses are left, and how many boards if there are several."""
    boards = "" if boards_left == 1 else f", {boards_left} boards to solve"
    if guesses_left is None:
        return f"Guess again{boards}."
    return f"{_counted(guesses_left, 'guess')} left{boards}."


def won_text(guesses: int, boards: int = 1) -> str:
    """The end of a won game."""
    what = "Right" if boards == 1 else f"Right, all {boards} boards are solved"
    return f"{what}, with {_counted(guesses, 'guess')}. The game is over."


LOST = "That was the last guess. The game is lost."
FORFEITED = "The game is lost: too many guesses were not allowed."
FORFEITED_AT_ONCE = "The game is lost."
OVER = "The game is over; no guess counts any more."


def unlisted_text(game: Game, word: str) -> str:
    """Why a word that is not listed is refused. Makes no suggestions, which would be hints."""
    reason = game.form_objection(word)
    if reason is not None:
        return f"{word!r} {reason}."
    kind = _kind(game)
    length = len(graphemes(key(word)))
    if length != game.length:
        return f"{word!r} has {_counted(length, kind.sign)}; give one with {game.length}."
    if game.rule.notation is not TILES:
        signs = " ".join(game.lexicon.alphabet)
        wanted = f"give {game.length} symbols from {signs}"
        return f"{word!r} is no code of this game; {wanted}. {kind.guesses}"
    wanted = f"give a common one with {_counted(game.length, kind.sign)}"
    return f"{word!r} is not in the list; {wanted}."


def malformed_text(reply: str) -> str:
    """Why a reply without a guess is refused."""
    tail = " ".join(reply.split())[-60:]
    shown = f"{tail!r} has" if tail else "an empty reply has"
    return f"{shown} no guess in it; end your reply with one guess in square brackets."


def _kind(game: Game) -> _Kind:
    listed = _Kind() if game.rule.notation is TILES else _LISTED_CODES
    return _KINDS.get(game.name.partition(":")[0], listed)


def _counted(count: int, noun: str) -> str:
    """`1 letter`, `5 letters`."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}{'' if count == 1 else plural}"


def without_thinking(reply: str) -> str:
    """A reply without its `<think>` blocks. Some templates open the block themselves, so that only
    its end is in the reply.

    >>> without_thinking("<think>[salet]?</think> [crane]"), without_thinking("No.</think>[crane]")
    (' [crane]', '[crane]')
    """
    return _END_OF_THINKING.sub("", _THINKING.sub("", reply))


def read_guess(reply: str) -> str | None:
    """The guess in a reply; None if there is none.

    The last one in `<guess>` tags or in square brackets counts; a reply of a single word needs
    neither. Text in `<think>` tags is ignored.

    >>> read_guess("Not [salet]; I choose [ crane ]."), read_guess("Crane!"), read_guess("no idea")
    ('crane', 'Crane', None)
    """
    text = without_thinking(reply[-MAX_REPLY:])
    for form in (_TAGGED, _BRACKETED):
        found = form.findall(text)
        if found:
            return str(found[-1]).strip(_EDGES) or None
    bare = text.strip(_EDGES)
    return bare if bare and len(bare.split()) == 1 else None
