"""The player that follows a plan, in memory, in a file or shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet import Game, Plan, simulate, strategy_named
from salet.errors import InputError
from salet.strategies.planned import Planned


@pytest.fixture
def plan(tiny_game) -> Plan:
    return Plan.grow(tiny_game(), strategy_named("parts").choose)


@pytest.mark.tiny
def test_it_plays_as_the_player_that_the_plan_was_grown_from(plan: Plan, tmp_path: Path) -> None:
    plan.save(tmp_path / "plan.json")
    expected = simulate(plan.game, "parts")
    for player in (Planned(plan), strategy_named(f"plan:{tmp_path / 'plan.json'}")):
        played = simulate(plan.game, player)
        assert (played.total, played.histogram) == (expected.total, expected.histogram)


@pytest.mark.tiny
def test_it_refuses_states_outside_the_plan(plan: Plan) -> None:
    other = next(word for word in plan.game.guesses if word != plan.root.guess)
    feedback = plan.game.feedback(other, plan.game.answers[-1])
    with pytest.raises(InputError, match=f"the plan has no guess after {other}:{feedback}"):
        Planned(plan).choose(plan.game.start().after(other, feedback))


def test_shipped_plans_are_played_by_name() -> None:
    assert strategy_named("plan:original-hard").choose(Game.named("original").start()) == "salet"


def test_a_file_takes_precedence_over_a_shipped_plan(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan.save("original-normal", "json")
    player = strategy_named("plan:original-normal")
    assert player.choose(plan.game.start()) == plan.root.guess
