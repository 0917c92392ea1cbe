"""Commands, pipes that do not block, and how programs end."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from salet import SaletError
from salet.arena.child_process import ChildProcess, exit_reason, parse_command
from salet.arena.reaper import Reaper

PYTHON = [sys.executable, "-S", "-c"]


def test_commands_are_split_as_in_a_shell() -> None:
    assert parse_command("python3 'a b' c") == ["python3", "a b", "c"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-thing --x", "'no-such-thing' is not on PATH"),
        ("./nothing", "does not exist"),
        ("./plain.txt", "chmod"),
        ("python '", "no closing quotation"),
        (" ", "is empty"),
    ],
)
def test_commands_that_name_no_program(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.txt").touch()
    with pytest.raises(SaletError, match=message):
        parse_command(command)


def test_unsent_data_waits_until_the_child_reads() -> None:
    """More than a pipe holds goes to a program that reads late, and all of it arrives."""
    size = 1 << 20
    count = (
        "import sys; n = 0\nwhile data := sys.stdin.buffer.read(65536): n += len(data)\nprint(n)"
    )
    with Reaper() as reaper:
        child = ChildProcess([*PYTHON, count], reaper)
        assert child.send(b"x" * size)
        while child.send(b""):
            pass
        child.close_stdin()
        output = b""
        while (data := child.read_stdout()) != b"":
            output += data or b""
        assert child.kill() is None
    assert int(output) == size


def test_the_end_of_stderr_is_kept() -> None:
    body = "import sys\nfor n in range(50): print('line', n, file=sys.stderr)\nsys.exit(4)"
    with Reaper() as reaper:
        child = ChildProcess([*PYTHON, body], reaper)
        child._process.wait()
        assert child.kill() == "exit code 4"
    assert child.last_stderr_lines == [f"line {n}" for n in range(30, 50)]


def test_writing_to_a_child_that_is_gone() -> None:
    with Reaper() as reaper:
        child = ChildProcess([*PYTHON, "pass"], reaper)
        child._process.wait()
        assert not child.send(b"x" * 10)
        assert not child.unsent
        assert child.kill() is None


def test_exit_reasons() -> None:
    assert exit_reason(0) is None
    assert exit_reason(3) == "exit code 3"
    assert exit_reason(-signal.SIGSEGV) == "signal SIGSEGV"
    assert exit_reason(-63) == "signal 63"
