"""Speed of the arena. `python benchmarks/arena.py`, 1 to 2 minutes.

- guesses a second through pipes, with the built-in go-stop echo player, on all cores: with as many
  players at once as there are cores, and with twice as many, so that one thinks while the pipe of
  another sleeps
- the whole Romanian list (rule present) with our entropy player behind pipes
"""

from __future__ import annotations

import os
import resource
import shlex
import sys
from pathlib import Path
from typing import Any

from record import SHARED, store

from salet.arena.contest import contest_of
from salet.arena.run import run_arena
from salet.game.game import Game
from salet.game.named import named_game

ROMANIAN = SHARED / "data" / "romanian-11454.txt"
SERVE = [sys.executable, "-m", "salet", "serve-player"]


def cpu() -> float:
    """CPU seconds of this process and all that it has ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def echo(jobs: int, cap: int = 1000, secrets: int = 600) -> dict[str, Any]:
    """The same word over and over: nothing but pipes and the referee's work."""
    contest = contest_of(Game.named("original", cap=cap), sample=secrets)
    command = shlex.join([*SERVE, "--strategy", "echo", "--game", "original", "--cap", str(cap)])
    before = cpu()
    arena = run_arena(contest, [command], jobs=jobs)
    (player,) = arena.result.players
    assert player.failures == {}
    guesses = sum(len(outcome.guesses) for outcome in arena.outcomes[0])
    return {
        "jobs": jobs,
        "guesses": guesses,
        "seconds": player.seconds,
        "guesses_per_second": round(guesses / player.seconds),
        "cpu_seconds": round(cpu() - before, 1),
    }


def romanian(path: Path, jobs: int) -> dict[str, Any]:
    """All 11454 games of the founding system."""
    files = ["--answers", str(path), "--guesses", str(path), "--rule", "present"]
    game = named_game(answers=path, guesses=path, rule="present")
    command = shlex.join([*SERVE, "--ties", "first-candidate", *files])
    before = cpu()
    arena = run_arena(contest_of(game), [command], jobs=jobs)
    (player,) = arena.result.players
    assert (player.total, player.failures) == (45906, {})
    return {
        "romanian_jobs": jobs,
        "romanian_total": player.total,
        "romanian_seconds": player.seconds,
        "romanian_cpu_seconds": round(cpu() - before, 1),
    }


if __name__ == "__main__":
    cores = os.cpu_count() or 1
    figures = {"load_before": os.getloadavg()[0], "echo": [echo(cores), echo(2 * cores)]}
    if ROMANIAN.exists():
        figures |= romanian(ROMANIAN, cores)
    store("arena", "python benchmarks/arena.py", figures)
