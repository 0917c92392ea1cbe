"""Make docs/results.md, its figure and README's table from the stored benchmark.

`salet bench --suite full --out benchmarks/results/bench` measures, `python benchmarks/publish.py`
publishes; `make bench` does both.
"""

from __future__ import annotations

import json
from pathlib import Path

from salet.arena.bench.report import BEGIN, figure, readme_part, table_page, with_part

TOP = Path(__file__).resolve().parents[1]
STORED = TOP / "benchmarks" / "results" / "bench" / "bench.json"


def page(fields: dict) -> str:
    """docs/results.md."""
    picture = "\n![Mean guesses of every player](images/bench.svg)\n"
    head, mark, rest = table_page(fields).partition("\n\n**")
    return head + "\n" + picture + mark.removeprefix("\n") + rest


if __name__ == "__main__":
    fields = json.loads(STORED.read_text("utf-8"))
    (TOP / "docs" / "results.md").write_text(page(fields), "utf-8")
    (TOP / "docs" / "images" / "bench.svg").write_text(figure(fields), "utf-8")
    readme = TOP / "README.md"
    text = readme.read_text("utf-8")
    if BEGIN in text:
        readme.write_text(with_part(text, readme_part(fields)), "utf-8")
    else:
        print(f"README.md has no {BEGIN}; left as it is")
