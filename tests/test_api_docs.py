"""docs/api.md and the public names are the same list."""

from __future__ import annotations

import re
from pathlib import Path

import salet

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"


def test_every_public_name_has_a_heading_and_nothing_else_has() -> None:
    headings = re.findall(r"^## (\w+)$", PAGE.read_text(), re.MULTILINE)
    assert sorted(headings) == sorted(salet.__all__)
