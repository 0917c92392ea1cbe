"""The coach on every path of the shipped plans."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from salet import Game
from salet.coach.appraisal import appraise
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.position import Position, read_position
from salet.coach.valuation import planned_cost
from salet.game.state import State
from salet.plan_formats import PlanNode
from salet.search.budget import Budget
from salet.search.shipped import FOLDER
from salet.strategies.simulate import simulate

PLANS = sorted(path.stem for path in FOLDER.glob("*.json"))


def nodes(coach: Coach) -> Iterator[tuple[State, PlanNode]]:
    """Every state of the plan with its node."""
    assert coach.plan is not None
    stack = [(coach.game.start(), coach.plan.root)]
    while stack:
        state, node = stack.pop()
        yield state, node
        for pattern, below in state.groups(coach.game.index(node.guess)).items():
            if pattern != coach.game.win:
                stack.append((below, node.branches[coach.game.show(pattern)]))


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_the_first_suggestion_along_every_path_has_the_plans_value(name: str) -> None:
    """And playing the plan loses nothing: its guess is worth just what the position is."""
    game, _, mode = name.rpartition("-")
    coach = Coach(Game.named(game, mode=mode))
    assert coach.plan is not None
    seen = 0
    for state, node in nodes(coach):
        cost, worst = planned_cost(node, state)
        first = next(coach.suggest(state, AdviceOptions(count=2)))
        assert first.expected == cost.guesses / len(state.candidates)
        assert first.losses == 0 and first.proven
        found = appraise(Position(coach, state), coach.game.index(node.guess), Budget(600).start())
        assert found.cost == found.guess_cost == cost and found.proven
        assert found.guess_row.worst is None or found.guess_row.worst <= worst
        seen += 1
    assert seen > 1000
    assert planned_cost(coach.plan.root, coach.game.start())[0].guesses == coach.plan.facts["total"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), [("original", "normal"), ("nyt", "hard")])
def test_every_prefix_of_every_game_is_accepted(name: str, mode: str) -> None:
    """No dead end, in a full simulation of a player that is not the coach."""
    game = Game.named(name, mode=mode)
    coach = Coach(game)
    played = simulate(game, "parts", opener="crane")
    seen: set[tuple[tuple[str, str], ...]] = set()
    for answer, line in enumerate(played.games):
        rows: list[tuple[str, str]] = []
        for guess in line:
            rows.append((game.guesses[guess], game.show(int(game.table[guess, answer]))))
            if tuple(rows) in seen:
                continue
            seen.add(tuple(rows))
            position = read_position(coach, rows)
            assert answer in position.state.candidates and not position.outside
    for rows in sorted(seen)[::40]:
        position = read_position(coach, rows)
        if not position.state.won and position.state.guesses_left:
            assert next(coach.suggest(position, AdviceOptions(seconds=1))).guess
