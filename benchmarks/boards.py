"""Several boards: means of the players on the same seeded tuples, paired with summed entropy.

    python benchmarks/boards.py --boards 4 --sample 1000

Seconds are CPU seconds of one process, so that a busy machine changes little. Results are stored in
benchmarks/results/boards-B.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time

import numpy as np
from record import RESULTS

from salet import Coach, Game, strategy_named
from salet.game.joint_state import draw_tuples
from salet.strategies.joint_simulate import lower_bound, play_joint
from salet.version import commit, version

PLAYERS = ("entropy", "parts", "expected-size", "boards")


def measure(game: Game, spec: str, secrets: list[list[int]]) -> tuple[np.ndarray, dict]:
    """The guesses of every game, and what is reported of them."""
    player = strategy_named(spec)
    started = time.process_time()
    first = game.index(player.choose_joint(game.joint_start()))
    opener_seconds = time.process_time() - started
    play_joint(game, player.choose_joint, first, secrets[0])  # kernels are loaded
    started = time.process_time()
    states = [play_joint(game, player.choose_joint, first, answers) for answers in secrets]
    seconds = time.process_time() - started
    assert all(state.won for state in states)
    turns = np.array([state.turn for state in states])
    half = 1.959964 * turns.std(ddof=1) / math.sqrt(len(turns))
    sizes, counts = np.unique(turns, return_counts=True)
    return turns, {
        "player": spec,
        "opener": game.guesses[first],
        "opener_cpu_seconds": round(opener_seconds, 3),
        "mean": float(turns.mean()),
        "interval": [float(turns.mean() - half), float(turns.mean() + half)],
        "histogram": {int(size): int(count) for size, count in zip(sizes, counts, strict=True)},
        "within_boards_plus_5": float((turns <= game.boards + 5).mean()),
        "games_per_cpu_second": round(len(turns) / seconds, 1),
    }


def first_advice(game: Game) -> float:
    """Wall seconds until the first advice after one row, with a fresh coach and loaded kernels."""
    state = game.joint_start()
    state = state.after("crane", state.patterns(game.index("crane"), draw_tuples(game, 1, 5)[0]))
    next(Coach(game).suggest_joint(state))
    started = time.perf_counter()
    next(Coach(game).suggest_joint(state))
    return round(time.perf_counter() - started, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=4)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", nargs="+", default=PLAYERS)
    options = parser.parse_args()
    game = Game.named(f"original:boards={options.boards}", cap=None)
    secrets = draw_tuples(game, options.sample, options.seed).tolist()
    rows, base = [], None
    for spec in options.players:
        turns, row = measure(game, spec, secrets)
        base = turns if base is None else base
        difference = turns - base
        error = difference.std(ddof=1) / math.sqrt(len(turns))
        row["paired_difference"] = float(difference.mean())
        row["paired_standard_error"] = float(error)
        rows.append(row)
        print(f"{options.boards} boards, {spec}: {row['mean']:.4f}, paired with "
              f"{options.players[0]} {difference.mean():+.4f} +- {error:.4f}, "
              f"{row['games_per_cpu_second']} games per CPU second", flush=True)  # fmt: skip
    report = {
        "game": game.name,
        "sample": options.sample,
        "seed": options.seed,
        "cap": None,
        "lower_bound": lower_bound(game),
        "first_advice_seconds": first_advice(game),
        "players": rows,
        "version": version(),
        "commit": commit(),
    }
    path = RESULTS / f"boards-{options.boards}.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    print(f"lower bound {report['lower_bound']:.4f}, first advice "
          f"{report['first_advice_seconds']} s, stored in {path.name}")  # fmt: skip


if __name__ == "__main__":
    main()
