"""Find the exact worth of well-known first guesses: `python benchmarks/openers.py`.

Writes src/salet/coach/openers.json, with which the coach opens at once. Whatever is stored there
for an opener is kept; an opener that takes longer than --seconds is left out.
"""

from __future__ import annotations

import argparse
import json
import time

import msgspec

from salet import Game
from salet.coach.openers import FILE, Opener, Openers, words_digest
from salet.coach.worth import Clock, Engines, Worths
from salet.search.partition import splits

BEST = ("salet", "tarse", "reast", "crate", "trace", "slate", "crane", "carle", "slane", "carte",
        "torse", "least", "stale", "stare", "trice", "leant", "raise", "arise", "soare", "roate",
        "raile", "tares", "lares", "rales", "arose", "irate", "later", "tears", "adieu", "audio",
        "dealt", "plate", "train", "heart", "react", "caret", "toile", "snare", "parse", "ratio")  # fmt: skip
GAMES = (("original", "normal"), ("original", "hard"), ("nyt", "normal"), ("nyt", "hard"))


def facts(worths: Worths, game: Game, word: str) -> Opener | None:
    """The opener's exact worth, or None if time runs out."""
    start, guess = game.start(), game.index(word)
    found = worths.of_guess(start, guess)
    if not found.exact:
        return None
    shape = splits(start, start.legal[guess : guess + 1])
    return Opener(
        guess=word,
        losses=found.upper.losses,
        guesses=found.upper.guesses,
        worst=worths.worst_of_guess(start, guess),
        groups=int(shape.parts[0]),
        largest=int(shape.largest[0]),
    )


def measure(name: str, mode: str, before: list[Openers], seconds: float) -> Openers:
    game = Game.named(name, mode=mode)
    shape = splits(game.start())
    bound = 3 * shape.answers - shape.parts - shape.is_candidate
    kept = {
        opener.guess: opener
        for old in before
        if (old.game, old.mode, old.words) == (game.name, mode, words_digest(game))
        for opener in old.openers
    }
    engines = Engines(game)
    for word in BEST:
        if word in kept or word not in game.lexicon.places:
            continue
        begin = time.perf_counter()
        found = facts(Worths(engines, Clock(seconds)), game, word)
        print(game.name, mode, word, found, f"{time.perf_counter() - begin:.1f} s", flush=True)
        if found is not None:
            kept[word] = found
    return Openers(
        game=game.name,
        mode=mode,
        rule=game.rule.name,
        cap=game.cap,
        words=words_digest(game),
        lower=int(bound.min()),
        openers=sorted(kept.values(), key=lambda opener: (opener.worth, opener.guess)),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    limit = parser.parse_args().seconds
    stored = msgspec.convert(json.loads(FILE.read_text()), list[Openers]) if FILE.exists() else []
    for name, mode in GAMES:
        found = measure(name, mode, stored, limit)
        stored = [old for old in stored if (old.game, old.mode) != (found.game, mode)] + [found]
        lines = ",\n".join(msgspec.json.encode(one).decode() for one in stored)
        FILE.write_text(f"[\n{lines}\n]\n")
