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
    """A game as the command line names it: enough to open it again in another process."""

    game: str = "original"
    answers: str | None = None
    guesses: str | None = None
    rule: str | None = None
    mode: str = "normal"
    cap: str = "default"

    def arguments(self) -> list[str]:
        """As options of any command."""
        fields = msgspec.structs.asdict(self)
        given = {name: value for name, value in fields.items() if value is not None}
        return [part for name, value in given.items() for part in (f"--{name}", str(value))]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table."""

    name: str
    kind: str
    """strategy, or program (behind pipes)"""
    spec: str
    """the strategy as `--strategy` takes it, or the program's command line"""
    opener: str | None = None
    protocol: str = "go-stop"


SUITES: Mapping[str, str] = MappingProxyType(
    {
        "quick": "the players that look one guess ahead, and one of them behind pipes",
        "full": "every strategy, plan and agent that there is, with the openers that suit them",
    }
)
_GREEDY = ("parts", "entropy", "entropic", "expected-size", "statistical", "minimax", "random")
_OPENERS = {"parts": ("salet",), "entropy": ("salet",)}


def entries(
    suite: str,
    game: GameSpec,
    guesses: Sequence[str],
    strategies: Sequence[str] = (),
    programs: Sequence[tuple[str, str]] = (),
    protocol: str = "go-stop",
) -> list[Entry]:
    """The entries of a suite, then the given strategies, then programs as (name, command)."""
    if suite not in SUITES:
        raise UnknownNameError("suite", suite, SUITES)
    names = [name for name in _GREEDY if name in STRATEGIES]
    if suite == "full":
        names += [name for name in strategy_names() if name not in (*names, "plan")]
    found = [Entry(name=name, kind="strategy", spec=name) for name in names]
    if suite == "full":
        found += [
            Entry(name=f"{name}, {opener}", kind="strategy", spec=name, opener=opener)
            for name, openers in _OPENERS.items()
            for opener in openers
            if opener in guesses
        ]
        found += [
            Entry(name=f"plan {name}", kind="strategy", spec=f"plan:{name}")
            for name in plans_for(game)
        ]
    found.append(_behind_pipes(game))
    found += [Entry(name=spec, kind="strategy", spec=spec) for spec in strategies]
    found += [
        Entry(name=name, kind="program", spec=command, protocol=protocol)
        for name, command in programs
    ]
    counts = Counter(entry.name for entry in found)
    for name in (*strategies, *(name for name, _ in programs)):
        if counts[name] > 1:
            raise InputError(f"player {name!r}: there is an entry of that name; choose another")
    return found


def _behind_pipes(game: GameSpec) -> Entry:
    command = ["salet", "serve-player", "--strategy", "entropy", *game.arguments()]
    return Entry(name="entropy behind pipes", kind="program", spec=shlex.join(command))


def plans_for(game: GameSpec) -> list[str]:
    """The shipped plans that are for this very game."""
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
    """NAME=VALUE of --player and --peer."""
    name, mark, value = text.partition("=")
    if not mark or not name.strip() or not value.strip():
        raise InputError(f"{option} {text!r}: give a name and what it stands for, as NAME=PATH")
    return name.strip(), value.strip()
