"""The overview of commands, and what the help of every command must offer."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click
import pytest

from salet.cli.app import COMMANDS, app

QUICK = {
    "salet analyse salet:bybbb acorn:ybbyy grand:ggggg --game original --json",
    "salet assist crane:bybbg --objective worst --json",
    "salet compare-pickers --game original:first=200 --iterations 20",
    "salet games",
    "salet games --json",
    "salet history",
    "salet history --last 0 --json",
    "salet packs list",
    "salet packs list --json",
    "salet prove --game mastermind:3x3 --ranking 3",
    "salet score error heron",
    "salet score 1122 1212 --rule pegs",
    "salet score frate carte --rule present --json",
    "salet search --game bulls-and-cows:3x6 --method mcdp",
    "salet simulate --strategy minimax --game mastermind:4x6 --json",
    "salet solve crane bybbg --top 5",
    "salet solve crane:bybbg --hard --objective worst --json",
    "salet tune --space",
    "salet verify original-normal",
    "salet watch --strategy parts --against random --count 3 --json",
}
"""examples that need no file and end within seconds"""


def command_named(name: str) -> click.Command:
    return app.get_command(click.Context(app), name)


def leaves() -> Iterator[tuple[str, click.Command]]:
    """(name, command) of every command that can be run."""
    for entry in COMMANDS:
        command = command_named(entry.name)
        if isinstance(command, click.Group):
            for name, below in command.commands.items():
                yield f"{entry.name} {name}", below
        else:
            yield entry.name, command


LEAVES = dict(leaves())


def examples() -> list[str]:
    """Every example of every help text."""
    commands = [*(command_named(entry.name) for entry in COMMANDS), *LEAVES.values()]
    lines = (line.strip() for command in commands for line in (command.epilog or "").split("\n"))
    return sorted({line for line in lines if line.startswith("salet ")})


def test_the_overview_lists_every_command_with_an_example(salet) -> None:
    ran = salet()
    assert ran.code == 0
    for entry in COMMANDS:
        assert entry.purpose in ran.out
        assert entry.example in ran.out
        assert entry.example.split()[1] == entry.name
    assert max(map(len, ran.out.splitlines())) <= 100
    assert salet("--help").out == ran.out
    assert salet("help").out == ran.out


def test_help_is_a_command_too(salet) -> None:
    assert salet("help", "solve").out == salet("solve", "--help").out
    assert salet("help", "history", "import").out == salet("history", "import", "--help").out
    salet("help", "slove").assert_refused("'slove'", "did you mean 'solve'")


@pytest.mark.parametrize("name", LEAVES)
def test_help_has_a_summary_and_examples(salet, name: str) -> None:
    ran = salet(*name.split(), "--help")
    assert ran.code == 0
    assert "Examples:" in ran.out
    assert f"salet {name}" in ran.out
    summary = (LEAVES[name].help or "").split("\n\n")[0]
    assert summary.endswith(".") and "\n" not in summary.strip()


@pytest.mark.parametrize("name", LEAVES)
def test_every_option_has_a_metavar_a_help_text_and_its_default(name: str) -> None:
    for option in LEAVES[name].params:
        if not isinstance(option, click.Option):
            continue
        assert option.help and option.help.endswith((".", "…")), option.name
        if not option.is_flag:
            assert option.metavar, option.name
            has_default = isinstance(option.default, int | float | str)
            assert not has_default or option.show_default, option.name


@pytest.mark.parametrize("line", examples())
def test_every_example_parses(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to the types of all values; nothing is run."""
    command, rest = app, shlex.split(line.partition(" < ")[0])[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name, *rest = rest
        command = command.get_command(click.Context(command), name)
    with command.make_context(command.name, list(rest)) as context:
        assert set(context.params) == {option.name for option in command.params}


@pytest.mark.parametrize("line", sorted(QUICK))
@pytest.mark.usefixtures("own_data")
def test_quick_examples_run(salet, line: str) -> None:
    assert line in examples()
    ran = salet(*shlex.split(line)[1:])
    assert ran.code == 0, ran.err
    assert ran.err == ""


GAME_COMMANDS = {
    "analyse": ("salet", "acorn", "grand", "--seconds", "1"),
    "assist": ("crane:bybbg", "--seconds", "1"),
    "simulate": (),
    "solve": ("crane:bybbg",),
    "watch": ("--strategy", "parts", "--against", "parts", "--count", "1"),
}


@pytest.mark.parametrize("name", GAME_COMMANDS)
def test_the_default_game_is_named_in_the_first_line(salet, name: str) -> None:
    ran = salet(name, *GAME_COMMANDS[name])
    assert ran.code == 0, ran.err
    assert "nyt-2023-07" in ran.out.splitlines()[0]


def test_all_commands_have_the_same_default_game() -> None:
    for name, command in LEAVES.items():
        for option in command.params:
            if option.name == "game":
                assert isinstance(option, click.Option)
                own = {
                    "verify": "the plan's own, or nyt",
                    "check": "the certificate's own, or nyt",
                    "history import": "by the title of each text",
                }
                assert option.show_default == own.get(name, "nyt")


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_help_loads_no_compiler() -> None:
    code = "import sys; from salet.cli import main; main(['--help']); main(['solve', '--help']); "
    code += "print([m for m in ('numba', 'numpy', 'torch', 'rich') if m in sys.modules])"
    assert run_python(code) == "[]"


def test_version(salet) -> None:
    assert re.fullmatch(r"salet \d+\.\d+\.\d+.*\n", salet("--version").out)


UNKNOWN: dict[str, tuple[tuple[str, ...], Any]] = {
    "a value": (("openers", "--game"), ("requires an argument", "see `salet openers --help`")),
    "a command": (("simulat",), ("'simulat'", "did you mean 'simulate'")),
    "a command like no other": (("zzz",), ("'zzz'", "see `salet`")),
    "an option": (("solve", "--opnr", "x"), ("--opnr", "`salet solve --help`")),
    "an option of the group": (("--opnr",), ("--opnr", "`salet --help`")),
    "a subcommand": (("packs", "ad"), ("'ad'", "`salet packs --help`")),
    "an argument too many": (("games", "original"), ("original", "`salet games --help`")),
    "a missing argument": (("score", "crane"), ("ANSWER", "`salet score --help`")),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_unknown_names_are_quoted(salet, kind: str) -> None:
    arguments, said = UNKNOWN[kind]
    salet(*arguments).assert_refused(*said)
