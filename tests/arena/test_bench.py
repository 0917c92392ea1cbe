"""The benchmark: measured, kept, gone on with, compared and published."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import msgspec
import pytest

from programs import WORDS
from salet import Game, SaletError, simulate
from salet.arena.bench import peers, run
from salet.arena.bench.history import History
from salet.arena.bench.peers import PEERS, check_peer, duel
from salet.arena.bench.report import BEGIN, END, figure, readme_part, table_page, with_part
from salet.arena.bench.run import compare_entries, run_bench
from salet.arena.bench.suites import Entry, GameSpec, entries, parse_named
from salet.arena.bench.worker import Measure, Task, measure, measured_apart
from salet.errors import MissingExtraError
from salet.strategies import registry
from salet.strategies.base import Strategy
from salet.strategies.registry import STRATEGIES

SMALL = GameSpec(game="original:first=12")
LINE = {"entropy": 25, "parts": 24, "minimax": 30}


def fake(task: Task, limit: float) -> Measure:
    """A measure without measuring: known figures for a few, a failure for the others."""
    entry = task.entry
    if entry.name not in LINE:
        return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, error="no | figures")
    charges: list[int | None] = [2] * 12
    charges[0] += LINE[entry.name] - 24
    return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, opener="aback", answers=12,
                   total=LINE[entry.name], mean=LINE[entry.name] / 12, worst=3, losses=0,
                   histogram={2: 12}, seconds=0.5, prepare_seconds=limit / 100, peak_mb=99,
                   charges=charges)  # fmt: skip


@pytest.fixture
def quickly(monkeypatch, tmp_path: Path):
    """Run the benchmark with fake measures; `asked` are the entries that were measured."""
    asked: list[str] = []

    def measure(task: Task, limit: float) -> Measure:
        asked.append(task.entry.name)
        return fake(task, limit)

    monkeypatch.setattr(run, "measured_apart", measure)

    def start(**options):
        return run_bench(SMALL, directory=tmp_path / "out", **options)

    start.asked = asked
    return start


def test_suites_hold_every_strategy() -> None:
    full = entries("full", SMALL, Game.named("original").guesses)
    assert set(STRATEGIES) <= {entry.spec for entry in full}
    assert "entropy, salet" in {entry.name for entry in full}
    quick = entries("quick", SMALL, ["aback"])
    assert {entry.name for entry in quick} < {entry.name for entry in full}
    assert [entry.kind for entry in quick].count("program") == 1
    for listed in (quick, full):
        assert len({entry.name for entry in listed}) == len(listed)
    with pytest.raises(SaletError, match="did you mean 'quick'"):
        entries("quik", SMALL, [])
    with pytest.raises(SaletError, match="choose another"):
        entries("quick", SMALL, [], programs=[("entropy", "./mine")])
    with pytest.raises(SaletError, match="choose another"):
        entries("full", SMALL, [], ["minimax"])
    given = entries("quick", SMALL, [], ["parts:temperature=1"], [("me", "./me")], "jsonl")[-2:]
    assert [(entry.name, entry.kind, entry.protocol) for entry in given] == [
        ("parts:temperature=1", "strategy", "go-stop"),
        ("me", "program", "jsonl"),
    ]


def test_no_entry_names_a_path_of_the_machine() -> None:
    full = entries("full", GameSpec(), Game.named("original").guesses)
    specs = [entry.spec for entry in full]
    assert "plan:original-normal" in specs
    assert not [spec for spec in specs if "/" in spec or sys.executable in spec]


def test_newcomers_to_the_registry_are_measured(monkeypatch) -> None:
    """A strategy that needs an extra which is not installed is an entry with that as its error."""

    def learned() -> Strategy:
        raise MissingExtraError("the strategy 'newcomer'", "learn")

    newcomer = SimpleNamespace(load=lambda: learned)
    monkeypatch.setattr(registry, "STRATEGIES", {**STRATEGIES, "newcomer": newcomer})
    full = {entry.name: entry for entry in entries("full", SMALL, [])}
    assert full["newcomer"].spec == "newcomer"
    with pytest.raises(MissingExtraError, match=r"pip install 'salet\[learn\]'"):
        measure(Task(entry=full["newcomer"], game=SMALL, jobs=1), 0.0)


@pytest.mark.parametrize("text", ["alone", "=path", "name=", " = "])
def test_names_and_values(text: str) -> None:
    assert parse_named("mine=./a b=c", "--player") == ("mine", "./a b=c")
    with pytest.raises(SaletError, match="NAME=PATH"):
        parse_named(text, "--peer")


def test_a_strategy_is_measured_apart() -> None:
    entry = Entry(name="parts", kind="strategy", spec="parts")
    found = measured_apart(Task(entry=entry, game=SMALL, jobs=1), 600)
    expected = simulate(Game.named(SMALL.game), "parts")
    assert found.error is None
    assert (found.total, found.mean, found.histogram) == (
        *(expected.total, expected.mean, expected.histogram),
    )
    assert sum(charge or 0 for charge in found.charges) == expected.total
    assert found.peak_mb and found.seconds is not None and found.prepare_seconds


@pytest.mark.parametrize("protocol", ["go-stop", "jsonl"])
def test_a_program_is_measured_apart(protocol: str) -> None:
    command = ["salet", "serve-player", "--game", SMALL.game, "--protocol", protocol]
    entry = Entry(name="served", kind="program", spec=shlex.join(command), protocol=protocol)
    found = measured_apart(Task(entry=entry, game=SMALL, jobs=2), 600)
    assert (found.error, found.failures) == (None, {})
    assert found.total == simulate(Game.named(SMALL.game), "entropy").total
    broken = Entry(name="broken", kind="program", spec=f"{sys.executable} -c pass")
    found = measured_apart(Task(entry=broken, game=SMALL, jobs=2), 600)
    assert found.failures == {"early close": 12}
    assert found.charges == [None] * 12
    assert found.mean is None


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("no-such-player", "unknown strategy 'no-such-player'"),
        ("{tmp}/wrong.py:crash", "ZeroDivisionError"),
        ("{tmp}/wrong.py:die", "it ended with -9"),
        ("{tmp}/wrong.py:hang", "not done after 3 s"),
        ("{tmp}/wrong.py:Learned", r"the learned player needs the extra 'learn'"),
    ],
)
def test_whatever_fails_is_the_entrys_error(tmp_path: Path, spec: str, why: str) -> None:
    (tmp_path / "wrong.py").write_text(
        "import os, time\n"
        "def crash(state): return 1 // 0\n"
        "def die(state): os.kill(os.getpid(), 9)\n"
        "def hang(state): time.sleep(3600)\n"
        "from salet.errors import MissingExtraError\n"
        "from salet.strategies.base import Strategy\n"
        "class Learned(Strategy):\n"
        "    def __init__(self): raise MissingExtraError('the learned player', 'learn')\n"
        "    def choose(self, state): return 0\n"
    )
    entry = Entry(name="wrong", kind="strategy", spec=spec.format(tmp=tmp_path))
    limit = 3 if "hang" in spec else 600
    found = measured_apart(Task(entry=entry, game=SMALL, jobs=1), limit)
    assert found.mean is None
    assert re.search(why, found.error or "")


def test_results_are_ranked_compared_and_written(quickly, tmp_path: Path) -> None:
    result = quickly()
    names = [entry.name for entry in result.entries]
    assert names[:3] == ["parts", "entropy", "minimax"]
    assert all(entry.error for entry in result.entries[3:])
    versus = {v.second: v.comparison for v in result.comparisons}
    assert set(versus) == {"entropy", "minimax"}
    assert versus["minimax"].difference == pytest.approx(-0.5)
    stored = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert stored == json.loads(json.dumps(result.to_dict()))
    assert "charges" not in stored["entries"][0]
    assert (stored["game"], stored["cap"], stored["answers"]) == ("original:first=12", 6, 12)
    for key in ("version", "commit", "machine", "date", "guesses", "mode"):
        assert key in stored
    page = (tmp_path / "out" / "bench.md").read_text()
    assert "| parts | aback | 2.0000 | 24 | 3 | 0 | 0.50 | 36.00 | 99 |" in page
    assert "failed: no \\| figures" in page  # reported, not dropped
    assert "original:first=12, 12 answers, 12972 guesses" in page and "cap 6" in page
    tree = ElementTree.parse(tmp_path / "out" / "bench.svg")
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"parts", "entropy", "minimax"} <= set(texts)
    assert compare_entries(result.entries, WORDS + list("abcd"), "parts", "minimax")
    with pytest.raises(SaletError, match="did you mean 'parts'"):
        compare_entries(result.entries, [], "part", "minimax")


def test_an_interrupted_run_goes_on(quickly, monkeypatch, tmp_path: Path) -> None:
    count = 0

    def stop_at_third(task: Task, limit: float) -> Measure:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return fake(task, limit)

    again = run.measured_apart
    monkeypatch.setattr(run, "measured_apart", stop_at_third)
    with pytest.raises(KeyboardInterrupt):
        quickly()
    monkeypatch.setattr(run, "measured_apart", again)
    seen: list[str] = []
    result = quickly(progress=lambda what, done, steps: seen.append(f"{what} {done}/{steps}"))
    assert len(quickly.asked) == len(result.entries) - 2
    assert seen[0] == f"parts 0/{len(result.entries)}"
    quickly.asked.clear()
    quickly()  # that one is finished: a new run begins
    assert len(quickly.asked) == len(result.entries)
    with History(tmp_path / "out") as history:
        parts = [point for point in history.points() if point.name == "parts"]
        assert [point.measure.total for point in parts] == [24, 24]
        assert list(history.points("another game")) == []


def test_places_that_cannot_be_written(quickly, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    with pytest.raises(SaletError, match="it is a file; give a directory"):
        quickly()
    (tmp_path / "out").unlink()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "history.sqlite").write_text("my diary " * 1000)
    with pytest.raises(SaletError, match="is no benchmark history"):
        quickly()


def test_a_damaged_history_is_said(quickly, tmp_path: Path) -> None:
    quickly()
    path = tmp_path / "out" / "history.sqlite"
    base = sqlite3.connect(path)
    base.execute("UPDATE measures SET result = 'nonsense'")
    base.commit()
    base.close()
    with History(tmp_path / "out") as history, pytest.raises(SaletError, match="is damaged"):
        history.points()


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """What was measured before stays; the error is one line."""
    program = (
        "import sys, resource, signal\n"
        "from pathlib import Path\n"
        "from salet.arena.bench.history import History\n"
        "from salet.arena.bench.worker import Measure\n"
        "from salet.errors import SaletError\n"
        "with History(Path('out')) as history:\n"
        "    about = {'game': 'g', 'mode': 'm', 'cap': 6, 'commit': None}\n"
        "    run = history.open_run('key', about, 'now')\n"
        "    history.add(run, Measure(name='first', kind='strategy', spec='x'))\n"
        "    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "    size = Path('out/history.sqlite').stat().st_size\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "    try:\n"
        "        history.add(run, Measure(name='second', kind='strategy', spec='x' * 100000))\n"
        "    except SaletError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert "what was measured before is kept" in done.stdout
    with History(tmp_path / "out") as history:
        assert [point.name for point in history.points()] == ["first"]


PEER = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *crane*) echo "cannot" >&2; exit 1;; esac
echo "Best first guess score = 7920"
echo "Time taken = 2.50s"
"""


