"""The entries of each suite."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import msgspec
import pytest

from salet import Game, SaletError, simulate
from salet.bench.suites import GameSpec, entries, parse_named
from salet.bench.worker import BenchTask, measure
from salet.errors import MissingExtraError
from salet.strategies import registry
from salet.strategies.base import Strategy
from salet.strategies.registry import STRATEGIES

SMALL = GameSpec(game="original:first=12")


def test_suites_hold_every_strategy() -> None:
    full = entries("full", SMALL, Game.named("original").guesses)
    assert set(STRATEGIES) <= {entry.spec for entry in full}
    assert "entropy, salet" in {entry.name for entry in full}
    quick = entries("quick", SMALL, ["aback"])
    assert {entry.name for entry in quick} < {entry.name for entry in full}
    assert [entry.kind for entry in quick].count("program") == 1
    for listed in (quick, full):
        assert len({entry.name for entry in listed}) == len(listed)


def test_several_boards_are_played_by_those_who_can() -> None:
    game = GameSpec(game="original:first=12,boards=2", cap="none")
    listed = entries("full", game, Game.named("original").guesses)
    names = ["parts", "entropy", "expected-size", "boards"]
    assert [entry.name for entry in listed if entry.kind == "strategy"][:4] == names
    found = measure(BenchTask(entry=listed[1], game=game, jobs=1), 0.0)
    again = simulate(Game.named("original:first=12,boards=2", cap=None), "entropy")
    assert (found.total, found.histogram) == (again.total, again.histogram)


def test_unknown_suites_and_names_in_use_are_refused() -> None:
    with pytest.raises(SaletError, match="did you mean 'quick'"):
        entries("quik", SMALL, [])
    with pytest.raises(SaletError, match="choose another"):
        entries("quick", SMALL, [], programs=[("entropy", "./mine")])
    with pytest.raises(SaletError, match="choose another"):
        entries("full", SMALL, [], ["minimax"])


def test_given_players_come_last() -> None:
    given = entries("quick", SMALL, [], ["parts:temperature=1"], [("me", "./me")], "jsonl")[-2:]
    assert [(entry.name, entry.kind, entry.protocol) for entry in given] == [
        ("parts:temperature=1", "strategy", "go-stop"),
        ("me", "program", "jsonl"),
    ]


def test_no_entry_names_a_path_of_the_machine() -> None:
    full = entries("full", GameSpec(), Game.named("original").guesses)
    specs = [entry.spec for entry in full]
    assert "plan:original-normal" in specs
    assert not [spec for spec in specs if "/" in spec or sys.executable in spec]


def test_new_strategies_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy that needs a missing extra is an entry with that as its error."""

    def needs_extra() -> Strategy:
        raise MissingExtraError("the strategy 'newcomer'", "learn")

    newcomer = SimpleNamespace(load=lambda: needs_extra)
    monkeypatch.setattr(registry, "STRATEGIES", {**STRATEGIES, "newcomer": newcomer})
    full = {entry.name: entry for entry in entries("full", SMALL, [])}
    assert full["newcomer"].spec == "newcomer"
    with pytest.raises(MissingExtraError, match=r"pip install 'salet\[learn\]'"):
        measure(BenchTask(entry=full["newcomer"], game=SMALL, jobs=1), 0.0)


def test_named_values() -> None:
    assert parse_named("mine=./a b=c", "--player") == ("mine", "./a b=c")


@pytest.mark.parametrize("text", ["alone", "=path", "name=", " = "])
def test_named_values_without_a_name_or_a_value(text: str) -> None:
    with pytest.raises(SaletError, match="NAME=PATH"):
        parse_named(text, "--peer")


def test_game_specs_survive_json_and_become_options() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SMALL), type=GameSpec) == SMALL
    assert SMALL.arguments()[:2] == ["--game", "original:first=12"]
