"""`salet bench` as users and scripts meet it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("players")

LISTS = ("--answers", "words.txt", "--guesses", "words.txt", "--cap", "6")
PLAYER = shlex.join([sys.executable, "-S", "player.py"])
KEYS = [
    *("name", "kind", "spec", "opener", "answers", "total", "mean", "worst", "losses", "histogram"),
    *("failures", "seconds", "prepare_seconds", "cpu_seconds", "peak_mb", "error"),
]


def test_players_are_measured_ranked_and_compared(salet) -> None:
    ran = salet("bench", "--player", f"mine={PLAYER}", *LISTS, "--out", "out", "--json")
    assert ran.code == 0, ran.err
    names = [entry["name"] for entry in ran.json["entries"]]
    assert {"parts", "entropy", "random", "entropy behind pipes", "mine"} == set(names) & {
        *("parts", "entropy", "random", "entropy behind pipes", "mine"),
    }
    assert all(list(entry) == KEYS for entry in ran.json["entries"])
    assert all(entry["error"] is None for entry in ran.json["entries"])
    means = [entry["mean"] for entry in ran.json["entries"]]
    assert means == sorted(means)
    mine = ran.json["entries"][names.index("mine")]
    assert (mine["total"], mine["losses"], mine["failures"]) == (35, 2, {})
    by_name = {entry["name"]: entry for entry in ran.json["entries"]}
    assert by_name["entropy"]["total"] == by_name["entropy behind pipes"]["total"]
    assert ran.json["cap"] == 6
    assert json.loads(Path("out/bench.json").read_text()) == ran.json
    assert sorted(path.name for path in Path("out").iterdir()) == [
        *("bench.json", "bench.md", "bench.svg", "history.sqlite"),
    ]

    shown = salet("bench", "--history", "--out", "out")
    assert "mine on words.txt+words.txt, normal, cap 6" in shown.out
    assert "mean 4.3750" in shown.out
    rows = salet("bench", "--history", "--out", "out", "--json").json["history"]
    assert {row["name"] for row in rows} == set(names)

    versus = ("bench", "--compare", "parts", "mine", "--out", "out", *LISTS)
    ran = salet(*versus)
    assert (
        "mine against parts: +" in ran.out and "parts wins most: bleak by 5, panel by 5" in ran.out
    )
    found = salet(*versus, "--json").json
    assert (found["first"], found["second"], found["comparison"]["answers"]) == ("parts", "mine", 8)
    versus = ("bench", "--compare", "parts", "nobody", "--out", "out", *LISTS)
    salet(*versus).assert_refused("'nobody'")


BAD_INPUT = {
    "unknown suite": (["--suite", "ful"], "'full'"),
    "unknown peer": (["--peer", "alex=/bin/true"], "'alex1770'"),
    "a peer without a path": (["--peer", "alex1770"], "NAME=PATH"),
    "a peer that is not there": (["--peer", "alex1770=./nothing"], "'./nothing'"),
    "a player that is not there": (["--player", "mine=./nothing"], "'./nothing'"),
    "an unknown protocol": (["--protocol", "json"], "'jsonl'"),
    "a strategy twice": (["--strategy", "parts"], "choose another"),
    "a player without a name": (["--player", "./nothing"], "NAME=PATH"),
    "an output directory that is a file": (["--out", "a-file"], "'a-file'", "give a directory"),
    "no history": (["--history", "--out", "nowhere"], "no history in 'nowhere'"),
    "nothing to compare": (["--compare", "a", "b", "--out", "nowhere"], "no history in 'nowhere'"),
    "contradictory modes": (["--hard", "--mode", "strict"], "contradicts"),
    "no time": (["--limit", "0"], "--limit"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    Path("a-file").write_text("in the way")
    salet("bench", *LISTS, *arguments).assert_refused(*said)
