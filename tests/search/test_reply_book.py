"""Books of replies are what they say: best second guesses and what positions cost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import naive
import random_games
from salet import Game
from salet.errors import DataError
from salet.game.state import State
from salet.game.weights import prior_weights
from salet.search.budget import UNLIMITED
from salet.search.reply_book import (
    FOLDER,
    OPENERS,
    Reply,
    ReplyBook,
    book_path,
    find_reply,
    positions,
    read_book,
    shipped_replies,
    write_book,
)
from salet.search.value import Cost, Evaluator

MISSING = {("nyt-2023-07", "hard"): 50}
"""positions whose search takes minutes, which are not in the books yet"""
GAMES = [(name, mode) for name in ("original", "nyt-2023-07") for mode in ("normal", "hard")]


def shipped(name: str, mode: str) -> tuple[Game, ReplyBook]:
    game = Game.named(name, mode=mode)
    book = shipped_replies(game)
    assert book is not None
    return game, book


def test_the_games_that_people_play_have_books() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {f"{name}-{mode}" for name, mode in GAMES}
    assert len(set(OPENERS)) == len(OPENERS)


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_a_shipped_book_has_every_position_of_its_openers(name: str, mode: str) -> None:
    game, book = shipped(name, mode)
    assert set(book.openers) == set(OPENERS)
    states = {state.history[0]: state for opener in OPENERS for state in positions(game, opener)}
    assert book.replies.keys() <= states.keys()
    missing = len(states) - len(book.replies)
    assert missing <= MISSING.get((name, mode), 0)
    for place, (guess, cost, worst) in book.replies.items():
        state = states[place]
        assert cost.guesses >= state.size_bound
        assert (worst is None) == (cost.losses > 0)
        assert state.guesses_left is not None
        assert worst is None or 2 <= worst <= state.guesses_left
        assert state.check(guess) == guess
    assert book_path(game).stat().st_size < 60_000
    assert book.find(game.start()) is None


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_a_search_finds_what_a_book_says(name: str, mode: str) -> None:
    game, book = shipped(name, mode)
    rng = random.Random(f"{name} {mode}")
    states = [state for opener in rng.sample(book.openers, 6) for state in positions(game, opener)]
    evaluator = Evaluator(game)
    for state in rng.sample([state for state in states if len(state.candidates) <= 60], 25):
        reply = book.find(state)
        assert reply is not None
        check_reply(evaluator, state, reply)


def check_reply(evaluator: Evaluator, state: State, reply: Reply) -> None:
    guess, cost, worst = reply
    assert evaluator.cost(state) == cost
    assert evaluator.cost(state, guess) == cost
    if worst is not None:
        assert evaluator.total(state, guess, depth=worst) == cost.guesses
        assert evaluator.total(state, beta=cost.guesses + 1, depth=worst - 1) > cost.guesses


def make_book(game: Game, openers: Sequence[str]) -> ReplyBook:
    """Every reply to these openers, as benchmarks/reply_books.py finds them."""
    evaluator, likelihood, clock = Evaluator(game), prior_weights(game), UNLIMITED.start()
    replies = {
        state.history[0]: find_reply(evaluator, state, likelihood, clock)
        for opener in openers
        for state in positions(game, opener)
    }
    return ReplyBook(tuple(openers), replies)


@pytest.mark.parametrize("chunk", range(3))
def test_replies_are_the_optimum_by_brute_force(chunk: int) -> None:
    found = 0
    for number in range(chunk, 300, 3):
        tiny = replace(random_games.case(number).game, weights=None)
        if tiny.cap == 1:
            continue
        game = Game(tiny.answers, tiny.guesses, rule=tiny.rule, mode=tiny.mode, cap=tiny.cap)
        opener = game.guesses[-1]
        book = make_book(game, [opener])
        for state in positions(game, opener):
            reply = book.find(state)
            assert reply is not None
            found += 1
            check_by_brute_force(tiny, state, reply)
    assert found > 20


def check_by_brute_force(tiny: naive.Tiny, state: State, reply: Reply) -> None:
    ((guess, _),) = state.history
    word = tiny.guesses[guess]
    history = [(word, naive.RULES[tiny.rule](word, tiny.answers[int(state.candidates[0])]))]
    oracle = naive.solve(tiny, "win-then-mean", history)
    assert oracle is not None
    assert reply.cost == Cost(oracle.losses, oracle.total - oracle.losses)
    if not oracle.losses:
        oracle = naive.solve(tiny, "mean-then-worst", history)
        assert oracle is not None
        assert reply.worst == oracle.worst
    members = set(state.candidates.tolist())
    assert reply.guess in oracle.guesses
    assert reply.guess in members or not members & set(oracle.guesses)


SMALL = "original:first=40,guesses=answers"


def test_a_book_is_written_and_read(tmp_path: Path) -> None:
    game = Game.named(SMALL, mode="hard", cap=3)
    book = make_book(game, game.guesses[5:8])
    assert any(reply.cost.losses for reply in book.replies.values())
    path = book_path(game, tmp_path)
    write_book(path, game, book.replies)
    found = read_book(path, game)
    assert found is not None
    assert found.replies == book.replies
    assert found.openers == tuple(sorted(book.openers))
    write_book(path, game, {})
    assert read_book(path, game) == ReplyBook((), {})


def test_a_book_of_another_game_is_not_used(tmp_path: Path) -> None:
    game = Game.named(SMALL, cap=4)
    path = tmp_path / "x.replies"
    write_book(path, game, make_book(game, game.guesses[:1]).replies)
    assert read_book(path, game) is not None
    others = [
        Game.named(SMALL, cap=5),
        Game.named(SMALL, cap=4, mode="hard"),
        Game.named(SMALL, cap=4, rule="present"),
        Game.named("original:first=41,guesses=answers", cap=4),
        game.replace(weights=[2] * 40),
    ]
    for other in others:
        assert read_book(path, other) is None
    for other in (Game.named("original", cap=7), Game.named(SMALL),
                  Game.named("original").replace(weights=[2] * 2315)):  # fmt: skip
        assert shipped_replies(other) is None


def test_a_damaged_book_is_refused(tmp_path: Path) -> None:
    game = Game.named(SMALL)
    path = tmp_path / "x.replies"
    replies = make_book(game, game.guesses[:2]).replies
    write_book(path, game, replies)
    good = path.read_bytes()
    first = game.guesses[0].encode()
    damaged = [
        b"",
        good[:-4],
        good[:99] + b"\0" * 30,
        good.replace(b"replies 1", b"replies 9"),
        good.replace(b'"sha256": "', b'"sha256": "0'),
        good.replace(first, b"zzzzz"),
        good.replace(b'"openers": [', b'"openers": [[], '),
    ]
    for bad in damaged:
        assert bad != good
        path.write_bytes(bad)
        with pytest.raises(DataError, match="is damaged"):
            read_book(path, game)
    place, reply = next(iter(replies.items()))
    write_book(path, game, {place: reply._replace(guess=40)})
    with pytest.raises(DataError, match="is damaged"):
        read_book(path, game)
