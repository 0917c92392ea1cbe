"""A whole benchmark: measure what is missing, keep it, compare, and write the reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from salet.arena.signals import terminable
from salet.arena.statistics import Comparison, compare
from salet.bench.history import History
from salet.bench.machine import machine
from salet.bench.peers import Duel, check_peer, duel
from salet.bench.report import figure, table_page
from salet.bench.suites import Entry, GameSpec, entries
from salet.bench.worker import Measure, Task, measured_apart, open_game
from salet.errors import UnknownNameError
from salet.game.packs.store import checksum
from salet.storage import output
from salet.version import commit, version


class Versus(msgspec.Struct, frozen=True, kw_only=True):
    """Two entries, compared answer by answer."""

    first: str
    second: str
    comparison: Comparison


class BenchResult(msgspec.Struct, frozen=True, kw_only=True):
    """What `salet bench --json` prints and bench.json holds."""

    suite: str
    game: str
    rule: str
    mode: str
    cap: int | None
    answers: int
    guesses: int
    version: str
    commit: str | None
    date: str
    machine: dict[str, Any]
    entries: list[Measure]
    """best mean first; failed ones last"""
    comparisons: list[Versus]
    """each against the best"""
    peers: list[Duel]

    def to_dict(self, charges: bool = False) -> dict[str, Any]:
        """As `--json` prints it; with `charges` also what every answer cost."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        if not charges:
            for entry in fields["entries"]:
                del entry["charges"]
        return fields


Progress = Callable[[str, int, int], None]
"""called with (what is measured now, number of those done, number of all)"""


def run_bench(
    spec: GameSpec,
    *,
    suite: str = "quick",
    strategies: Sequence[str] = (),
    programs: Sequence[tuple[str, str]] = (),
    protocol: str = "go-stop",
    peers: Sequence[tuple[str, str]] = (),
    directory: Path = Path("bench"),
    limit: float = 3600.0,
    jobs: int = 1,
    turns: int = 3,
    progress: Progress | None = None,
) -> BenchResult:
    """Measure a suite, or what is left of it; reports are written to the directory."""
    game = open_game(spec)
    listed = entries(suite, spec, game.guesses, strategies, programs, protocol)
    adapters = [(check_peer(name, path, game), path) for name, path in peers]
    facts: dict[str, Any] = {
        "suite": suite,
        "game": game.name,
        "rule": game.rule.name,
        "mode": game.mode,
        "cap": game.cap,
        "version": version(),
        "commit": commit(),
        "machine": machine(),
    }
    words = f"{checksum(game.answers)[:12]}/{checksum(game.guesses)[:12]}"
    key = msgspec.json.encode([facts, words, listed, list(peers)]).decode()
    steps = len(listed) + len(adapters)

    def say(what: str, done: int) -> None:
        if progress is not None:
            progress(what, done, steps)

    with terminable(), History(directory) as history:
        run = history.open_run(key, {**facts, "words": words}, _now())
        known = history.known(run, Measure)
        for number, entry in enumerate(listed):
            say(entry.name, number)
            if entry.name not in known:
                task = Task(entry=entry, game=spec, jobs=jobs)
                known[entry.name] = measured_apart(task, limit)
                history.add(run, known[entry.name])
        duels = history.known(run, Duel)
        for number, (adapter, path) in enumerate(adapters, len(listed)):
            say(f"peer {adapter.name}", number)
            if adapter.name not in duels:
                duels[adapter.name] = duel(adapter, path, game, spec, turns=turns)
                history.add(run, duels[adapter.name])
        result = BenchResult(
            **facts,
            answers=game.answer_count,
            guesses=len(game.guesses),
            date=_now()[:10],
            entries=_ranked(listed, known),
            comparisons=_against_the_best(_ranked(listed, known), game.answers),
            peers=list(duels.values()),
        )
        write_reports(result, directory)
        history.finish(run, _now())
    return result


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _ranked(listed: Sequence[Entry], known: dict[str, Measure]) -> list[Measure]:
    measures = [known[entry.name] for entry in listed]
    return sorted(measures, key=lambda m: (m.mean is None, m.mean, m.name))


def costs(measure: Measure, answers: Sequence[str]) -> dict[str, int]:
    """What each answer cost."""
    pairs = zip(answers, measure.charges, strict=False)
    return {word: charge for word, charge in pairs if charge is not None}


def _against_the_best(ranked: list[Measure], answers: Sequence[str]) -> list[Versus]:
    best, *others = ranked
    found = []
    for other in others:
        comparison = compare(costs(best, answers), costs(other, answers))
        if comparison is not None:
            found.append(Versus(first=best.name, second=other.name, comparison=comparison))
    return found


def compare_entries(
    measures: Sequence[Measure], answers: Sequence[str], first: str, second: str
) -> Versus | None:
    """Two entries of a result by name."""
    by_name = {measure.name: measure for measure in measures}
    for name in (first, second):
        if name not in by_name:
            raise UnknownNameError("entry", name, by_name)
    found = compare(costs(by_name[first], answers), costs(by_name[second], answers))
    return None if found is None else Versus(first=first, second=second, comparison=found)


def write_reports(result: BenchResult, directory: Path) -> None:
    """bench.json, bench.md and bench.svg."""
    fields = result.to_dict()
    text = msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"
    for name, content in (
        ("bench.json", text),
        ("bench.md", table_page(fields).encode()),
        ("bench.svg", figure(fields).encode()),
    ):
        with output(directory / name) as file:
            file.write(content)
