"""Weights of answers: from a file, or from how often words occur in running text."""

from __future__ import annotations

import re
from pathlib import Path

from salet.errors import InputError
from salet.game.game import MOST_WEIGHT, Game
from salet.game.lexicon import key
from salet.game.packs import store

UNIT = 10**6
"""a probability p becomes the weight max(1, round(UNIT * p))"""


def weighted(game: Game, spec: str) -> Game:
    """The game with weights by frequency (`prior`) or from a file of `word weight` lines."""
    weights = prior(game) if spec == "prior" else read_weights(Path(spec), game)
    return game.with_(weights=weights)


def prior(game: Game) -> list[int]:
    """Weights by frequency, for games whose pack has counts of words."""
    pack = game.name.partition(":")[0]
    known = pack in store.shipped_names()
    counts = store.frequencies(pack) if known else {}
    if not counts:
        raise InputError(
            f"no word frequencies for {game.name!r}; give a file of lines `word weight`"
        )
    found = [counts.get(key(word), 0) for word in game.answers]
    total = sum(found) or 1
    return [max(1, round(UNIT * count / total)) for count in found]


def read_weights(path: Path, game: Game) -> list[int]:
    """`word weight` lines; an answer that is not listed weighs 1."""
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
        if not 1 <= int(rest[0]) <= MOST_WEIGHT:
            raise InputError(f"{where}: a weight is a whole number from 1 to {MOST_WEIGHT}")
        place = game.lexicon.places.get(key(word))
        if place is None or place >= game.answer_count:
            raise InputError(f"{where}: {word!r} is not one of the answers of {game.name}")
        if place in seen:
            raise InputError(f"{where}: {word!r} stands on line {seen[place]} too")
        seen[place] = number
        weights[place] = int(rest[0])
    if not seen:
        raise InputError(f"{str(path)!r} is empty; write lines of a word and a whole number")
    return weights
