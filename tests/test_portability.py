"""salet without what only POSIX systems have: everything imports, and commands run.

In a child process, salet's own imports find no POSIX-only module, and `os` and `signal` without
their POSIX-only names. Other packages keep them: those of this system are written for POSIX.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT_POSIX = """
import builtins, os, pkgutil, signal, sys, types

MODULES = {"crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource",
           "spwd", "syslog", "termios", "tty"}
NAMES = {
    "os": {"O_CLOEXEC", "O_NONBLOCK", "fork", "forkpty", "getegid", "geteuid", "getgid",
           "getloadavg", "getpgid", "getpgrp", "getuid", "killpg", "mkfifo", "nice", "pidfd_open",
           "register_at_fork", "sched_getaffinity", "sched_setaffinity", "setpgid", "setsid",
           "sysconf", "uname", "wait3", "wait4", "waitid"},
    "signal": {"SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1",
               "SIGUSR2", "SIGXFSZ", "alarm", "pthread_sigmask", "setitimer", "sigwait"},
}

def reduced(module):
    copy = types.ModuleType(module.__name__)
    names = NAMES[module.__name__]
    copy.__dict__.update({k: v for k, v in module.__dict__.items() if k not in names})
    return copy

replaced = {module.__name__: reduced(module) for module in (os, signal)}
real_import = builtins.__import__

def import_without_posix(name, globals=None, locals=None, fromlist=(), level=0):
    if (globals or {}).get("__name__", "").partition(".")[0] == "salet":
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in replaced:
            return replaced[name]
    return real_import(name, globals, locals, fromlist, level)

builtins.__import__ = import_without_posix
"""

IMPORT_EVERYTHING = """
import salet
from salet.errors import MissingExtraError
count = 0
for module in pkgutil.walk_packages(salet.__path__, "salet."):
    if not module.name.endswith("__main__"):
        try:
            real_import(module.name)
        except MissingExtraError:
            assert module.name.startswith("salet.env.adapters."), module.name
        count += 1
print(count)
"""

RUN_COMMAND = """
from salet.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + program, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_can_be_imported() -> None:
    done = run(IMPORT_EVERYTHING)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 150


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("score crane caper", "GYYBY"),
        ("games", "mastermind"),
        ("simulate --game mastermind:2x3 --strategy entropy", "mean"),
        ("solve --game mastermind:2x3", "21"),
        ("search --game mastermind:2x3 --iterations 20", "MB"),
        ("prove --game mastermind:2x3", "proven"),
        ("bench --help", "--history"),
    ],
)
def test_commands_run(command: str, shown: str) -> None:
    done = run(RUN_COMMAND, *command.split())
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["arena", "--player", sys.executable],
        ["connect", sys.executable, sys.executable, "--count", "1"],
        ["bench", "--game", "mastermind:2x3"],
    ],
    ids=lambda command: command[0],
)
def test_running_other_programs_is_refused(command: list[str]) -> None:
    done = run(RUN_COMMAND, *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("salet: the ") and done.stderr.count("\n") == 1
    assert "use Linux, macOS or WSL" in done.stderr
