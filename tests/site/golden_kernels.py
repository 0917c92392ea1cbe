"""Golden cases of the kernels: node counts and the shapes of their arrays (make_golden.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golden_words import Case

from salet.game.named import named_game
from salet.search.exact.layout import HARD, NORMAL, STRICT, layout_of
from salet.search.exact.stack import build_stack
from search.exact import test_signature


def node_counts() -> Iterator[Case]:
    """The suite of tests/search/exact/test_signature.py."""
    found: dict[str, Any] = {}

    def counted(name: str) -> Any:
        if not found:
            found.update(test_signature.signature())
        return found[name]

    for name, suite in test_signature.SUITE.items():
        yield "nodes", [name, *suite], lambda name=name: counted(name)


def stack_shapes() -> Iterator[Case]:
    """The arrays of a search, in every mode and both widths of patterns."""
    for name in (
        "original:first=70",
        "mastermind:3x4",
        "original:first=300,guesses=answers",
        "romanian:first=50",
    ):
        for mode, code in (("normal", NORMAL), ("hard", HARD), ("strict", STRICT)):
            if mode == "hard" and name.startswith("mastermind"):
                continue

            def shapes(name: str = name, mode: str = mode, code: int = code) -> Any:
                layout = layout_of(named_game(f"{name}", mode=mode))
                assert layout.mode == code
                flat = build_stack(layout, 6, max_sorted=0)._asdict()
                for name in ("similar", "scan_order"):
                    inner = flat.pop(name)._asdict()
                    flat |= {f"{name}.{field}": array for field, array in inner.items()}
                return {field: list(array.shape) for field, array in flat.items()}

            yield "shapes", [{"game": name, "mode": mode}, 6], shapes
