"""Generate from stored results: docs/results.md with its figure, README's tables, the tables of
docs/exact.md and docs/certificates.md, and the About tab of the page.

`salet bench --suite full --game original --out benchmarks/results/bench` measures,
`python benchmarks/publish.py` publishes; `make bench` does both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from salet.bench.report import (
    conditions,
    figure,
    readme_section,
    replace_section,
    table_page,
)
from salet.verification.stored_certificates import StoredCertificate, stored_certificates

TOP = Path(__file__).resolve().parents[1]
RESULTS = TOP / "benchmarks" / "results"
STORED = RESULTS / "bench" / "bench.json"
CONVERGENCE = RESULTS / "convergence.json"
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
    columns = ("game", "mode, cap", "best opener", "total", "certificate", "ranked", "seconds")
    rows = [[*columns, "CPU seconds", "stored"], ["---"] * 9]
    for path in sorted(RESULTS.glob("proof-*.json")):
        found = json.loads(path.read_text("utf-8"))["figures"]
        runners_up = ", ".join(f"{row['guess']} {row['total']}" for row in found["ranking"][1:6])
        cpu = found.get("cpu_seconds")
        stored = certificate_of(found)
        rows.append(
            [
                found["game"],
                f"{found['mode']} {found['cap'] or 'without'}",
                found["best"] + (f" (then {runners_up})" if runners_up else ""),
                str(found["total"]),
                "" if stored is None else stored.file,
                str(len(found["ranking"])),
                f"{found['seconds']:.0f}",
                "" if cpu is None else f"{cpu:.0f}",
                path.name,
            ]
        )
    return markdown_table(rows)


def certificate_of(found: dict[str, Any]) -> StoredCertificate | None:
    """Return the stored certificate of the total that a proof found."""
    wanted = tuple(found[name] for name in ("game", "mode", "cap", "total"))
    by_total = {(one.game, one.mode, one.cap, one.lower): one for one in stored_certificates()}
    return by_total.get(wanted)


def certificates() -> str:
    """Return a table with a row for each stored certificate."""
    columns = ("file", "best opener", "total", "facts", "size", "proof", "writing", "check")
    rows = [[*columns, "sha256"], ["---"] * 9]
    for stored in stored_certificates():
        path = RESULTS / f"certificate-{stored.file.removesuffix('.cert')}.json"
        found = json.loads(path.read_text("utf-8"))["figures"]
        assert found["total"] == stored.lower
        times = (found[name] for name in ("proof", "certificate", "check"))
        rows.append(
            [
                f"`{stored.file}`",
                found["best"],
                str(stored.lower),
                f"{found['facts']:,}",
                f"{found['file_bytes'] / 1e6:.2f} MB",
                *(f"{time['cpu_seconds']:.0f} s" for time in times),
                f"`{stored.sha256[:16]}…`",
            ]
        )
    return markdown_table(rows)


def certified_totals() -> str:
    """Return README's table of totals that are certified."""
    rows = [["game", "total", "mean", "opener", "certificate", "sha256"], ["---"] * 6]
    for stored in stored_certificates():
        name = stored.file.removesuffix(".cert")
        found = json.loads((RESULTS / f"certificate-{name}.json").read_text("utf-8"))["figures"]
        game = f"{stored.game}, {stored.mode}, {f'cap {stored.cap}' if stored.cap else 'no cap'}"
        mean = f"{stored.lower / found['answers']:.4f}"
        digest = f"`{stored.sha256[:16]}…`"
        rows.append([game, str(stored.lower), mean, found["best"], f"`{stored.file}`", digest])
    return markdown_table(rows)


def markdown_table(rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def ablation() -> str:
    """Return a table of what each optimisation is worth: time and nodes without it, relative to
    the full search."""
    found = json.loads((RESULTS / "ablation.json").read_text("utf-8"))["figures"]
    threads = found.pop("threads")
    head = ["", *(f"{game}: time, nodes" for game in found)]
    rows = [head, ["---"] * len(head)]
    for switch in next(iter(found.values())):
        cells = [
            f"× {games[switch]['time']}, × {games[switch]['nodes']}" for games in found.values()
        ]
        rows.append([switch, *cells])
    text = markdown_table(rows)
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
    page = TOP / "docs" / "certificates.md"
    page.write_text(
        replace_between(page.read_text("utf-8"), "certificates", certificates()), "utf-8"
    )
    fields = json.loads(STORED.read_text("utf-8"))
    (TOP / "docs" / "results.md").write_text(results_page(fields), "utf-8")
    (TOP / "docs" / "images" / "bench.svg").write_text(figure(fields), "utf-8")
    convergence = json.loads(CONVERGENCE.read_text("utf-8"))
    ABOUT.write_text(about(fields, convergence), "utf-8")
    readme = TOP / "README.md"
    text = replace_between(readme.read_text("utf-8"), "certificates", certified_totals())
    readme.write_text(replace_section(text, readme_section(fields)), "utf-8")
