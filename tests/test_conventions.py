"""Conventions of the sources: unambiguous names, and tests that can fail."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent
SOURCES = TESTS.parent / "src" / "salet"


def test_no_two_public_classes_share_a_name() -> None:
    where = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(path.relative_to(SOURCES).as_posix())
    assert len(where) > 100
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_every_test_asserts_something() -> None:
    """Directly, by `pytest.raises` and the like, or in a helper that it calls."""
    functions: dict[str, list[ast.AST]] = defaultdict(list)
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions[node.name].append(node)

    def asserts(node: ast.AST, depth: int) -> bool:
        if any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
            return True
        calls = [inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call)]
        names = {getattr(call, "attr", getattr(call, "id", "")) for call in calls}
        if names & {"raises", "warns", "fail"}:
            return True
        helpers = [helper for name in names for helper in functions.get(name, ())]
        return depth > 0 and any(asserts(helper, depth - 1) for helper in helpers)

    tests = {name: found for name, found in functions.items() if name.startswith("test_")}
    assert len(tests) > 1000
    silent = [name for name, found in tests.items() if not all(asserts(test, 2) for test in found)]
    assert silent == []
