"""Measure the networks that read the set of remaining answers.

    salet train src/salet/learn/weights/learned.toml --out benchmarks/runs/learned   # minutes
    python benchmarks/learned.py --ship benchmarks/runs/learned  # ship its weights and metrics
    python benchmarks/learned.py --prove    # the optimum of each held-out list; ten minutes of CPU
    python benchmarks/learned.py            # the shipped weights; minutes
    python benchmarks/learned.py --specialist   # the network of one list, there and elsewhere
    python benchmarks/learned.py --tables   # only write the tables of docs/learned.md again

The held-out lists have 2315 answers each, drawn from the words of `original` that training never
saw as answers (`salet.learn.common.word_lists.is_held_out`). Measured games and proofs are kept in
benchmarks/runs/learned-measure, so that an interrupted measurement is resumed; delete it to measure
other weights.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from publish import replace_between
from record import RESULTS, SHARED, store

from salet import Game
from salet.cli.render.plots import plot_rounds
from salet.errors import OffListWarning
from salet.game.packs.build import build_pack
from salet.learn.common.word_lists import is_held_out
from salet.search.prove import prove
from salet.strategies.simulate import simulate

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "learned.md"
WEIGHTS = TOP / "src" / "salet" / "learn" / "weights"
KEPT = Path(__file__).parent / "runs" / "learned-measure"
LISTS = range(1, 21)
ANSWERS = 2315
ALONE, PLY, SPECIALIST = "network alone", "one ply", "trained on original"
PLAYERS = {
    "learned": ALONE,
    "learned-ply": PLY,
    "parts": "tries all guesses",
    "entropy": "tries all guesses",
}
"""player -> what it does; rows of different kinds are never mixed"""
SPECIALISTS = {"specialist": SPECIALIST, "specialist-ply": f"{SPECIALIST}, one ply"}
FIELDS = ("opener", "mean", "total", "worst", "losses", "histogram", "seconds")


def held_out_list(number: int, answers: int = ANSWERS) -> list[str]:
    """Random words of `original` that are never answers in training."""
    words = sorted(filter(is_held_out, Game.named("original").guesses))
    generator = np.random.default_rng([2315, 20, number])
    return [words[index] for index in np.sort(generator.permutation(len(words))[:answers])]


def held_out_game(number: int, answers: int = ANSWERS) -> Game:
    name = f"held-out-{number}" if answers == ANSWERS else f"held-out, {answers} answers"
    return Game(held_out_list(number, answers), Game.named("original").guesses, cap=6, name=name)


def dictionary_game(length: int) -> Game:
    """The most common French words of that length, without accents."""
    pack = build_pack(length, language="fr", answers=1000, fold_accents=True)
    return Game(pack.answers, pack.guesses, cap=6, name=f"French, {length} letters")


def romanian_game() -> Game:
    words = (SHARED / "data" / "romanian-11454.txt").read_text("utf-8").lower().split()
    drawn = np.random.default_rng([2315, 20]).permutation(len(words))[:ANSWERS]
    answers = [words[index] for index in np.sort(drawn)]
    return Game(answers, words, rule="present", cap=6, name="Romanian, 2315 answers")


OTHERS: dict[str, Callable[[], Game]] = {
    "original": lambda: Game.named("original"),
    "nyt": lambda: Game.named("nyt"),
    "500": lambda: held_out_game(21, 500),
    "1000": lambda: held_out_game(22, 1000),
    "5000": lambda: held_out_game(23, 5000),
    "hard": lambda: Game.named("original", mode="hard").replace(name="original, hard mode"),
    "4 letters": lambda: dictionary_game(4),
    "6 letters": lambda: dictionary_game(6),
    "Romanian": romanian_game,
    "Mastermind": lambda: Game.named("mastermind:4x6"),
}


def measured(
    key: str, game: Callable[[], Game], players: dict[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The figures and the guesses of every game of each player, from disk if they are there."""
    KEPT.mkdir(parents=True, exist_ok=True)
    opened: Game | None = None
    for player in players:
        path = KEPT / f"{key}-{player}.json"
        if not path.exists():
            opened = opened or game()
            began = os.times()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OffListWarning)
                played = simulate(opened, player)
            used = os.times().user - began.user
            fields = played.to_dict()
            row = {"name": opened.name, **{name: fields[name] for name in FIELDS}}
            row |= {"cpu_seconds": round(used, 1), "charges": played.charges}
            path.write_text(json.dumps(row))
        row = json.loads(path.read_text())
        print(key, player, round(row["mean"], 4), row["losses"], row["opener"], flush=True)
        yield player, row


