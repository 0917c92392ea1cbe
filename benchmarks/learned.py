"""Measure the policy network on the original list and on three lists that it never saw.

    salet train src/salet/learn/weights/learned.toml --out benchmarks/runs/learned   # an hour
    python benchmarks/learned.py --ship benchmarks/runs/learned    # ship its weights and metrics
    python benchmarks/learned.py                               # the shipped weights; a minute
    python benchmarks/learned.py --lists DIR                   # write the drawn lists as files
    python benchmarks/proof.py drawn-1 --game original --answers DIR/drawn-1.txt --cap 6

The players are the network alone, with the endgame rule, and one ply ahead. The optimum of a list
is shown if its proof is stored.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from record import RESULTS, store

from salet import Game, simulate
from salet.cli.render.plots import plot_rounds

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "learned.md"
WEIGHTS = TOP / "src" / "salet" / "learn" / "weights" / "learned.safetensors"
BEGIN, END = "<!-- learned:begin -->", "<!-- learned:end -->"
DRAWN = (1, 2, 3)
ANSWERS = 2315
PLAYERS = ("learned", "learned-finish", "learned-ply", "entropy")
KEPT = ("opener", "mean", "total", "worst", "losses", "histogram", "seconds")


def drawn_list(number: int) -> list[str]:
    """2315 random guesses; training draws its lists from other seeds."""
    words = sorted(Game.named("original").guesses)
    generator = np.random.default_rng([2315, number])
    return [words[index] for index in np.sort(generator.permutation(len(words))[:ANSWERS])]


def games() -> list[Game]:
    original = Game.named("original")
    drawn = [
        Game(drawn_list(number), original.guesses, cap=6, name=f"drawn-{number}")
        for number in DRAWN
    ]
    return [original, *drawn]


def optimum(game: Game) -> dict[str, Any] | None:
    name = "original-normal" if game.name == "original" else game.name
    path = RESULTS / f"proof-{name}.json"
    if not path.exists():
        return None
    proof = json.loads(path.read_text())["figures"]
    mean = proof["total"] / game.answer_count
    return {"opener": proof["best"], "mean": mean, "total": proof["total"]}


def measured(game: Game) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for player in PLAYERS:
        fields = simulate(game, player).to_dict()
        rows[player] = {name: fields[name] for name in KEPT}
        print(game.name, player, rows[player]["mean"], rows[player]["losses"], flush=True)
    return {**rows, "optimum": optimum(game)}


def table(figures: dict[str, Any]) -> str:
    """The table of docs/learned.md."""
    lines = ["| list | player | opener | mean | total | worst | lost | seconds |"]
    lines.append("| --- " * 8 + "|")
    for name, rows in figures.items():
        for player in (*PLAYERS, "optimum"):
            row = rows[player]
            if row is None:
                lines.append(f"| {name} | {player} | not proven yet | | | | | |")
                continue
            rest = [row.get(field, "") for field in ("worst", "losses", "seconds")]
            shown = [name, player, row["opener"], f"{row['mean']:.4f}", row["total"], *rest]
            lines.append("| " + " | ".join(map(str, shown)) + " |")
    return "\n".join(lines)


def publish(figures: dict[str, Any]) -> None:
    """Replace the table of docs/learned.md."""
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    text = f"{head}{BEGIN}\n{table(figures)}\n{END}{tail}"
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ship", type=Path, help="only copy weights and metrics from this run")
    parser.add_argument("--lists", type=Path, help="only write the drawn lists here")
    chosen = parser.parse_args()
    if chosen.lists:
        chosen.lists.mkdir(parents=True, exist_ok=True)
        for number in DRAWN:
            text = "\n".join(drawn_list(number)) + "\n"
            (chosen.lists / f"drawn-{number}.txt").write_text(text)
    elif chosen.ship:
        shutil.copy(chosen.ship / "weights.safetensors", WEIGHTS)
        shutil.copy(chosen.ship / "metrics.csv", WEIGHTS.with_suffix(".csv"))
        plot_rounds(chosen.ship / "metrics.csv", PAGE.parent / "images" / "learned.svg")
    else:
        figures = {game.name: measured(game) for game in games()}
        store("learned", "python benchmarks/learned.py", figures)
        publish(figures)
