"""Tables of openers are what they say: facts, well ordered, found again after they are written."""

from __future__ import annotations

import random

import numpy as np
import pytest

import naive
from salet import Game
from salet.coach.coach import Coach
from salet.errors import DataError
from salet.search.fact_file import words_digest
from salet.search.opener_table import (
    FOLDER,
    make_table,
    rank_bounds,
    read_columns,
    shipped_openers,
    table_path,
    write_table,
)
from salet.search.shipped import shipped_plan
from salet.search.value import Cost, Evaluator

GAMES = [(name, mode) for name in ("original", "nyt-2023-07") for mode in ("normal", "hard")]


def test_the_games_that_people_play_have_tables() -> None:
    assert {path.stem for path in FOLDER.glob("*.openers")} == {f"{n}-{m}" for n, m in GAMES}


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_a_shipped_table(name: str, mode: str) -> None:
    game = Game.named(name, mode=mode)
    table = shipped_openers(game)
    assert table is not None
    assert table.words == words_digest(game)
    assert sorted(opener.guess for opener in table.openers) == sorted(game.guesses)
    exact = table.exact
    assert exact == table.openers[: len(exact)]
    assert [opener.lower for opener in exact] == sorted(opener.lower for opener in exact)
    assert table.lower <= exact[0].lower
    assert exact[0].best_rank == 1
    for opener in (*exact[:3], *table.openers[-2:]):
        found = naive.groups("standard", opener.guess, game.answers)
        sizes = [len(group) for group in found.values()]
        assert (opener.groups, opener.largest) == (len(sizes), max(sizes))
        assert opener.is_answer == (opener.guess in game.answers)
    plan = shipped_plan(game)
    if plan is not None:
        assert (exact[0].guess, exact[0].lower) == (plan.root.guess, plan.facts["total"])


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_a_search_finds_what_a_table_says(mode: str) -> None:
    game = Game.named("original", mode=mode)
    table = shipped_openers(game)
    assert table is not None
    evaluator = Evaluator(game)
    for word in ("crane", table.exact[len(table.exact) // 2].guess):
        opener = table.find(word)
        assert opener is not None and opener.exact
        assert evaluator.total(game.start(), game.index(word)) == opener.lower


def test_an_opener_that_cannot_keep_the_cap() -> None:
    table = shipped_openers(Game.named("original", mode="hard"))
    assert table is not None
    slate = table.find("slate")
    assert slate is not None
    assert (slate.keeps_cap, slate.upper, slate.cost) == (False, None, Cost(1, 8129))


def test_other_games_have_none() -> None:
    for game in (Game.named("original", cap=7), Game.named("original:first=50"),
                 Game.named("original").replace(weights=[2] * 2315)):  # fmt: skip
        assert shipped_openers(game) is None


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_the_first_advice_needs_no_table_of_patterns(name: str, mode: str) -> None:
    """Without caches the opener must show at once: nothing is compiled or scored for it."""
    coach = Coach(Game.named(name, mode=mode))
    advice = next(coach.suggest())
    assert coach.openers is not None
    assert advice.guess == coach.openers.openers[0].guess
    assert "compiled" not in vars(coach.game)
    assert advice.proven == (shipped_plan(coach.game) is not None)


def test_ranks_hold_for_all_totals_within_the_bounds() -> None:
    rng = random.Random(5)
    for _ in range(50):
        count = rng.randint(1, 8)
        lower = np.array([rng.randint(10, 16) for _ in range(count)])
        upper = np.array(
            [rng.choice([0, -1, int(low), int(low) + rng.randint(0, 4)]) for low in lower]
        )
        best, worst = rank_bounds(lower, upper)
        for _ in range(20):
            totals = [
                10**6 if high < 0 else rng.randint(low, high if high else low + 9)
                for low, high in zip(lower.tolist(), upper.tolist(), strict=True)
            ]
            for at, total in enumerate(totals):
                rank = 1 + sum(other < total for other in totals)
                assert best[at] <= rank <= worst[at]
        exact = np.flatnonzero(lower == upper)
        if len(exact) == count:
            assert (best == worst).all()


def columns_of(game: Game) -> dict[str, np.ndarray]:
    count = len(game.guesses)
    return {
        "lower": np.arange(90, 90 + count),
        "upper": np.where(np.arange(count) % 3 == 0, np.arange(90, 90 + count), 0),
        "losses": np.zeros(count, np.int64),
        "worst": np.arange(count) % 7,
        "groups": np.arange(1, 1 + count),
        "largest": np.full(count, 9),
    }


def test_a_table_is_written_and_read(tmp_path) -> None:
    game = Game.named("original:first=20,guesses=answers")
    columns = columns_of(game)
    columns["upper"][4], columns["losses"][4] = -1, 3
    path = table_path(game, tmp_path)
    write_table(path, game, columns)
    header, found = read_columns(path)
    assert (header["game"], header["cap"], header["openers"]) == (game.name, 6, 20)
    assert all(np.array_equal(found[name], columns[name]) for name in columns)
    table = make_table(game, **found)
    last = table.openers[-1]
    assert (last.guess, last.keeps_cap, last.upper) == (game.guesses[4], False, None)
    assert (last.losses, last.cost) == (3, Cost(3, 94))
    assert [opener.exact for opener in table.openers].count(True) == 7
    bounded = table.find(game.guesses[1])
    assert bounded is not None
    assert (bounded.keeps_cap, bounded.upper, bounded.worst) == (None, None, 1)
    assert table.find("zzzzz") is None


def test_a_damaged_table_is_refused(tmp_path) -> None:
    game = Game.named("original:first=20,guesses=answers")
    path = tmp_path / "x.openers"
    write_table(path, game, columns_of(game))
    good = path.read_bytes()
    for bad in (b"", good[:-4], good.replace(b"openers 1", b"openers 9"), good[:99] + b"\0" * 30,
                good.replace(b'"sha256": "', b'"sha256": "0')):  # fmt: skip
        path.write_bytes(bad)
        with pytest.raises(DataError, match="is damaged"):
            read_columns(path)