def proofs() -> None:
    """Prove the optimum of every held-out list, and store them together."""
    KEPT.mkdir(parents=True, exist_ok=True)
    found = {}
    for number in LISTS:
        path = KEPT / f"proof-{number}.json"
        if not path.exists():
            began = os.times()
            proof = prove(held_out_game(number), threads=1, memory=0.6)
            row: dict[str, Any] = {"best": proof.best, "total": proof.total, "proven": proof.proven}
            row["cpu_seconds"] = round(os.times().user - began.user, 1)
            path.write_text(json.dumps(row))
        found[f"held-out-{number}"] = json.loads(path.read_text())
        print(number, found[f"held-out-{number}"], flush=True)
    store("held-out-optima", "python benchmarks/learned.py --prove", found)


def drawn_game(number: int) -> Game:
    """A list drawn from all guesses of `original`; training draws its lists from other seeds."""
    words = sorted(Game.named("original").guesses)
    generator = np.random.default_rng([2315, number])
    answers = [words[index] for index in np.sort(generator.permutation(len(words))[:ANSWERS])]
    return Game(answers, Game.named("original").guesses, cap=6, name=f"drawn-{number}")


def measure_specialist() -> dict[str, Any]:
    """The network of one list on that list and on drawn ones, beside the proven optima."""
    games: dict[str, Callable[[], Game]] = {"original": OTHERS["original"]}
    games |= {f"drawn-{number}": partial(drawn_game, number) for number in (1, 2, 3)}
    figures: dict[str, Any] = {}
    for name, game in games.items():
        found = measured(name, game, {**SPECIALISTS, "parts": "", "entropy": ""})
        figures[name] = {player: {key: row[key] for key in FIELDS} for player, row in found}
        proof = "original-normal" if name == "original" else name
        proven = json.loads((RESULTS / f"proof-{proof}.json").read_text())["figures"]
        best, total = proven["best"], proven["total"]
        figures[name]["optimum"] = {"opener": best, "mean": total / ANSWERS, "total": total}
    return figures


def specialist_table(figures: dict[str, Any]) -> str:
    columns = ("opener", "mean", "total", "worst", "losses")
    lines = ["| list | player | opener | mean | total | worst | lost |", "| --- " * 7 + "|"]
    for name, rows in figures.items():
        for player, row in rows.items():
            shown = [str(row.get(column, "")) for column in columns]
            shown[1] = f"{row['mean']:.4f}"
            lines.append("| " + " | ".join([name, player, *shown]) + " |")
    return "\n".join(lines)


def compared(first: list[list[int]], second: list[list[int]]) -> dict[str, Any]:
    """The paired difference of two players over all games, with its two-sided p value."""
    difference = np.concatenate(first).astype(float) - np.concatenate(second)
    error = difference.std(ddof=1) / math.sqrt(len(difference))
    mean = float(difference.mean())
    p = math.erfc(abs(mean) / error / math.sqrt(2)) if error else 1.0
    return {"games": len(difference), "mean": mean, "standard_error": error, "p": p}


