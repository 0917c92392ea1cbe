"""Reports, and the published pages that are generated from the stored result."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from xml.etree import ElementTree

from salet.bench.report import (
    BEGIN,
    END,
    figure,
    readme_section,
    replace_section,
    table_page,
)


def test_the_table_reports_failures(fake_bench) -> None:
    page = table_page(fake_bench.run().to_dict())
    assert "| parts | aback | 2.0000 | 24 | 3 | 0 | 0.50 | 36.00 | 20.00 | 99 |" in page
    assert "failed: no \\| figures" in page
    assert "original:first=12, 12 answers, 12972 guesses" in page and "cap 6" in page


def test_the_figure_shows_every_mean(fake_bench) -> None:
    tree = ElementTree.fromstring(figure(fake_bench.run().to_dict()))
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"parts", "entropy", "minimax"} <= set(texts)


def test_readme_shows_the_best_players(fake_bench) -> None:
    section = readme_section(fake_bench.run().to_dict())
    assert section.startswith(BEGIN) and section.endswith(END)
    assert "| parts |" in section and "| entropy |" in section and "minimax" not in section
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert replace_section(page, section) == f"before\n{section}\nafter\n"
    assert replace_section("no markers", section) == "no markers"


def test_published_pages_are_generated(top: Path) -> None:
    """docs/results.md and README's table are what the stored benchmark says."""
    stored = top / "benchmarks" / "results" / "bench"
    fields = json.loads((stored / "bench.json").read_text())
    publish = runpy.run_path(str(top / "benchmarks" / "publish.py"), run_name="publish")
    assert (top / "docs" / "results.md").read_text() == publish["results_page"](fields)
    assert (top / "docs" / "images" / "bench.svg").read_text() == figure(fields)
    assert table_page(fields).split("\n\n**")[1] in publish["results_page"](fields)
    assert (stored / "bench.md").read_text() == table_page(fields)
    readme = (top / "README.md").read_text()
    assert replace_section(readme, readme_section(fields)) == readme
