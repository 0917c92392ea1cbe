"""Make the shipped books of replies: `python benchmarks/reply_books.py original normal`.

Adds to src/salet/search/reply_books what it does not have yet: for every opener of
`reply_book.OPENERS` the best second guess after every pattern, with its cost and worst case, all by
exact search. The book is written after every opener, so an interrupted run is resumed; --seconds
ends one early. Positions that take long come last. Of guesses of equal cost the book has the one
that the coach ranks first.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from record import store

from salet import Game
from salet.game.state import State
from salet.game.weights import prior_weights
from salet.search.budget import Budget, Clock
from salet.search.reply_book import (
    FOLDER,
    OPENERS,
    Place,
    Reply,
    book_path,
    find_reply,
    positions,
    read_book,
    write_book,
)
from salet.search.value import Evaluator, SearchInterruptedError

MEGABYTES = 512
FEW_NODES = 20_000
"""Positions whose search expands more states, which takes some seconds, are found last."""


class Maker:
    """Adds replies to those of a book, and writes it."""

    def __init__(self, game: Game, replies: dict[Place, Reply], path: Path, clock: Clock) -> None:
        self.game, self.replies, self.path, self.clock = game, replies, path, clock
        self.likelihood = prior_weights(game)
        self.evaluator = Evaluator(game, megabytes=MEGABYTES)
        self.evaluator.warm_up()
        self.later: list[State] = []
        """positions that take long"""

    def run(self, threads: int) -> None:
        """Find all replies that are missing: first those that are found quickly."""
        with ThreadPoolExecutor(threads) as pool:
            for opener in OPENERS:
                states = positions(self.game, opener)
                missing = [one for one in states if one.history[0] not in self.replies]
                list(pool.map(self.try_quickly, missing))
                self.write(opener)
            for found in as_completed([pool.submit(self.find, state) for state in self.later]):
                self.write(str(found.result()))

    def try_quickly(self, state: State) -> None:
        seconds = self.clock.budget.seconds - self.clock.seconds
        try:
            self.find(state, Budget(seconds, nodes=FEW_NODES).start())
        except SearchInterruptedError:
            self.later.append(state)

    def find(self, state: State, clock: Clock | None = None) -> State:
        found = find_reply(self.evaluator, state, self.likelihood, clock or self.clock)
        self.replies[state.history[0]] = found
        return state

    def write(self, what: str) -> None:
        """Write the book; say what was found last."""
        write_book(self.path, self.game, dict(self.replies))
        print(f"{self.clock.seconds:.0f} s: {what}, {len(self.later)} for later", flush=True)


def figures(game: Game, replies: dict[Place, Reply], path: Path) -> dict[str, Any]:
    """What the book has."""
    places = [state.history[0] for opener in OPENERS for state in positions(game, opener)]
    assert set(replies) <= set(places), "the book has positions that it should not have"
    return {
        "game": game.name,
        "mode": game.mode,
        "cap": game.cap,
        "openers": len(OPENERS),
        "positions": len(places),
        "replies": len(replies),
        "positions that lose answers": sum(reply.cost.losses > 0 for reply in replies.values()),
        "bytes": path.stat().st_size,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("mode", choices=("normal", "hard"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    game = Game.named(asked.game, mode=asked.mode)
    begin = time.process_time()
    FOLDER.mkdir(exist_ok=True)
    path = book_path(game)
    old = read_book(path, game) if path.is_file() else None
    replies: dict[Place, Reply] = {}
    if old is not None:
        kept = {game.index(opener) for opener in OPENERS}
        replies = {place: reply for place, reply in old.replies.items() if place[0] in kept}
    with contextlib.suppress(SearchInterruptedError):
        Maker(game, replies, path, Budget(asked.seconds).start()).run(asked.threads)
    write_book(path, game, replies)
    store(
        f"replies-{game.name}-{game.mode}",
        f"python benchmarks/reply_books.py {asked.game} {asked.mode}",
        {
            **figures(game, replies, path),
            "cpu_seconds of the last run": round(time.process_time() - begin, 1),
        },
    )


if __name__ == "__main__":
    main()
