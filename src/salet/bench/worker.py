"""Measure one entry in a process of its own, so that time and memory are its own.

`python -m salet.bench.worker` reads a `BenchTask` from standard input and writes a `Measure` to
standard output, both as JSON.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from salet.bench.program import run_program
from salet.bench.suites import BenchEntry, GameSpec
from salet.errors import SaletError
from salet.game.game import Game
from salet.game.named import named_game
from salet.process_memory import peak_memory_mb


class BenchTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is to measure."""

    entry: BenchEntry
    game: GameSpec
    jobs: int


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one entry; null where it failed."""

    name: str
    kind: str
    spec: str
    opener: str | None = None
    answers: int = 0
    total: int | None = None
    mean: float | None = None
    worst: int | None = None
    losses: int | None = None
    histogram: dict[int, int] = {}
    failures: dict[str, int] = {}
    seconds: float | None = None
    """Time to play all answers, after the preparation."""
    prepare_seconds: float | None = None
    """Time for imports, table, compiled code and the first decision."""
    cpu_seconds: float | None = None
    """Processor time of all of it, on all cores and in child processes that ended."""
    peak_mb: int | None = None
    charges: list[int | None] = []
    """Cost of each answer, in the order of answers; null where the game failed."""
    error: str | None = None


def open_game(spec: GameSpec) -> Game:
    """The game that a spec names."""
    return named_game(
        spec.game,
        answers=None if spec.answers is None else Path(spec.answers),
        guesses=None if spec.guesses is None else Path(spec.guesses),
        rule=spec.rule,
        mode=spec.mode,
        cap=spec.cap,
    )


def measure(task: BenchTask, start: float) -> Measure:
    """Play all answers with the entry's player; `start` is when the process began."""
    play = _play_strategy if task.entry.kind == "strategy" else _play_program
    figures = play(task, open_game(task.game), start)
    return Measure(
        name=task.entry.name,
        kind=task.entry.kind,
        spec=task.entry.spec,
        cpu_seconds=round(sum(os.times()[:4]), 3),
        peak_mb=round(peak_memory_mb(include_children=True)),
        **figures,
    )


def _play_strategy(task: BenchTask, game: Game, start: float) -> dict[str, Any]:
    from salet.strategies.registry import strategy_named
    from salet.strategies.simulate import simulate

    strategy = strategy_named(task.entry.spec)
    game.table  # noqa: B018
    opener = task.entry.opener
    if opener is None and game.boards > 1:
        opener = game.guesses[game.index(strategy.choose_joint(game.joint_start()))]
    elif opener is None:
        opener = game.guesses[game.start().check(strategy.choose(game.start()))]
    prepared = time.time()
    result = simulate(game, strategy, opener=opener)
    return {
        "opener": result.opener,
        "answers": result.answers,
        "total": result.total,
        "mean": result.mean,
        "worst": result.worst or None,
        "losses": result.losses,
        "histogram": result.histogram,
        "seconds": round(time.time() - prepared, 3),
        "prepare_seconds": round(prepared - start, 3),
        "charges": list(result.charges),
    }


def _play_program(task: BenchTask, game: Game, start: float) -> dict[str, Any]:
    from salet.arena.outcomes import charge
    from salet.arena.run import run_arena
    from salet.arena.umpire import make_contest

    contest = make_contest(game)
    command = _with_this_salet(task.entry.spec)
    game.table  # noqa: B018
    prepared = time.time()
    arena = run_arena(contest, [command], protocol=task.entry.protocol, jobs=task.jobs)
    (player,) = arena.result.players
    outcomes = arena.outcomes[0]
    opener = next((outcome.guesses[0] for outcome in outcomes if outcome.guesses), None)
    return {
        "opener": opener,
        "answers": len(outcomes),
        "total": player.total,
        "mean": player.mean,
        "worst": player.worst,
        "losses": player.losses,
        "histogram": player.histogram,
        "failures": player.failures,
        "seconds": player.seconds,
        "prepare_seconds": round(prepared - start, 3),
        "charges": [charge(o, game.cap) if o.fault is None else None for o in outcomes],
    }


def _with_this_salet(command: str) -> str:
    """The command with `salet` replaced by the path of this installation."""
    program, *arguments = shlex.split(command)
    if program != "salet":
        return command
    return shlex.join([sys.executable, "-m", "salet", *arguments])


def measure_in_worker(task: BenchTask, timeout: float) -> Measure:
    """Measure in a fresh process; whatever goes wrong there becomes the entry's error."""
    entry = task.entry
    command = [sys.executable, "-m", "salet.bench.worker"]
    try:
        done = run_program(command, timeout, msgspec.json.encode(task))
        error = done.error
        if error is None:
            return msgspec.json.decode(done.stdout, type=Measure)
    except TimeoutError as timed_out:
        error = str(timed_out)
    except msgspec.DecodeError as malformed:
        error = f"it wrote no result: {malformed}"
    return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, error=error)


def main() -> int:
    """Read a task from stdin, write its measure to stdout; return the exit code."""
    start = time.time() - time.process_time()  # includes the start of the interpreter
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=BenchTask)
    try:
        result = measure(task, start)
    except SaletError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    sys.stdout.buffer.write(msgspec.json.encode(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
