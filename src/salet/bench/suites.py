"""What a benchmark measures."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from salet.errors import InputError, SaletError, UnknownNameError
from salet.plan_formats import read_plan
from salet.search.shipped import FOLDER
from salet.strategies.registry import STRATEGIES, strategy_names


class GameSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the command line names it, so that another process can open it."""

    game: str = "original"
    answers: str | None = None
    guesses: str | None = None
    rule: str | None = None
    mode: str = "normal"
    cap: str = "default"

    def arguments(self) -> list[str]:
        """The game as command-line options."""
        fields = msgspec.structs.asdict(self)
        given = {name: value for name, value in fields.items() if value is not None}
        return [part for name, value in given.items() for part in (f"--{name}", str(value))]


class BenchEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table."""

    name: str
    kind: str
    """strategy or program; a program plays behind pipes"""
    spec: str
    """The strategy as `--strategy` takes it, or the program's command line."""
    opener: str | None = None
    protocol: str = "go-stop"


SUITES: Mapping[str, str] = MappingProxyType(
    {
        "quick": "the strategies that look one guess ahead, and one of them behind pipes",
        "full": "every strategy, shipped plan and trained agent, also with a few good openers",
    }
)
_GREEDY = ("parts", "entropy", "entropic", "expected-size", "statistical", "minimax", "random")
_SEVERAL_BOARDS = ("parts", "entropy", "expected-size", "boards")
"""Players of several boards."""
_OPENERS = {"parts": ("salet",), "entropy": ("salet",)}


def entries(
    suite: str,
    game: GameSpec,
    guesses: Sequence[str],
    strategies: Sequence[str] = (),
    programs: Sequence[tuple[str, str]] = (),
    protocol: str = "go-stop",
) -> list[BenchEntry]:
    """The entries of a suite, then the given strategies, then programs (name, command)."""
    if suite not in SUITES:
        raise UnknownNameError("suite", suite, SUITES)
    names = [name for name in _GREEDY if name in STRATEGIES]
    if "boards=" in game.game:
        names = list(_SEVERAL_BOARDS)
    elif suite == "full":
        names += [name for name in strategy_names() if name not in (*names, "plan")]
    found = [BenchEntry(name=name, kind="strategy", spec=name) for name in names]
    if suite == "full":
        found += [
            BenchEntry(name=f"{name}, {opener}", kind="strategy", spec=name, opener=opener)
            for name, openers in _OPENERS.items()
            for opener in openers
            if opener in guesses
        ]
        found += [
            BenchEntry(name=f"plan {name}", kind="strategy", spec=f"plan:{name}")
            for name in plans_for(game)
        ]
    found.append(_entropy_behind_pipes(game))
    found += [BenchEntry(name=spec, kind="strategy", spec=spec) for spec in strategies]
    found += [
        BenchEntry(name=name, kind="program", spec=command, protocol=protocol)
        for name, command in programs
    ]
    counts = Counter(entry.name for entry in found)
    for name in (*strategies, *(name for name, _ in programs)):
        if counts[name] > 1:
            raise InputError(f"player {name!r}: there is an entry of that name; choose another")
    return found


def _entropy_behind_pipes(game: GameSpec) -> BenchEntry:
    command = ["salet", "serve-player", "--strategy", "entropy", *game.arguments()]
    return BenchEntry(name="entropy behind pipes", kind="program", spec=shlex.join(command))


def plans_for(game: GameSpec) -> list[str]:
    """The names of the shipped plans for this game."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        try:
            header = read_plan(path).header
        except SaletError:
            continue
        if (header.get("game"), header.get("mode")) == (game.game, game.mode):
            found.append(path.stem)
    return found


def parse_named(text: str, option: str) -> tuple[str, str]:
    """Parse the NAME=VALUE of --player and --peer."""
    name, mark, value = text.partition("=")
    if not mark or not name.strip() or not value.strip():
        raise InputError(f"{option} {text!r}: write it as NAME=PATH")
    return name.strip(), value.strip()
