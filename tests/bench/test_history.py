"""The SQLite file with every run."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from salet import SaletError
from salet.bench.history import BenchHistory
from salet.bench.worker import Measure

ABOUT = {"game": "g", "mode": "m", "cap": 6, "commit": None}


def test_unfinished_runs_are_opened_again(tmp_path: Path) -> None:
    measure = Measure(name="first", kind="strategy", spec="x", total=3)
    with BenchHistory(tmp_path) as history:
        run = history.open_run("key", ABOUT, "2020-01-01 00:00:00")
        history.add(run, measure)
    with BenchHistory(tmp_path) as history:
        assert history.open_run("key", ABOUT, "later") == run
        assert history.results(run, Measure) == {"first": measure}
        assert history.open_run("another key", ABOUT, "later") != run
        history.finish(run, "later")
        assert history.open_run("key", ABOUT, "later") != run
        (point,) = history.points("g")
        assert (point.game, point.measure) == ("g, m, cap 6", measure)
        assert history.points("another game") == []


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SaletError, match="it is a file; give a directory"):
        BenchHistory(tmp_path / "file")
    (tmp_path / "history.sqlite").write_text("my diary " * 1000)
    with pytest.raises(SaletError, match="is not a benchmark history"):
        BenchHistory(tmp_path)


def test_damage_is_reported(tmp_path: Path) -> None:
    with BenchHistory(tmp_path) as history:
        run = history.open_run("key", ABOUT, "now")
        history.add(run, Measure(name="first", kind="strategy", spec="x"))
    database = sqlite3.connect(tmp_path / "history.sqlite")
    database.execute("UPDATE measures SET result = 'nonsense'")
    database.commit()
    database.close()
    with BenchHistory(tmp_path) as history, pytest.raises(SaletError, match="is damaged"):
        history.points()


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """What was measured before stays; the error is one line."""
    program = (
        "import sys, resource, signal\n"
        "from pathlib import Path\n"
        "from salet.bench.history import BenchHistory\n"
        "from salet.bench.worker import Measure\n"
        "from salet.errors import SaletError\n"
        "with BenchHistory(Path('out')) as history:\n"
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
    assert "earlier measurements are saved" in done.stdout
    with BenchHistory(tmp_path / "out") as history:
        assert [point.name for point in history.points()] == ["first"]