@pytest.fixture
def peer(tmp_path: Path) -> str:
    path = tmp_path / "wordle"
    path.write_text(PEER.format(log=tmp_path / "log"))
    path.chmod(0o755)
    return str(path)


def test_a_peer_is_timed_in_turns(peer: str, tmp_path: Path, monkeypatch) -> None:
    order: list[str] = []
    real = peers._asked

    def asked(*arguments):
        order.append("peer")
        return real(*arguments)

    def ours(*_):
        order.append("ours")
        return 7920, 0.5

    monkeypatch.setattr(peers, "_asked", asked)
    monkeypatch.setattr(peers, "_ours", ours)
    game = Game.named("original", mode="hard")
    spec = GameSpec(mode="hard")
    found = duel(PEERS["alex1770"], peer, game, spec, turns=2, openers=["salet", "crane"])
    assert order == ["ours", "peer"] * 4
    assert found.ratio == pytest.approx(5.0)
    salet, crane = found.timings
    assert (salet.total, salet.peer_total, salet.ratio) == (7920, 7920, 5.0)
    assert (crane.peer_total, crane.ratio) == (None, None)
    assert found.error == "peer on crane: cannot"
    line = (tmp_path / "log").read_text().splitlines()[0].split()
    assert line[4:] == ["-H", "-g6", "-w", "salet"]
    assert line[0::2][:2] == ["-a", "-h"]


