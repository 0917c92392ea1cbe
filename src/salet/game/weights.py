"""Weights of answers: by how likely each is to be the answer, or from a file."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import numpy as np

from salet.array_types import Ints
from salet.errors import InputError
from salet.game.game import MAX_WEIGHT, Game
from salet.game.lexicon import key

UNIT = 10**6
"""A word with a share p of the occurrences of all answers weighs max(1, round(UNIT * p))."""
PAST = 0.1
"""Factor for past answers: answers have been used again, but rarely."""
PLURAL = 0.2
"""Factor for plurals in -s: the lists contain few, and few of those were chosen."""


def weighted(game: Game, source: str) -> Game:
    """The game with the weights of `prior_weights` (`prior`), or of a file."""
    if source != "prior":
        return game.replace(weights=read_weights(Path(source), game))
    if not game.frequencies:
        raise InputError(
            f"no word frequencies for {game.name!r}; give a file of `word weight` lines"
        )
    return game.replace(weights=prior_weights(game)[: game.answer_count].tolist())


def prior_weights(game: Game, past: Collection[str] = ()) -> Ints:
    """A weight of at least 1 for every guess: how likely it is to be the answer.

    That is its frequency in running text, less for `past` answers and for plurals. Without
    frequencies all words weigh the same, apart from past answers.
    """
    counts = game.frequencies
    keys = [key(word) for word in game.guesses]
    total = sum(counts.get(word, 0) for word in keys[: game.answer_count]) or 1
    used = {key(word) for word in past}
    weights = np.ones(len(keys), np.int64)
    for index, word in enumerate(keys):
        share = counts.get(word, 0) / total if counts else 1 / len(keys)
        if word in used:
            share *= PAST
        if counts and _is_plural(word):
            share *= PLURAL
        weights[index] = max(1, round(UNIT * share))
    return weights


def _is_plural(word: str) -> bool:
    """Whether a word looks like an English plural: glass, focus, basis and chaos do not."""
    return word.endswith("s") and word[-2:-1] not in ("s", "u", "i", "o")


def read_weights(path: Path, game: Game) -> list[int]:
    """The weights in a file of `word weight` lines; an answer that is not listed weighs 1."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"cannot read weights {str(path)!r}: {reason.lower()}") from None
    weights = [1] * game.answer_count
    seen: dict[int, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path} line {number} {line.strip()!r}"
        word, *rest = re.split(r"[\s,;=]+", line.strip())
        if len(rest) != 1 or not re.fullmatch(r"-?\d+", rest[0]):
            raise InputError(f"{where}: write a word and a whole number, as in 'crane 5'")
        if not 1 <= int(rest[0]) <= MAX_WEIGHT:
            raise InputError(f"{where}: a weight is a whole number from 1 to {MAX_WEIGHT}")
        index = game.lexicon.indices.get(key(word))
        if index is None or index >= game.answer_count:
            raise InputError(f"{where}: {word!r} is not one of the answers of {game.name}")
        if index in seen:
            raise InputError(f"{where}: {word!r} is already on line {seen[index]}")
        seen[index] = number
        weights[index] = int(rest[0])
    if not seen:
        raise InputError(f"{str(path)!r} is empty; write lines of a word and a whole number")
    return weights
