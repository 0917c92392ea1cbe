"""Books of replies: the best second guess after popular openers, proven. They ship with salet.

`benchmarks/reply_books.py` makes them. A book has every pattern of its openers that leaves three
answers or more; with fewer nothing needs to be searched. Each reply is a best guess, the cost of
the position and the smallest worst case at that cost. Only the coach reads books, and only of
exactly its game: players, `solve` and `prove` search.

A file (fact_file.py) names its openers in the header and has one row for each pattern, in order:
opener (index in the header), pattern (code), guess (index in the game's order), losses and guesses
of the best plan, worst (its worst case; 0 if an answer is lost).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from salet.array_types import Ints
from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import Clock
from salet.search.fact_file import FactFormat, is_about, read_facts, write_facts
from salet.search.value import Cost, Evaluator

FOLDER = Path(__file__).parent / "reply_books"
MIN_ANSWERS = 3
"""Smallest position in a book."""
_WORDS = (
    "adieu stare slate crane raise audio arise irate soare trace salet tares least stale saint "
    "train crate roate great heart house about ouija canoe aisle alert alone arose atone carte "
    "earth later learn media notes ocean orate party plant react reast roast share snare steal "
    "tales tears"
)
OPENERS = tuple(_WORDS.split())
"""Words that many people begin with, for which books are made; best known first."""

_FORMAT = FactFormat(
    name="salet replies 1",
    title="book of replies",
    rows="replies",
    columns=(
        ("opener", "<u2"),
        ("pattern", "<u4"),
        ("guess", "<u2"),
        ("losses", "<u2"),
        ("guesses", "<u4"),
        ("worst", "<u1"),
    ),
)

Place = tuple[int, int]
"""An opener and the code of its pattern, as in the history of a state."""


class Reply(NamedTuple):
    """A best guess of a position, and what the position costs."""

    guess: int
    """of the guesses of this cost one with the smallest worst case; candidates first, then likely
    words"""
    cost: Cost
    worst: int | None
    """smallest worst case of plans of this cost; None if an answer is lost"""


class ReplyBook(NamedTuple):
    """The replies of a game and mode."""

    openers: tuple[str, ...]
    replies: Mapping[Place, Reply]

    def find(self, state: State) -> Reply | None:
        """The reply in a state of the book's game; None if the book does not have it."""
        return self.replies.get(state.history[0]) if state.turn == 1 else None


def positions(game: Game, opener: str) -> Iterator[State]:
    """The positions after an opener that a book has."""
    for state in game.start().groups(game.index(opener)).values():
        if len(state.candidates) >= MIN_ANSWERS:
            yield state


def find_reply(evaluator: Evaluator, state: State, likelihood: Ints, clock: Clock) -> Reply:
    """The reply in a state, by search; `likelihood` orders guesses that are equally good."""
    cost = evaluator.cost(state, clock=clock)
    worst = None if cost.losses else _smallest_worst_case(evaluator, state, cost, clock)
    ties = evaluator.ties(state, depth=worst, clock=clock)
    members = set(state.candidates.tolist())
    guess = min(ties, key=lambda guess: (guess not in members, -int(likelihood[guess]), guess))
    return Reply(guess, cost, worst)


def _smallest_worst_case(evaluator: Evaluator, state: State, cost: Cost, clock: Clock) -> int:
    """The fewest guesses that suffice for some plan of this cost, which loses no answer."""
    depth = 2
    while evaluator.total(state, beta=cost.guesses + 1, depth=depth, clock=clock) > cost.guesses:
        depth += 1
    return depth


# ---- files


def book_path(game: Game, folder: Path = FOLDER) -> Path:
    """Where the book of a game is stored."""
    return folder / f"{game.name}-{game.mode}.replies"


def write_book(path: Path, game: Game, replies: Mapping[Place, Reply]) -> None:
    """Write a book, completely or not at all."""
    openers = sorted({opener for opener, _ in replies}, key=lambda opener: game.guesses[opener])
    index = {opener: at for at, opener in enumerate(openers)}
    rows = sorted(
        (index[opener], pattern, guess, cost.losses, cost.guesses, worst or 0)
        for (opener, pattern), (guess, cost, worst) in replies.items()
    )
    names = [name for name, _ in _FORMAT.columns]
    columns: list[Ints] = list(np.array(rows, np.int64).reshape(-1, len(names)).T)
    words = [game.guesses[opener] for opener in openers]
    write_facts(path, game, _FORMAT, dict(zip(names, columns, strict=True)), openers=words)


def read_book(path: Path, game: Game) -> ReplyBook | None:
    """The book in a file; None if it is about another game, DataError if it is damaged."""
    header, columns = read_facts(path, _FORMAT)
    if not is_about(header, game):
        return None
    try:
        openers = [game.index(word) for word in header["openers"]]
        rows = zip(*(columns[name].tolist() for name, _ in _FORMAT.columns), strict=True)
        replies = {
            (openers[at], pattern): Reply(guess, Cost(losses, guesses), worst or None)
            for at, pattern, guess, losses, guesses, worst in rows
        }
        if any(reply.guess >= len(game.guesses) for reply in replies.values()):
            raise IndexError("a guess is out of range")
    except (InputError, KeyError, IndexError, TypeError, ValueError) as error:
        raise DataError(f"book of replies {str(path)!r} is damaged ({error})") from None
    return ReplyBook(tuple(game.guesses[opener] for opener in openers), replies)


def shipped_replies(game: Game) -> ReplyBook | None:
    """The book of exactly this game, all answers alike; None if there is none."""
    path = book_path(game)
    return read_book(path, game) if path.is_file() else None
