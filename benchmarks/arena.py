"""Speed of the arena: `python benchmarks/arena.py`, 1 to 2 minutes.

- guesses a second through pipes, with the built-in go-stop echo player: one instance for each core,
  and two for each core, so that one instance works while another waits for its pipe
- the whole Romanian list (rule present) with the entropy strategy behind pipes
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

from record import SHARED, store

from salet.arena.run import run_arena
from salet.arena.umpire import make_contest
from salet.game.game import Game
from salet.game.named import named_game

ROMANIAN = SHARED / "data" / "romanian-11454.txt"
SERVE = [sys.executable, "-m", "salet", "serve-player"]


def cpu_seconds() -> float:
    """CPU time of this process and of the children that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def echo(jobs: int, cap: int = 1000, secrets: int = 600) -> dict[str, Any]:
    """Guess the same word over and over: nothing but the pipes and the umpire's work."""
    contest = make_contest(Game.named("original", cap=cap), sample=secrets)
    command = shlex.join([*SERVE, "--strategy", "echo", "--game", "original", "--cap", str(cap)])
    before = cpu_seconds()
    arena = run_arena(contest, [command], jobs=jobs)
    (player,) = arena.result.players
    assert player.failures == {}
    guesses = sum(len(outcome.guesses) for outcome in arena.outcomes[0])
    return {
        "jobs": jobs,
        "guesses": guesses,
        "seconds": player.seconds,
        "guesses_per_second": round(guesses / player.seconds),
        "cpu_seconds": round(cpu_seconds() - before, 1),
    }


def romanian(path: Path, jobs: int) -> dict[str, Any]:
    """Play the list of the piped connector of 2022: 11454 games."""
    files = ["--answers", str(path), "--guesses", str(path), "--rule", "present"]
    game = named_game("original", answers=path, guesses=path, rule="present")
    command = shlex.join([*SERVE, "--ties", "first-candidate", *files])
    before = cpu_seconds()
    arena = run_arena(make_contest(game), [command], jobs=jobs)
    (player,) = arena.result.players
    assert (player.total, player.failures) == (45906, {})
    return {
        "romanian_jobs": jobs,
        "romanian_total": player.total,
        "romanian_seconds": player.seconds,
        "romanian_cpu_seconds": round(cpu_seconds() - before, 1),
    }


if __name__ == "__main__":
    cores = os.cpu_count() or 1
    figures = {"load_before": os.getloadavg()[0], "echo": [echo(cores), echo(2 * cores)]}
    if ROMANIAN.exists():
        figures |= romanian(ROMANIAN, cores)
    store("arena", "python benchmarks/arena.py", figures)