def test_totals_that_differ_are_said(peer: str, monkeypatch) -> None:
    monkeypatch.setattr(peers, "_ours", lambda *_: (7921, 0.5))
    game = Game.named("original")
    found = duel(PEERS["alex1770"], peer, game, GameSpec(), turns=1, openers=["salet"])
    assert found.error == "on salet the totals differ: [7920, 7921]"


def test_peers_that_cannot_be_asked(peer: str, tmp_path: Path) -> None:
    game = Game.named("original:first=5")
    with pytest.raises(SaletError, match="unknown peer 'alex'"):
        check_peer("alex", peer, game)
    with pytest.raises(SaletError, match="no program that can be run"):
        check_peer("alex1770", str(tmp_path / "nothing"), game)
    with pytest.raises(SaletError, match="does not play present"):
        check_peer("alex1770", peer, game.with_(rule="present"))
    with pytest.raises(SaletError, match="does not play standard, strict"):
        check_peer("alex1770", peer, game.with_(mode="strict"))
    with pytest.raises(ValueError, match="Time taken"):
        PEERS["alex1770"].read("Segmentation fault")


def test_readme_shows_what_fits(quickly) -> None:
    fields = quickly().to_dict()
    part = readme_part(fields, most=2)
    assert part.startswith(BEGIN) and part.endswith(END)
    assert "| parts |" in part and "| entropy |" in part and "minimax" not in part
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert with_part(page, part) == f"before\n{part}\nafter\n"
    assert with_part("no markers", part) == "no markers"


