"""Make the shipped books of replies: `python benchmarks/reply_books.py original normal`.

Adds to src/salet/search/reply_books what it does not have yet: for every opener of
`reply_book.OPENERS` the best second guess after every pattern, with its cost and worst case, all by
exact search. The book is written every few positions, so an interrupted run is resumed; --seconds
ends one early. Of guesses of equal cost the book has the one that the coach ranks first.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
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
BATCH = 8
"""Positions that are found before the book is written again."""


def add_replies(
    game: Game, replies: dict[Place, Reply], path: Path, clock: Clock, threads: int
) -> None:
    """Find the replies that are missing, and write them."""
    evaluator = Evaluator(game, megabytes=MEGABYTES)
    evaluator.warm_up()
    likelihood = prior_weights(game)

    def add(state: State) -> None:
        replies[state.history[0]] = find_reply(evaluator, state, likelihood, clock)

    for number, opener in enumerate(OPENERS, 1):
        missing = [state for state in positions(game, opener) if state.history[0] not in replies]
        missing.sort(key=lambda state: -len(state.candidates))
        with ThreadPoolExecutor(threads) as pool:
            for begin in range(0, len(missing), BATCH):
                list(pool.map(add, missing[begin : begin + BATCH]))
                write_book(path, game, replies)
        print(f"{number} of {len(OPENERS)}: {opener}, {clock.seconds:.0f} s", flush=True)


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
        add_replies(game, replies, path, Budget(asked.seconds).start(), asked.threads)
    write_book(path, game, replies)
    store(
        f"replies-{game.name}-{game.mode}",
        f"python benchmarks/reply_books.py {asked.game} {asked.mode}",
        {**figures(game, replies, path), "cpu_seconds": round(time.process_time() - begin, 1)},
    )


if __name__ == "__main__":
    main()
