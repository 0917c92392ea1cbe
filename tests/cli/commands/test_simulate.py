"""`salet simulate` as users and scripts meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

KEYS = [
    *("game", "mode", "cap", "strategy", "ties", "opener", "answers", "total", "mean", "worst"),
    *("losses", "histogram", "seconds", "version", "commit"),
]


def test_json(salet) -> None:
    ran = salet("simulate", "--strategy", "entropy", "--game", "original:first=60", "--json")
    assert list(ran.json) == KEYS
    assert ran.json["game"] == "original:first=60"
    assert ran.json["cap"] == 6
    counted = sum(int(size) * count for size, count in ran.json["histogram"].items())
    assert ran.json["total"] == counted
    assert ran.json["mean"] == pytest.approx(counted / 60)
    assert ran.err == ""


def test_text(salet) -> None:
    ran = salet("simulate", "--game", "mastermind:2x3", "--strategy", "minimax")
    first, *_, last = ran.out.splitlines()
    assert first == "minimax on mastermind:2x3, normal mode, no cap, opener 11"
    assert "█" in ran.out
    assert last.startswith("mean 2.6667 = 24 / 9, worst 4, lost 0, ") and last.endswith("ms")


def test_transcripts_and_plot(salet, tmp_path: Path) -> None:
    lines, picture = tmp_path / "games.txt", tmp_path / "plot.png"
    ran = salet(
        *("simulate", "--game", "original:first=20", "--json"),
        *("--transcripts", str(lines), "--plot", str(picture)),
    )
    assert ran.code == 0
    rows = lines.read_text().splitlines()
    assert len(rows) == 21
    assert rows[0].startswith("aback, ") and rows[0].endswith("aback ")
    assert int(rows[-1]) == ran.json["total"]
    assert picture.read_bytes().startswith(b"\x89PNG")


BAD_INPUT = {
    "strategy": (("--strategy", "entropie"), "'entropie'", "'entropy'"),
    "strategy file": (("--strategy", "nope.py:Mine"), "'nope.py'", "FILE.py:NAME"),
    "opener": (("--opener", "sallet"), "'sallet'"),
    "ties": (("--ties", "candidates"), "'candidates'", "'candidate'"),
    "jobs": (("--jobs", "0"), "--jobs"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    salet("simulate", *arguments).assert_refused(*said)