def measure() -> dict[str, Any]:
    """The figures of all tables."""
    optima = json.loads((RESULTS / "held-out-optima.json").read_text())["figures"]
    charges: dict[str, list[list[int]]] = {}
    rows: dict[str, list[dict[str, Any]]] = {}
    for number in LISTS:
        game = lambda number=number: held_out_game(number)  # noqa: E731
        for player, row in measured(f"held-out-{number}", game, {**PLAYERS, **SPECIALISTS}):
            charges.setdefault(player, []).append(row.pop("charges"))
            optimum = optima[f"held-out-{number}"]["total"]
            rows.setdefault(player, []).append({**row, "optimum": optimum})
    held_out = {
        player: {
            "mean": float(np.mean([row["mean"] for row in each])),
            "lost": sum(row["losses"] for row in each),
            "above_optimum": sum(row["total"] - row["optimum"] for row in each)
            / sum(map(len, charges[player])),
            "worst_list_above_optimum": max(
                (row["total"] - row["optimum"]) / ANSWERS for row in each
            ),
            "cpu_seconds": float(np.mean([row["cpu_seconds"] for row in each])),
            "against_entropy": compared(charges[player], charges["entropy"]),
            "lists": [
                {k: row[k] for k in ("opener", "total", "losses", "optimum")} for row in each
            ],
        }
        for player, each in rows.items()
    }
    others = {}
    for key, other in OTHERS.items():
        specialists = SPECIALISTS if key in ("original", "hard") else {}
        found = dict(measured(key, other, {**PLAYERS, **specialists}))
        for row in found.values():
            row["against_entropy"] = compared([row["charges"]], [found["entropy"]["charges"]])
            del row["histogram"]
        for row in found.values():
            del row["charges"]
        others[key] = found
    return {"held_out": held_out, "others": others}


def held_out_table(figures: dict[str, Any]) -> str:
    lines = ["| player | what it does | mean of means | above the optimum | on the worst list | "
             "lost | against entropy | p | CPU seconds a list |"]  # fmt: skip
    lines.append("| --- " * 9 + "|")
    for player, what in {**PLAYERS, **SPECIALISTS}.items():
        row = figures["held_out"][player]
        test = row["against_entropy"]
        against = ["", ""] if player == "entropy" else [f"{test['mean']:+.4f}", f"{test['p']:.1g}"]
        shown = [player, what, f"{row['mean']:.4f}", f"{row['above_optimum']:.4f}",
                 f"{row['worst_list_above_optimum']:.4f}", row["lost"], *against,
                 f"{row['cpu_seconds']:.1f}"]  # fmt: skip
        lines.append("| " + " | ".join(map(str, shown)) + " |")
    return "\n".join(lines)


def others_table(figures: dict[str, Any]) -> str:
    lines = ["| game | player | what it does | opener | mean | lost | against entropy | p |"]
    lines.append("| --- " * 8 + "|")
    for rows in figures["others"].values():
        for player, row in rows.items():
            what = {**PLAYERS, **SPECIALISTS}[player]
            test = row["against_entropy"]
            is_entropy = player == "entropy"
            against = ["", ""] if is_entropy else [f"{test['mean']:+.4f}", f"{test['p']:.1g}"]
            shown = [row["name"], player, what, row["opener"], f"{row['mean']:.4f}"]
            lines.append("| " + " | ".join(map(str, [*shown, row["losses"], *against])) + " |")
    return "\n".join(lines)


def publish() -> None:
    """Replace the tables of docs/learned.md by the stored figures."""
    learned, specialist = (
        json.loads((RESULTS / f"{name}.json").read_text())["figures"]
        for name in ("learned", "specialist")
    )
    page = PAGE.read_text("utf-8")
    page = replace_between(page, "held-out", held_out_table(learned))
    page = replace_between(page, "others", others_table(learned))
    PAGE.write_text(replace_between(page, "specialist", specialist_table(specialist)), "utf-8")


def ship(run: Path) -> None:
    """Copy weights and metrics from a run."""
    shutil.copy(run / "weights.safetensors", WEIGHTS / "learned.safetensors")
    shutil.copy(run / "metrics.csv", WEIGHTS / "learned.csv")
    plot_rounds(run / "metrics.csv", PAGE.parent / "images" / "learned.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ship", type=Path, help="only copy weights and metrics from this run")
    parser.add_argument("--prove", action="store_true", help="only prove the optima")
    parser.add_argument("--specialist", action="store_true", help="only the network of one list")
    parser.add_argument("--tables", action="store_true", help="only write the tables again")
    chosen = parser.parse_args()
    if chosen.ship:
        ship(chosen.ship)
    elif chosen.prove:
        proofs()
    else:
        if chosen.specialist:
            store("specialist", "python benchmarks/learned.py --specialist", measure_specialist())
        elif not chosen.tables:
            store("learned", "python benchmarks/learned.py", measure())
        publish()