def test_published_pages_are_generated(top: Path) -> None:
    """docs/results.md and README's table are what the stored benchmark says, never typed."""
    stored = top / "benchmarks" / "results" / "bench" / "bench.json"
    fields = json.loads(stored.read_text())
    publish = runpy.run_path(str(top / "benchmarks" / "publish.py"), run_name="publish")
    assert (top / "docs" / "results.md").read_text() == publish["page"](fields)
    assert (top / "docs" / "images" / "bench.svg").read_text() == figure(fields)
    assert table_page(fields).split("\n\n**")[1] in publish["page"](fields)
    readme = (top / "README.md").read_text()
    assert with_part(readme, readme_part(fields)) == readme


def test_ctrl_c_ends_the_worker_and_its_players(tmp_path: Path) -> None:
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    player = tmp_path / "player.py"
    player.write_text(
        "import os, time\n"
        f"with open({str(fifo)!r}, 'w') as ready: ready.write(str(os.getpid()))\n"
        "time.sleep(3600)\n"
    )
    suite = ["--game", "original:first=2", "--player", f"mine={sys.executable} {player}"]
    command = [sys.executable, "-m", "salet", "bench", *suite, "--out", "out", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        pid = int(fifo.read_text())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert (process.returncode, err.strip()) == (130, "salet: stopped")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    kept = sqlite3.connect(tmp_path / "out" / "history.sqlite")
    (count,) = kept.execute("SELECT count(*) FROM measures").fetchone()
    kept.close()
    assert count > 0


def test_a_game_can_be_named_to_another_process() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SMALL), type=GameSpec) == SMALL
    assert SMALL.arguments()[:2] == ["--game", "original:first=12"]
