"""Measure one entry in a process of its own: time and memory are then its own.

`python -m salet.bench.worker` reads {entry, game, jobs} from standard input and writes a
`Measure` to standard output.
"""

from __future__ import annotations

import resource
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from salet.bench.program import run_apart
from salet.bench.suites import Entry, GameSpec
from salet.errors import SaletError
from salet.game.game import Game
from salet.game.named import named_game


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is told."""

    entry: Entry
    game: GameSpec
    jobs: int


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an entry. Figures are null where it failed."""

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
    """to play all answers, once prepared"""
    prepare_seconds: float | None = None
    """imports, table, compiled code, and the first decision"""
    peak_mb: int | None = None
    charges: list[int | None] = []
    """what each answer cost, in the order of answers; null where the game failed"""
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


def measure(task: Task, began: float) -> Measure:
    """Play all answers with the entry's player."""
    run = _strategy if task.entry.kind == "strategy" else _program
    fields = run(task, open_game(task.game), began)
    return Measure(
        name=task.entry.name,
        kind=task.entry.kind,
        spec=task.entry.spec,
        peak_mb=_peak_mb(),
        **fields,
    )


def _strategy(task: Task, game: Game, began: float) -> dict[str, Any]:
    from salet.strategies.registry import strategy_named
    from salet.strategies.simulate import play_all

    player = strategy_named(task.entry.spec)
    game.table  # noqa: B018
    opener = task.entry.opener
    if opener is None:
        opener = game.guesses[game.start().check(player.choose(game.start()))]
    ready = time.time()
    played = play_all(game, player, opener=opener)
    result = played.result
    return {
        "opener": result.opener,
        "answers": result.answers,
        "total": result.total,
        "mean": result.mean,
        "worst": result.worst or None,
        "losses": result.losses,
        "histogram": result.histogram,
        "seconds": round(time.time() - ready, 3),
        "prepare_seconds": round(ready - began, 3),
        "charges": list(played.charges),
    }


def _program(task: Task, game: Game, began: float) -> dict[str, Any]:
    from salet.arena.outcomes import charge
    from salet.arena.run import run_arena
    from salet.arena.umpire import contest_of

    contest = contest_of(game)
    command = _this_salet(task.entry.spec)
    game.table  # noqa: B018
    ready = time.time()
    arena = run_arena(contest, [command], protocol=task.entry.protocol, jobs=task.jobs)
    (player,) = arena.result.players
    outcomes = arena.outcomes[0]
    first = next((outcome.guesses[0] for outcome in outcomes if outcome.guesses), None)
    return {
        "opener": first,
        "answers": len(outcomes),
        "total": player.total,
        "mean": player.mean,
        "worst": player.worst,
        "losses": player.losses,
        "histogram": player.histogram,
        "failures": player.failures,
        "seconds": player.seconds,
        "prepare_seconds": round(ready - began, 3),
        "charges": [charge(o, game.cap) if o.fault is None else None for o in outcomes],
    }


def _this_salet(command: str) -> str:
    """`salet …` is this very version, wherever it lies: entries name no path of the machine."""
    program, *arguments = shlex.split(command)
    if program != "salet":
        return command
    return shlex.join([sys.executable, "-m", "salet", *arguments])


def _peak_mb() -> int:
    """Of this process or of the largest that it started."""
    unit = 1 if sys.platform == "darwin" else 1024
    peaks = (resource.getrusage(who).ru_maxrss for who in (0, resource.RUSAGE_CHILDREN))
    return round(max(peaks) * unit / 2**20)


def measured_apart(task: Task, limit: float) -> Measure:
    """Measure in a fresh process; whatever goes wrong there is the entry's error."""
    entry = task.entry
    command = [sys.executable, "-m", "salet.bench.worker"]
    try:
        done = run_apart(command, limit, msgspec.json.encode(task))
        why = done.complaint
        if why is None:
            return msgspec.json.decode(done.out, type=Measure)
    except TimeoutError as error:
        why = str(error)
    except msgspec.DecodeError as error:
        why = f"it wrote no result: {error}"
    return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, error=why)


def main() -> int:
    """Read a task, write its measure."""
    began = time.time() - time.process_time()  # the interpreter's own start counts too
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    try:
        result = measure(task, began)
    except SaletError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    sys.stdout.buffer.write(msgspec.json.encode(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
