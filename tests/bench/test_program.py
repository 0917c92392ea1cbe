"""Programs run to their end, or ended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from salet.bench import program
from salet.bench.program import CompletedProgram, run_program

PYTHON = [sys.executable, "-S", "-c"]


def test_input_output_and_directory(tmp_path: Path) -> None:
    body = "import os, sys; print(os.getcwd(), sys.stdin.read()); print('why', file=sys.stderr)"
    done = run_program([*PYTHON, body], 600, b"hello", tmp_path)
    assert done == CompletedProgram(0, f"{tmp_path.resolve()} hello\n".encode(), b"why\n")
    assert done.error is None


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("raise SystemExit('one\\ntwo')", "two"),
        ("raise SystemExit(3)", "it ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "it ended with signal SIGKILL"),
    ],
)
def test_errors(body: str, error: str) -> None:
    assert run_program([*PYTHON, body], 600).error == error


def test_a_program_that_ignores_sigterm_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_TERMINATION_GRACE", 0.01)
    body = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(3600)"
    with pytest.raises(TimeoutError, match=r"not done after 0\.5 s"):
        run_program([*PYTHON, body], 0.5)
