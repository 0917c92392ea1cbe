"""Generate from stored results: docs/results.md with its figure, README's table, the tables of
docs/exact.md, and the About tab of the page.

`salet bench --suite full --game original --out benchmarks/results/bench` measures,
`python benchmarks/publish.py` publishes; `make bench` does both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from salet.bench.report import (
    BEGIN,
    conditions,
    figure,
    readme_section,
    replace_section,
    table_page,
)

TOP = Path(__file__).resolve().parents[1]
STORED = TOP / "benchmarks" / "results" / "bench" / "bench.json"
CONVERGENCE = TOP / "benchmarks" / "results" / "convergence.json"
ABOUT = TOP / "src" / "salet" / "site" / "about.json"
SHOWN = ("name", "opener", "mean", "total", "worst", "losses", "histogram", "seconds")
COSTS = ("prepare_seconds", "peak_mb")


def about(fields: dict[str, Any], convergence: dict[str, Any]) -> str:
    """Return src/salet/site/about.json: the stored results that the page shows."""
    bench = {
        "stated": conditions(fields),
        **{name: fields[name] for name in ("answers", "date", "commit", "machine")},
        "entries": [
            {name: entry[name] for name in (*SHOWN, *COSTS)}
            for entry in fields["entries"]
            if entry["error"] is None
        ],
    }
    source = {name: convergence[name] for name in ("command", "date", "commit", "machine")}
    curves = [
        {name: curve[name] for name in ("name", "answers", "best", "total", "points")}
        for curve in convergence["figures"]["curves"]
    ]
    page = {"bench": bench, "convergence": {**source, "curves": curves}}
    return json.dumps(page, ensure_ascii=False, separators=(",", ":")) + "\n"


def results_page(fields: dict[str, Any]) -> str:
    """Return docs/results.md."""
    picture = "\n![Mean guesses of every player](images/bench.svg)\n"
    head, mark, rest = table_page(fields).partition("\n\n**")
    return head + "\n" + picture + mark.removeprefix("\n") + rest


def proofs() -> str:
    """Return a table with a row for each stored proof."""
    head = "| game | mode, cap | best opener | total | ranked | seconds | CPU seconds | stored |"
    rows = [head, "|" + " --- |" * 8]
    for path in sorted((TOP / "benchmarks" / "results").glob("proof-*.json")):
        found = json.loads(path.read_text("utf-8"))["figures"]
        ranking = found.get("ranking", [found])  # `salet solve` has no ranking
        runners_up = ", ".join(f"{row['guess']} {row['total']}" for row in ranking[1:6])
        best = ranking[0]["guess"] + (f" (then {runners_up})" if runners_up else "")
        mode = f"{found['mode']} {found['cap'] or 'without'}"
        if "objective" in found:
            mode += f", {found['objective']}: {found['losses']} lost, worst {found['worst']}"
        cpu = found.get("cpu_seconds")
        rows.append(
            f"| {found['game']} | {mode} | {best} | {found['total']} | {len(ranking)} | "
            f"{found['seconds']:.0f} | {'' if cpu is None else round(cpu)} | {path.name} |"
        )
    return "\n".join(rows)


def ablation() -> str:
    """Return a table of what each optimisation is worth: time and nodes without it, relative to
    the full search."""
    path = TOP / "benchmarks" / "results" / "ablation.json"
    found = json.loads(path.read_text("utf-8"))["figures"]
    threads = found.pop("threads")
    head = ["", *(f"{game}: time, nodes" for game in found)]
    rows = [head, ["---"] * len(head)]
    for switch in next(iter(found.values())):
        cells = [
            f"× {games[switch]['time']}, × {games[switch]['nodes']}" for games in found.values()
        ]
        rows.append([switch, *cells])
    text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    for name, row in threads.items():
        text += f"\n\nTwo threads, {name}: × {row['gain']} as fast as one."
    return text


def replace_between(text: str, name: str, content: str) -> str:
    """Return the text with what stands between the markers of that name replaced."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, rest = text.split(begin)
    return before + begin + "\n" + content + "\n" + end + rest.split(end)[1]


if __name__ == "__main__":
    exact = TOP / "docs" / "exact.md"
    text = replace_between(exact.read_text("utf-8"), "proofs", proofs())
    exact.write_text(replace_between(text, "ablation", ablation()), "utf-8")
    fields = json.loads(STORED.read_text("utf-8"))
    (TOP / "docs" / "results.md").write_text(results_page(fields), "utf-8")
    (TOP / "docs" / "images" / "bench.svg").write_text(figure(fields), "utf-8")
    convergence = json.loads(CONVERGENCE.read_text("utf-8"))
    ABOUT.write_text(about(fields, convergence), "utf-8")
    readme = TOP / "README.md"
    text = readme.read_text("utf-8")
    if BEGIN in text:
        readme.write_text(replace_section(text, readme_section(fields)), "utf-8")
    else:
        print(f"README.md has no {BEGIN}; left unchanged")
