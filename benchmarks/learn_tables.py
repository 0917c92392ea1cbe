"""Write the tables and plots of docs/learning.md from the figures that benchmarks/learn.py stored.

Run as `python benchmarks/learn_tables.py`. The table of a part without stored figures is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from publish import replace_between
from record import RESULTS

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "learning.md"
IMAGES = TOP / "docs" / "images"
PLAYERS = ("dqn", "dqn-finish", "dqn-ply")
PUBLISHED = {
    "lengths": {"5": (94.33, 4.141), "6": (97.22, 3.750), "7": (98.01, 3.469), "8": (98.79, 3.153)},
    "more": {"6": (91.85, 4.341), "7": (94.62, 4.076), "8": (96.03, 3.847)},
    "long": {"9": (98.91, 3.292), "10": (98.95, 3.203)},
    "disjoint": {"5": (75.69, 5.071), "6": (87.87, 4.631)},
}
"""published results of the original DQN on lists of its own, by letters: games won (per cent) and
guesses per game, a loss counting six"""

Figures = dict[str, Any]


def seeds(figures: Figures) -> str:
    """Three seeds, with three players each."""
    rows: list[list[Any]] = [
        ["seed", "player", "opener", "mean", "total", "lost", "seconds", "training, minutes"]
    ]
    for seed in range(3):
        found = figures[f"seed {seed}"]
        for player in PLAYERS:
            row = found[player]
            numbers = [f"{row['mean']:.4f}", row["total"], row["losses"], f"{row['seconds']:.1f}"]
            minutes = round(found["seconds"] / 60) if player == "dqn" else ""
            rows.append([seed, player, row["opener"], *numbers, minutes])
    return table(rows)


def heads(figures: Figures) -> str:
    draw_heads(figures, IMAGES / "heads.svg")
    rows: list[list[Any]] = [["head", "outputs", "games to the best", "won", "mean", "minutes"]]
    for head, row in figures.items():
        won = f"{row['wins']} of {row['test_answers']}"
        minutes = round(row["seconds"] / 60, 1)
        rows.append([head, row["outputs"], row["games"], won, f"{row['mean']:.4f}", minutes])
    return table(rows)


def variants(figures: Figures) -> str:
    """Runs beside the letters run of `heads`, from which each differs in one thing."""
    stored = json.loads((RESULTS / "learn-heads.json").read_text("utf-8"))["figures"]
    rows: list[list[Any]] = [["run", "outputs", "games to the best", "won", "mean"]]
    for name, row in {"letters, as above": stored["letters"], **figures}.items():
        won = f"{row['wins']} of {row['test_answers']}"
        label = CHANGES.get(name, name)
        rows.append([label, row["outputs"], row["games"], won, f"{row['mean']:.4f}"])
    return table(rows)


def long_ablations(figures: Figures) -> str:
    """Full runs, each without one thing, beside the three seeds of the shipped configuration."""
    stored = json.loads((RESULTS / "learn-ship.json").read_text("utf-8"))["figures"]
    shipped = {f"as shipped, seed {seed}": stored[f"seed {seed}"] for seed in range(3)}
    rows: list[list[Any]] = [["run", "games to the best", "won", "mean"]]
    for name, row in {**shipped, **figures}.items():
        won = f"{row['wins']} of {row['test_answers']}"
        rows.append([CHANGES.get(name, name), row["games"], won, f"{row['mean']:.4f}"])
    return table(rows)


CHANGES = {
    "words": "head `words`",
    "embedding": "head `embedding`",
    "convex": "head `convex`",
    "sequence": "encoder `sequence` (letters head)",
    "double": "no double Q-learning (`double = false`)",
    "priorities": "no priorities (`alpha = 0`)",
    "steps": "3-step returns (`steps = 3`)",
}
"""what the stored runs change"""


def draw_heads(figures: Figures, path: Path) -> None:
    """Plot the mean and the losses of each head against the games played."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawing, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for head, row in figures.items():
        games, wins, means = zip(*row["curve"], strict=True)
        lost = [max(row["test_answers"] - won, 0.5) for won in wins]
        name = f"{head} ({row['outputs']:,} outputs)"
        left.plot(games, means, label=name)
        right.semilogy(games, lost, label=name)
    left.set(xlabel="games played", ylabel="mean guesses (a loss counts 7)", ylim=(3.5, 6.0))
    right.set(xlabel="games played", ylabel="lost of 2315 (0 drawn as 0.5)")
    left.legend(frameon=False)
    for side in (left, right):
        side.spines[["top", "right"]].set_visible(False)
    drawing.savefig(path)


def generalisation(part: str) -> Callable[[Figures], str]:
    """A row for each run, beside entropy and the published result."""

    def rows_of(figures: Figures) -> str:
        rows: list[list[Any]] = [
            ["letters", "words", "answers tested", "won", "mean", "a loss as 6", "entropy"]
        ]
        if part in PUBLISHED:
            rows[0].append("published")
        for name, row in figures.items():
            letters, _, how = name.partition(", ")
            won = f"{row['wins']} ({row['win_percent']:.2f} %)"
            lost = 1 - row["wins"] / row["test_answers"]
            means = [f"{row['mean']:.4f}", f"{row['mean'] - lost:.3f}"]
            entropy = f"{row['entropy_mean']:.4f}, {row['entropy_losses']} lost"
            label = f"{letters}: {how}" if how else letters
            rows.append([label, row["words"], row["test_answers"], won, *means, entropy])
            if part in PUBLISHED:
                share, mean = PUBLISHED[part][letters]
                rows[-1].append(f"{share:.2f} %, {mean:.3f}")
        return table(rows)

    return rows_of


def tune(figures: Figures) -> str:
    """The mean result of all trials with each value of each setting, and the best trials."""
    effects = [["setting", "mean of all trials with it"]]
    for name, values in figures["effects"].items():
        effects.append([name, ", ".join(f"{value}: {mean:.3f}" for value, mean in values.items())])
    names = list(figures["best"][0])
    best = [names, *([row[name] for name in names] for row in figures["best"])]
    return table(effects) + "\n\nThe five best:\n\n" + table(best)


def table(rows: list[list[Any]]) -> str:
    """A Markdown table; the first row is the header."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


TABLES: dict[str, Callable[[Figures], str]] = {
    "ship": seeds,
    "heads": heads,
    "architectures": variants,
    "ablations": variants,
    "ablations-long": long_ablations,
    "lengths": generalisation("lengths"),
    "long": generalisation("long"),
    "more": generalisation("more"),
    "disjoint": generalisation("disjoint"),
    "unseen": generalisation("unseen"),
    "tune": tune,
}

if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    for name, make in TABLES.items():
        stored = RESULTS / f"learn-{name}.json"
        if stored.exists():
            figures = json.loads(stored.read_text("utf-8"))["figures"]
            text = replace_between(text, name, make(figures))
        else:
            print(f"no {stored.name}: its table is kept")
    PAGE.write_text(text, "utf-8")
