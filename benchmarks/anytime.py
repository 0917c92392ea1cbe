"""Anytime search, measured. `python benchmarks/anytime.py WHAT [FOLDER]`, WHAT one of

- `targets`: what the default search reaches and when, 5 seeds each (some 10 minutes)
- `faithful FOLDER [NAME …]`: the published algorithm on nyt-2023-07, Thompson with 5 seeds
  (`thompson-0` …) and the other pickers for 30 minutes each (`laplace` …). Hours; each run is a
  file in FOLDER, and a second call goes on with those that are missing
- `collect FOLDER`: the stored JSON, curves and figure of those runs
- `sizes [SECONDS]`: all 12,972 words as answers, one thread, processor seconds
- `histories`: memory of stored value histories against that of statistics by state
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from record import RESULTS, commit, run_python, store

TOP = Path(__file__).resolve().parents[1]
LIST = "nyt-2023-07"
SEEDS = range(5)
FAITHFUL = {
    **{f"thompson-{seed}": ["--picker", "thompson", "--seed", str(seed)] for seed in SEEDS},
    **{name: ["--picker", name] for name in ("laplace", "puct", "hoeffding", "epsilon-greedy")},
}
THOMPSON = ["--iterations", "1500"]
OTHERS = ["--seconds", "1800"]
PUBLISHED = {"thompson": 870, "laplace": 17735, "puct": 20139, "hoeffding": 22954}
"""iterations after which the article's runs, one each, were at 11219"""
ENDED = ("mastermind:4x6", "bulls-and-cows:3x6", "original:first=200")
BEGIN, END = "<!-- anytime:begin -->", "<!-- anytime:end -->"


def search(*options: str) -> dict[str, Any]:
    """One search in a process of its own."""
    found: dict[str, Any] = json.loads(
        run_python("-m", "salet", "search", "--game", *options, "--json")
    )
    return found


def first_at(found: dict[str, Any], answers: int, total: int) -> tuple[float, int] | None:
    """Seconds and iterations after which the upper bound was that low."""
    for point in found["curve"]:
        if point["upper"] is not None and round(point["upper"] * answers) <= total:
            return point["seconds"], point["iteration"]
    return None


def upper_after(found: dict[str, Any], answers: int, seconds: float) -> int | None:
    """The upper bound at a moment."""
    known = [p["upper"] for p in found["curve"] if p["seconds"] <= seconds and p["upper"]]
    return round(known[-1] * answers) if known else None


def upper_at(found: dict[str, Any], answers: int, iteration: int) -> int:
    """The upper bound after a number of iterations."""
    known: list[float] = [
        p["upper"] for p in found["curve"] if p["iteration"] <= iteration and p["upper"]
    ]
    return round(known[-1] * answers)


def median(numbers: list[Any]) -> Any:
    """The middle one; None counts as never."""
    ordered = sorted(numbers, key=lambda number: float("inf") if number is None else number)
    return ordered[len(ordered) // 2]


def targets() -> dict[str, Any]:
    """What is asked of the default search."""
    figures: dict[str, Any] = {}
    rows: list[list[Any]] = []
    for name, answers, total, seconds in ((LIST, 3158, 11219, 60), ("original", 2315, 7920, 20)):
        runs = [search(name, "--seconds", str(seconds), "--seed", str(seed)) for seed in SEEDS]
        reached = [first_at(run, answers, total) for run in runs]
        times = [None if at is None else at[0] for at in reached]
        figures[name] = {
            "total": total,
            "seconds": times,
            "seconds_median": median(times),
            "iterations": [None if at is None else at[1] for at in reached],
            "upper_at_end": [run["upper"] for run in runs],
            "lower_at_end": [run["lower"] for run in runs],
            "peak_mb": max(run["peak_mb"] for run in runs),
        }
        if name == "original":
            figures[name]["upper_after"] = {
                f"{moment} s": median([upper_after(run, answers, moment) for run in runs])
                for moment in (1, 5, 20)
            }
        rows += [[name, *row] for run in runs for row in points(run)]
    for name in ENDED:
        run = search(name)
        keys = ("total", "proven", "iterations", "seconds", "peak_mb")
        figures[name] = {key: run[key] for key in keys}
        rows += [[name, *row] for row in points(run)]
    write_csv("anytime", rows)
    return figures


def points(run: dict[str, Any]) -> list[list[Any]]:
    """The rows of a curve."""
    return [
        [run["picker"], run["seed"], p["iteration"], p["seconds"], p["lower"], p["upper"]]
        for p in run["curve"]
    ]


def write_csv(name: str, rows: list[list[Any]]) -> None:
    """The curves beside the figures."""
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "picker", "seed", "iteration", "seconds", "lower", "upper"])
        writer.writerows(rows)


