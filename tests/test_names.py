"""Names that readers meet are unambiguous."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src" / "salet"


def test_no_two_public_classes_share_a_name() -> None:
    where = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(path.relative_to(SOURCES).as_posix())
    assert len(where) > 100
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}
