"""Find the exact cost of well-known first guesses: `python benchmarks/openers.py`.

Adds to src/salet/coach/openers.json, with which the coach opens at once, what is missing there; an
opener that takes longer than --seconds is left out. Minutes for `original`, an hour for `nyt`.
"""

from __future__ import annotations

import argparse
import json
import time

import msgspec

from salet import Game
from salet.coach.opening_book import FILE, OpeningBook, StoredOpener, words_digest
from salet.coach.valuation import Valuation
from salet.search.splits import splits
from salet.search.value import Budget, Evaluator

OPENERS = """
tarse salet crane slate reast trace crate adieu raise arise stare soare audio carle roate tares
least stale irate torse carte slane trice leant raile lares rales arose later tears dealt plate
train heart react caret toile snare parse ratio
"""


def facts(valuation: Valuation, game: Game, word: str) -> StoredOpener | None:
    """The opener's exact cost, or None if time runs out."""
    start, guess = game.start(), game.index(word)
    found = valuation.of_guess(start, guess)
    if not found.exact:
        return None
    shape = splits(start, start.legal[guess : guess + 1])
    return StoredOpener(
        guess=word,
        losses=found.upper.losses,
        guesses=found.upper.guesses,
        worst=valuation.worst_of_guess(start, guess),
        groups=int(shape.parts[0]),
        largest=int(shape.largest[0]),
    )


def measure(name: str, mode: str, seconds: float) -> None:
    """Add what is missing for a game and mode, and save after each opener."""
    game = Game.named(name, mode=mode)
    stored = (
        msgspec.convert(json.loads(FILE.read_text()), list[OpeningBook]) if FILE.exists() else []
    )
    mine = [old for old in stored if (old.game, old.mode) == (game.name, mode)]
    others = [old for old in stored if old not in mine]
    kept = {
        opener.guess: opener
        for old in mine
        if old.words == words_digest(game)
        for opener in old.openers
    }
    bounds = splits(game.start()).guess_bounds
    evaluator = Evaluator(game)
    for word in OPENERS.split():
        before = kept.get(word)
        whole = before is not None and (before.worst is not None or before.losses)
        if whole or word not in game.lexicon.places:
            continue
        begin = time.perf_counter()
        found = facts(Valuation(evaluator, Budget(seconds).start()), game, word)
        print(game.name, mode, word, found, f"{time.perf_counter() - begin:.1f} s", flush=True)
        if found is None:
            continue
        kept[word] = found
        now = OpeningBook(
            game=game.name,
            mode=mode,
            rule=game.rule.name,
            cap=game.cap,
            words=words_digest(game),
            lower=int(bounds.min()),
            openers=sorted(kept.values(), key=lambda opener: (opener.cost, opener.guess)),
        )
        save(sorted([*others, now], key=lambda one: (one.game, one.mode)))


def save(stored: list[OpeningBook]) -> None:
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in stored)
    FILE.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--game", choices=("original", "nyt"))
    parser.add_argument("--mode", choices=("normal", "hard"))
    asked = parser.parse_args()
    for name in ("original", "nyt") if asked.game is None else (asked.game,):
        for mode in ("normal", "hard") if asked.mode is None else (asked.mode,):
            measure(name, mode, asked.seconds)
