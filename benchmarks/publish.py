"""Make docs/results.md, its figure, README's table, the tables of docs/exact.md and the page's Lab
from what is stored.

`salet bench --suite full --game original --out benchmarks/results/bench` measures,
`python benchmarks/publish.py` publishes; `make bench` does both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from salet.arena.bench.report import BEGIN, figure, readme_part, stated, table_page, with_part

TOP = Path(__file__).resolve().parents[1]
STORED = TOP / "benchmarks" / "results" / "bench" / "bench.json"
CONVERGENCE = TOP / "benchmarks" / "results" / "convergence.json"
LAB = TOP / "src" / "salet" / "web" / "lab.json"
SHOWN = ("name", "opener", "mean", "total", "worst", "losses", "histogram", "seconds")
COSTS = ("prepare_seconds", "peak_mb")


def lab(fields: dict[str, Any], watched: dict[str, Any]) -> str:
    """src/salet/web/lab.json: what the web page shows of the stored results."""
    bench = {
        "stated": stated(fields),
        **{name: fields[name] for name in ("answers", "date", "commit", "machine")},
        "entries": [
            {name: entry[name] for name in (*SHOWN, *COSTS)}
            for entry in fields["entries"]
            if entry["error"] is None
        ],
    }
    about = {name: watched[name] for name in ("command", "date", "commit", "machine")}
    curves = [
        {name: curve[name] for name in ("name", "answers", "best", "total", "points")}
        for curve in watched["figures"]["curves"]
    ]
    lines = {"bench": bench, "convergence": {**about, "curves": curves}}
    return json.dumps(lines, ensure_ascii=False, separators=(",", ":")) + "\n"


def page(fields: dict) -> str:
    """docs/results.md."""
    picture = "\n![Mean guesses of every player](images/bench.svg)\n"
    head, mark, rest = table_page(fields).partition("\n\n**")
    return head + "\n" + picture + mark.removeprefix("\n") + rest


def proofs() -> str:
    """What has been proven, a row for each stored proof."""
    head = "| game | mode, cap | best opener | total | ranked | seconds | CPU seconds | stored |"
    rows = [head, "|" + " --- |" * 8]
    for path in sorted((TOP / "benchmarks" / "results").glob("proof-*.json")):
        found = json.loads(path.read_text("utf-8"))["figures"]
        then = ", ".join(f"{row['guess']} {row['total']}" for row in found["ranking"][1:6])
        best = found["best"] + (f" (then {then})" if then else "")
        mode = f"{found['mode']} {found['cap'] or 'without'}"
        used = found.get("cpu_seconds")
        rows.append(
            f"| {found['game']} | {mode} | {best} | {found['total']} | {len(found['ranking'])} | "
            f"{found['seconds']:.0f} | {'' if used is None else round(used)} | {path.name} |"
        )
    return "\n".join(rows)


def ablation() -> str:
    """What each optimisation is worth: time and nodes without it, by the search with it."""
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


def between(text: str, name: str, part: str) -> str:
    """Put a part between the marks of that name."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, rest = text.split(begin)
    return before + begin + "\n" + part + "\n" + end + rest.split(end)[1]


if __name__ == "__main__":
    exact = TOP / "docs" / "exact.md"
    text = between(exact.read_text("utf-8"), "proofs", proofs())
    exact.write_text(between(text, "ablation", ablation()), "utf-8")
    fields = json.loads(STORED.read_text("utf-8"))
    (TOP / "docs" / "results.md").write_text(page(fields), "utf-8")
    (TOP / "docs" / "images" / "bench.svg").write_text(figure(fields), "utf-8")
    watched = json.loads(CONVERGENCE.read_text("utf-8"))
    LAB.write_text(lab(fields, watched), "utf-8")
    readme = TOP / "README.md"
    text = readme.read_text("utf-8")
    if BEGIN in text:
        readme.write_text(with_part(text, readme_part(fields)), "utf-8")
    else:
        print(f"README.md has no {BEGIN}; left as it is")