def faithful(folder: Path, *names: str) -> None:
    """The named runs (or all) that FOLDER does not have yet, one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or FAITHFUL:
        options = FAITHFUL[name]
        path = folder / f"{name}.json"
        if path.exists():
            continue
        budget = THOMPSON if name.startswith("thompson") else OTHERS
        print("begin", name, flush=True)
        run = search(LIST, "--faithful", "--memory", "8", *options, *budget)
        run["measured_commit"] = commit()
        part = path.with_suffix(".part")
        part.write_text(json.dumps(run))
        part.replace(path)
        print("end", name, run["iterations"], run["upper"], run["seconds"], flush=True)


def collect(folder: Path) -> dict[str, Any]:
    """What the published algorithm reached, with the figure."""
    runs = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    if not runs:
        sys.exit(f"{folder} has no finished run")
    figures: dict[str, Any] = {}
    for name, run in runs.items():
        best = upper_at(run, 3158, run["iterations"])  # the bound, not the plan grown at the end
        at = first_at(run, 3158, best)
        optimum = first_at(run, 3158, 11219)
        figures[name] = {
            "upper": best,
            "at_iteration": at and at[1],
            "at_seconds": at and at[0],
            "iterations_to_11219": optimum and optimum[1],
            "seconds_to_11219": optimum and optimum[0],
            "iterations": run["iterations"],
            "seconds": run["seconds"],
            "peak_mb": run["peak_mb"],
            "stopped": run["stopped"],
            "commit": run["measured_commit"],
        }
    thompson = [name for name in runs if name.startswith("thompson")]
    reached = [figures[name]["iterations_to_11219"] for name in thompson]
    after = PUBLISHED["thompson"]
    published = [upper_at(runs[name], 3158, after) for name in thompson]
    figures["thompson"] = {
        "seeds": len(thompson),
        "upper": [figures[name]["upper"] for name in thompson],
        f"upper_after_{after}": published,
        f"median_after_{after}": median(published) if published else None,
        "spread": [min(published, default=None), max(published, default=None)],
        "iterations_to_11219": reached,
        "median_iterations": median(reached) if reached else None,
    }
    write_csv("anytime-faithful", [[LIST, *row] for run in runs.values() for row in points(run)])
    draw(list(runs.values()))
    return figures


def publish() -> None:
    """What is stored, as the tables of docs/anytime.md."""
    page = TOP / "docs" / "anytime.md"
    head, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    tables = [
        table(json.loads(path.read_text())["figures"])
        for name, table in (("anytime", target_rows), ("anytime-faithful", faithful_rows))
        if (path := RESULTS / f"{name}.json").exists()
    ]
    page.write_text(f"{head}{BEGIN}\n" + "\n\n".join(tables) + f"\n{END}{tail}", "utf-8")


def target_rows(figures: dict[str, Any]) -> str:
    """What the default search reaches."""
    lines = [
        "| game, five seeds | total | seconds to it: median | all seeds | MB |",
        "| --- " * 5 + "|",
    ]
    for name in (LIST, "original"):
        row = figures[name]
        times = ", ".join(f"{seconds:.1f}" for seconds in row["seconds"])
        lines.append(
            f"| {name} | {row['total']} | {row['seconds_median']:.1f} | {times} "
            f"| {row['peak_mb']:.0f} |"
        )
    after = figures["original"]["upper_after"]
    stands = ", ".join(f"{total} after {moment}" for moment, total in after.items())
    lines += ["", f"On `original` the median stands at {stands}.", ""]
    lines += ["| searched to the end | total, proven | seconds | MB |", "| --- " * 4 + "|"]
    for name in ENDED:
        row = figures[name]
        proven = "" if row["proven"] else " (not proven)"
        lines.append(
            f"| {name} | {row['total']}{proven} | {row['seconds']:.1f} | {row['peak_mb']:.0f} |"
        )
    return "\n".join(lines)


def faithful_rows(figures: dict[str, Any]) -> str:
    """What the published algorithm reaches."""
    lines = [
        "| `--faithful` on nyt-2023-07 | total | first at iteration | iterations | minutes "
        "| 11219 published at iteration |",
        "| --- " * 6 + "|",
    ]
    for name, row in figures.items():
        if name == "thompson":
            continue
        lines.append(
            f"| {name} | {row['upper']} | {row['at_iteration']} | {row['iterations']} "
            f"| {row['seconds'] / 60:.0f} | {PUBLISHED.get(name.split('-')[0], '')} |"
        )
    row, after = figures["thompson"], PUBLISHED["thompson"]
    totals = ", ".join(map(str, sorted(row[f"upper_after_{after}"])))
    lines += [
        "",
        f"After {after} iterations, where the article's Thompson run came to 11219, ours have "
        f"{totals} (median {row[f'median_after_{after}']}).",
    ]
    return "\n".join(lines)


def draw(runs: list[dict[str, Any]]) -> None:
    """results/anytime-faithful.svg, and the same as docs/images/pickers.svg."""
    import msgspec

    from salet.cli.render.plots import plot_curves
    from salet.search.anytime import SearchResult

    fields = set(SearchResult.__struct_fields__)
    results = [
        msgspec.convert({key: run[key] for key in fields if key in run}, SearchResult)
        for run in runs
    ]
    plot_curves(results, RESULTS / "anytime-faithful.svg")
    shutil.copy(RESULTS / "anytime-faithful.svg", TOP / "docs" / "images" / "pickers.svg")


def sizes(seconds: float = 60) -> dict[str, Any]:
    """What the default search knows of the game with all words as answers, over time."""
    from mcdp import NOTE, processor_time

    from salet import Game, SearchConfig, anytime_search

    game = Game.named("original:answers=guesses")
    with processor_time():
        found = anytime_search(game, SearchConfig(seconds=seconds, threads=1))
    answers = game.answer_count
    return {
        "note": NOTE,
        "published": {"guess": "lants", "total": 52896},
        "guess": found.guess,
        "lower": found.lower,
        "upper": found.upper,
        "seconds": found.seconds,
        "peak_mb": found.peak_mb,
        "histogram": found.plan and found.plan.histogram,
        "curve": [
            [p.seconds, round(p.lower * answers), p.upper and round(p.upper * answers)]
            for p in found.curve
        ],
    }


def histories(iterations: int = 400) -> dict[str, Any]:
    """Bytes of what bias and variance are computed from, in the same search of original:first=100:
    the values after every visit of every action, or the sums of every state."""
    program = f"import anytime; anytime.measure({{!r}}, {iterations})"
    here = str(Path(__file__).parent)
    measured = {
        kind: json.loads(
            subprocess.run(
                [sys.executable, "-c", program.format(kind)],
                capture_output=True, text=True, check=True, cwd=here,
            ).stdout
        )
        for kind in ("histories", "statistics")
    }  # fmt: skip
    ratio = measured["histories"]["bytes"] / measured["statistics"]["bytes"]
    return {"iterations": iterations, **measured, "times": round(ratio, 2)}


def measure(kind: str, iterations: int) -> None:
    """Print the memory that a faithful search uses for its predictors of one kind."""
    from salet.game.game import Game
    from salet.search.game_process import GameProcess
    from salet.search.mcts import faithful as published
    from salet.search.mcts import predictors, tree
    from salet.search.mcts.pickers import picker_named

    class Histories(predictors.Changes):
        """The article's first version: every action keeps what it was believed to be worth."""

        __slots__ = ("values",)

        def __init__(self, is_raw: bool = False) -> None:
            super().__init__(is_raw)
            self.values: list[list[float]] = []

        def add_action(self) -> None:
            super().add_action()
            self.values.append([0.0])

        def learn(self, visit: int, change: float) -> None:
            super().learn(visit, change)
            # whichever action it was: one with as many visits takes the same room
            last = next(row for row in self.values if len(row) == visit)
            last.append(last[-1] + change)

    if kind == "histories":
        setattr(tree, "Changes", Histories)  # noqa: B010 — the search makes these
    process = GameProcess(Game.named("original:first=100", cap=None))
    process.warm_up()
    search_ = published.FaithfulSearch(process, picker_named("thompson"), 0)
    for _ in range(iterations):
        search_.iterate()
    sizes = sum(_size(node.changes, kind) for node in _nodes(search_.root))
    print(json.dumps({"bytes": sizes, "states": search_.states}))


