"""How figures changed from run to run."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from salet.cli.render.bench import history_view


def point(name: str, date: str, **figures: Any) -> dict[str, Any]:
    missing = dict.fromkeys(("commit", "mean", "total", "seconds"))
    return {**missing, "name": name, "game": "tiny, normal", "date": date, **figures}


def test_changes_are_shown_within_a_player_only() -> None:
    rows = [
        point("parts", "2026-01-02", mean=3.5, total=35, seconds=0.5, commit="abc"),
        point("entropy", "2026-01-01", mean=3.0, total=30, seconds=1.0),
        point("parts", "2026-01-01", mean=3.6, total=36, seconds=1.0),
        point("parts", "2026-01-03"),
    ]
    shown = [item.plain for item in history_view(rows) if isinstance(item, Text)]
    assert shown == [
        "entropy on tiny, normal",
        "  2026-01-01  no commit     mean 3.0000, 1.0 s",
        "parts on tiny, normal",
        "  2026-01-01  no commit     mean 3.6000, 1.0 s",
        "  2026-01-02  abc           mean 3.5000, 500 ms  total -1, time x 0.50",
        "  2026-01-03  no commit     failed",
    ]
