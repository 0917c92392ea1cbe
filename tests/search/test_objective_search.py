"""Every objective when guesses are decided one by one, as in large states."""

from __future__ import annotations

from pathlib import Path

import pytest

import naive
import random_games
from salet import Game
from salet.errors import DataError
from salet.search.solve import solve


@pytest.fixture(autouse=True)
def _every_state_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("salet.search.objective_search.OPENER_BY_OPENER", 1)


def test_the_optimum_of_random_games() -> None:
    lost = worst = 0
    for number in range(240):
        case = random_games.case(number)
        state = random_games.state_of(case)
        oracle = naive.solve(case.game, case.objective, case.turns, case.opener)
        found = solve(state, objective=case.objective, opener=case.opener, threads=1)
        assert found.proven, case
        assert found.total == (None if oracle is None else oracle.total), case
        if oracle is not None:
            if case.game.weights is None:  # otherwise these are lost weights
                assert found.losses == oracle.losses, case
            lost += oracle.losses > 0 and case.opener is None
            if oracle.worst is not None:
                assert found.worst == oracle.worst, case
            worst += case.objective == "worst" and case.opener is None
    assert min(lost, worst) > 5


def test_a_ranking_with_losses() -> None:
    met = 0
    for number in range(150):
        case = random_games.case(number)
        if case.objective != "win-then-mean" or case.opener is not None:
            continue
        state = random_games.state_of(case)
        found = solve(state, objective="win-then-mean", top=3, threads=1)
        if not found.losses or found.top is None:
            continue
        for row in found.top:
            oracle = naive.solve(
                case.game, "win-then-mean", case.turns, state.game.index(row.guess)
            )
            assert oracle is not None
            assert (row.losses, row.total) == (oracle.losses, oracle.total), case
            met += 1
    assert met


@pytest.mark.parametrize("objective", ["worst", "win-then-mean", "mean-then-worst"])
def test_a_checkpoint_holds_every_decided_guess(objective: str, tmp_path: Path) -> None:
    game = Game.named("original:first=60,guesses=answers", cap=3)
    game = game if objective == "win-then-mean" else game.replace(cap=6)
    whole = solve(game, objective=objective, threads=1)
    told: list[tuple[int, int]] = []
    first = solve(
        game,
        objective=objective,
        threads=1,
        checkpoint=tmp_path,
        progress=lambda *p: told.append(p),
    )
    assert (first.total, first.ties, first.losses) == (whole.total, whole.ties, whole.losses)
    assert all(0 <= done <= of for done, of in told)
    files = sorted(tmp_path.iterdir())
    assert files
    for file in files:  # half of each search is lost
        lines = file.read_text().splitlines(keepends=True)
        assert len(lines) > 30
        file.write_text("".join(lines[: len(lines) // 2]))
    again = solve(game, objective=objective, threads=1, checkpoint=tmp_path)
    assert (again.total, again.ties, again.losses) == (whole.total, whole.ties, whole.losses)
    assert sorted(tmp_path.iterdir()) == files
    with pytest.raises(DataError, match="belongs to another search"):
        solve(game.replace(mode="hard"), objective=objective, checkpoint=tmp_path)


def test_checkpoints_tell_states_apart(tmp_path: Path) -> None:
    game = Game.named("original:first=60,guesses=answers")
    solve(game, threads=1, checkpoint=tmp_path)
    later = max(game.start().groups(0).values(), key=lambda part: len(part.candidates))
    with pytest.raises(DataError, match="belongs to another search"):
        solve(later, threads=1, checkpoint=tmp_path)
