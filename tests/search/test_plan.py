"""Plans: every style holds the same tree, and play follows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import spelled, split_lists
from salet import Game, simulate, strategy_named
from salet.errors import SaletError
from salet.search.plan import Plan
from salet.strategies.planned import Planned
from salet.verification.plans import verify

STYLES = ("json", "tree", "paths", "games")


def grown(game: Game, name: str = "parts") -> Plan:
    return Plan.grow(game, strategy_named(name).choose, made_by=name)


@pytest.mark.tiny
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_every_style_holds_the_whole_plan(tiny_game, tmp_path: Path, style: str, mode: str) -> None:
    game = tiny_game(mode=mode)
    plan = grown(game)
    plan.save(tmp_path / "plan", style)
    again = Plan.load(tmp_path / "plan", game)
    assert list(again.games()) == list(plan.games())
    verdict = verify(tmp_path / "plan", game)
    assert verify(plan).total == verdict.total
    played = simulate(game, "parts")
    assert (verdict.total, verdict.worst) == (played.total, played.worst)
    assert verdict.histogram == played.histogram
    assert simulate(game, Planned(again)).total == played.total


@pytest.mark.tiny
@given(
    split_lists(least=3, most=10, lengths=(2, 5), letters=6),
    st.sampled_from(["standard", "present", "pegs"]),
)
def test_verification_agrees_with_simulation(tmp_path: Path, lists, rule: str) -> None:
    words, answers = lists
    game = Game(spelled(words[:answers]), spelled(words), rule=rule)
    for style in STYLES if "," not in "".join(game.guesses) else ("json",):
        if style != "json" and not game.guesses[0].isalpha():
            continue
        grown(game).save(tmp_path / "plan", style)
        assert verify(tmp_path / "plan", game).total == simulate(game, "parts").total


def test_the_suffix_decides_the_style(tiny_game, tmp_path: Path) -> None:
    plan = grown(tiny_game())
    for name, start in (("a.json", "{"), ("a.tree", plan.root.guess), ("a.txt", plan.root.guess)):
        plan.save(tmp_path / name)
        assert (tmp_path / name).read_text().startswith(start)
    with pytest.raises(SaletError, match="'poem'"):
        plan.text("poem")


def test_a_plan_for_other_words_is_refused(tiny_game, tmp_path: Path) -> None:
    grown(tiny_game()).save(tmp_path / "plan.json")
    other = Game.named("original:first=20")
    with pytest.raises(SaletError, match="word lists other than"):
        Plan.load(tmp_path / "plan.json", other)
    with pytest.raises(SaletError, match="'tiny', not 'original:first=20'"):
        verify(tmp_path / "plan.json", other)


def test_a_state_outside_the_plan_is_refused(tiny_game) -> None:
    game = tiny_game()
    plan = grown(game)
    other = next(word for word in game.guesses if word != plan.root.guess)
    state = game.start()
    state = state.after(other, state.game.feedback(other, game.answers[0]))
    if state.won:
        state = game.start().after(other, game.feedback(other, game.answers[1]))
    with pytest.raises(SaletError, match=f"no guess after {other}:"):
        plan.choose(state)


def test_a_capped_plan_may_lose() -> None:
    game = Game(["eight", "fight", "light", "might", "night"], cap=3)
    verdict = verify(grown(game), game)
    assert verdict.losses == simulate(game, "parts").losses == 2
    assert verdict.total == 1 + 2 + 3 + 4 + 4
