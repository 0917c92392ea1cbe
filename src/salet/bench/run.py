"""Run a whole benchmark: measure what is missing, store it, compare, and write the reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from salet.arena.reaper import require_process_groups
from salet.arena.signals import termination_as_interrupt
from salet.arena.statistics import Comparison, compare
from salet.bench.history import BenchHistory
from salet.bench.machine import machine
from salet.bench.peers import Duel, check_peer, duel
from salet.bench.report import figure, table_page
from salet.bench.suites import BenchEntry, GameSpec, entries
from salet.bench.worker import BenchTask, Measure, measure_in_worker, open_game
from salet.errors import UnknownNameError
from salet.game.packs.store import lists_digest
from salet.storage import output
from salet.version import commit, version


class EntryComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two entries, compared answer by answer."""

    first: str
    second: str
    comparison: Comparison


class BenchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `salet bench --json` and of bench.json."""

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
    """Best mean first; entries that failed last."""
    comparisons: list[EntryComparison]
    """The best entry against each of the others."""
    peers: list[Duel]

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them, without the cost of every answer."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        for entry in fields["entries"]:
            del entry["charges"]
        return fields


BenchProgress = Callable[[str, int, int], None]
"""Called with (what is measured now, number of steps done, number of all steps)."""


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
    progress: BenchProgress | None = None,
) -> BenchResult:
    """Measure a suite and write the reports to the directory; an interrupted run is resumed.

    `limit`: seconds for each entry; `turns`: how often each side of a peer is timed.
    """
    require_process_groups("the benchmark")
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
    words = lists_digest(game.answers, game.guesses)
    key = msgspec.json.encode([facts, words, listed, list(peers)]).decode()
    steps = len(listed) + len(adapters)

    def report(step: str, done: int) -> None:
        if progress is not None:
            progress(step, done, steps)

    with termination_as_interrupt(), BenchHistory(directory) as history:
        run = history.open_run(key, {**facts, "words": words}, _now())
        measures = history.results(run, Measure)
        for number, entry in enumerate(listed):
            report(entry.name, number)
            if entry.name not in measures:
                task = BenchTask(entry=entry, game=spec, jobs=jobs)
                measures[entry.name] = measure_in_worker(task, limit)
                history.add(run, measures[entry.name])
        duels = history.results(run, Duel)
        for number, (adapter, path) in enumerate(adapters, len(listed)):
            report(f"peer {adapter.name}", number)
            if adapter.name not in duels:
                duels[adapter.name] = duel(adapter, path, game, spec, turns=turns)
                history.add(run, duels[adapter.name])
        ranked = _ranked(listed, measures)
        result = BenchResult(
            **facts,
            answers=game.answer_count,
            guesses=len(game.guesses),
            date=_now()[:10],
            entries=ranked,
            comparisons=_compare_with_best(ranked, game.answers),
            peers=list(duels.values()),
        )
        write_reports(result, directory)
        history.finish(run, _now())
    return result


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _ranked(listed: Sequence[BenchEntry], measures: dict[str, Measure]) -> list[Measure]:
    """The measures, best mean first, those without a mean last."""
    found = [measures[entry.name] for entry in listed]
    return sorted(found, key=lambda m: (m.mean is None, m.mean, m.name))


def _compare_with_best(ranked: list[Measure], answers: Sequence[str]) -> list[EntryComparison]:
    best, *others = ranked
    compared = (_compare(best, other, answers) for other in others)
    return [comparison for comparison in compared if comparison is not None]


def compare_entries(
    measures: Sequence[Measure], answers: Sequence[str], first: str, second: str
) -> EntryComparison | None:
    """Compare two entries by name; None if they share no answer."""
    by_name = {measure.name: measure for measure in measures}
    for name in (first, second):
        if name not in by_name:
            raise UnknownNameError("entry", name, by_name)
    return _compare(by_name[first], by_name[second], answers)


def _compare(first: Measure, second: Measure, answers: Sequence[str]) -> EntryComparison | None:
    comparison = compare(_costs(first, answers), _costs(second, answers))
    if comparison is None:
        return None
    return EntryComparison(first=first.name, second=second.name, comparison=comparison)


def _costs(measure: Measure, answers: Sequence[str]) -> dict[str, int]:
    """The cost of each answer that was played."""
    pairs = zip(answers, measure.charges, strict=False)  # an entry that failed has no charges
    return {word: charge for word, charge in pairs if charge is not None}


def write_reports(result: BenchResult, directory: Path) -> None:
    """Write bench.json, bench.md and bench.svg."""
    fields = result.to_dict()
    text = msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"
    for name, content in (
        ("bench.json", text),
        ("bench.md", table_page(fields).encode()),
        ("bench.svg", figure(fields).encode()),
    ):
        with output(directory / name) as file:
            file.write(content)
