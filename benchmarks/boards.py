"""Several boards: means of the players on the same seeded tuples, paired with summed entropy.

    python benchmarks/boards.py --boards 4 --sample 1000

Seconds are CPU seconds of one process, so that a busy machine changes little. Results are stored in
benchmarks/results/boards-B.json, with the guesses of every game.

    python benchmarks/boards.py --boards 4 --peer FILE

adds a program from elsewhere that played the same tuples, or the first of them: FILE has the JSON
object {"player": name, "boards": 4, "seed": 11, "turns": [guesses of each game], "cpu_seconds": s}.
The answers of the tuples are `salet.game.joint_state.draw_tuples`, easy to draw anywhere.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from record import RESULTS

from salet import Coach, Game, strategy_named
from salet.game.joint_state import draw_tuples
from salet.strategies.joint_simulate import lower_bound, play_joint
from salet.version import commit, version

PLAYERS = ("entropy", "parts", "expected-size", "boards")


def measure(game: Game, spec: str, secrets: list[list[int]]) -> tuple[np.ndarray, dict[str, Any]]:
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
        "turns": " ".join(map(str, turns.tolist())),
    }


def paired(turns: np.ndarray, base: np.ndarray) -> dict[str, Any]:
    """The mean difference of the same games, and its standard error."""
    difference = turns - base
    return {
        "difference": float(difference.mean()),
        "standard_error": float(difference.std(ddof=1) / math.sqrt(len(turns))),
    }


def add_peer(path: Path, boards: int) -> None:
    """Pair every stored player with the games of another program."""
    peer = json.loads(path.read_text())
    stored = RESULTS / f"boards-{boards}.json"
    report = json.loads(stored.read_text())
    if (peer["boards"], peer["seed"]) != (boards, report["seed"]):
        raise SystemExit(f"{path.name}: other tuples than those of {stored.name}")
    turns = np.array(peer["turns"])
    row = {
        "player": peer["player"],
        "games": len(turns),
        "mean": float(turns.mean()),
        "games_per_cpu_second": round(len(turns) / peer["cpu_seconds"], 2),
        "players_minus_peer": {},
    }
    for player in report["players"]:
        own = np.array(list(map(int, player["turns"].split())))[: len(turns)]
        row["players_minus_peer"][player["player"]] = paired(own, turns)
    others = [one for one in report.get("peers", []) if one["player"] != row["player"]]
    report["peers"] = [*others, row]
    stored.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(row, indent=1))


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
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--peer", type=Path, help="games of another program, to be added")
    parser.add_argument("--players", nargs="+", default=PLAYERS)
    options = parser.parse_args()
    if options.peer is not None:
        add_peer(options.peer, options.boards)
        return
    game = Game.named(f"original:boards={options.boards}", cap=None)
    secrets = draw_tuples(game, options.sample, options.seed).tolist()
    rows, base = [], None
    for spec in options.players:
        turns, row = measure(game, spec, secrets)
        base = turns if base is None else base
        pair = paired(turns, base)
        row["paired_difference"] = pair["difference"]
        row["paired_standard_error"] = pair["standard_error"]
        rows.append(row)
        print(f"{options.boards} boards, {spec}: {row['mean']:.4f}, paired with "
              f"{options.players[0]} {pair['difference']:+.4f} +- {pair['standard_error']:.4f}, "
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