def _nodes(root: Any) -> Any:
    """All nodes of the tree."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        for branches in node.branches:
            waiting += [child for _, _, child in branches or () if child.actions]


def _size(changes: Any, kind: str) -> int:
    """Bytes of the lists that one state keeps for its predictors."""
    if kind == "histories":
        rows = changes.values
        return sum(map(sys.getsizeof, rows)) + sys.getsizeof(rows) + 24 * sum(map(len, rows))
    lists = (changes.count, changes.mean, changes.square)
    numbers = len(changes.mean) + len(changes.square)  # small counts are shared by the interpreter
    return sum(map(sys.getsizeof, lists)) + 24 * numbers


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["targets"]
    shown = rest if what == "sizes" else ["FOLDER"] * bool(rest)
    line = " ".join(["python benchmarks/anytime.py", what, *shown])
    if what == "targets":
        store("anytime", line, targets())
        publish()
    elif what == "faithful":
        faithful(Path(rest[0]), *rest[1:])
    elif what == "collect":
        store("anytime-faithful", line, collect(Path(rest[0])))
        publish()
    elif what == "sizes":
        store("anytime-sizes", line, sizes(*map(float, rest)))
    elif what == "histories":
        store("anytime-histories", line, histories())
    else:
        sys.exit(f"{what!r}: give targets, faithful, collect, sizes or histories")
