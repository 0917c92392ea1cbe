"""The commands by purpose. A command's module is imported when the command is used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import click

from salet.errors import UnknownNameError


@dataclass(frozen=True)
class CommandEntry:
    """One line of the overview."""

    name: str
    purpose: str
    summary: str
    example: str


_OVERVIEW = {
    "Play": (
        ("play", "play a game in the terminal", "salet play --hard"),
        ("assist", "what to guess next, and why", "salet assist crane:bybbg"),
        ("analyse", "skill and luck of a game", "salet analyse salet acorn grand"),
        ("history", "your games: streaks, trends, openers", "salet history"),
        ("web", "everything in the browser", "salet web"),
        ("score", "the feedback to a guess", "salet score crane caper"),
    ),
    "Solve": (
        ("solve", "the best next guess, proven", "salet solve crane:bybbg"),
        ("prove", "the best opener, proven", "salet prove --checkpoint proof"),
        ("openers", "how good every first guess is", "salet openers crane audio"),
        ("search", "a good plan soon, a better one later", "salet search --seconds 20"),
    ),
    "Measure": (
        ("simulate", "play every answer", "salet simulate --strategy entropy"),
        ("verify", "check a plan against the rules", "salet verify original-normal"),
        ("check", "check the proof of a lower bound", "salet check proof.cert"),
        ("arena", "programs play over pipes", "salet arena --player ./mine"),
        ("bench", "rank all players", "salet bench --suite quick"),
        ("compare-pickers", "tree searches side by side", "salet compare-pickers"),
        ("demo", "a tour: all 2315 answers played", "salet demo"),
    ),
    "Learn": (
        ("train", "teach a network to play", "salet train small.toml --out run"),
        ("tune", "try settings of training", "salet tune --out runs"),
        ("watch", "two players side by side", "salet watch --against entropy"),
        ("export", "games as chat transcripts", "salet export games --out train.jsonl"),
    ),
    "Programs": (
        ("connect", "connect a game and a player", "salet connect ./game ./player"),
        ("serve-player", "a strategy as a program", "salet serve-player"),
        ("serve-game", "the game as a program", "salet serve-game 0 100 0"),
        ("mcp", "tools for chat clients", "salet mcp"),
    ),
    "Words and games": (
        ("games", "list all games", "salet games"),
        ("packs", "your own word lists", "salet packs list"),
    ),
}
COMMANDS = tuple(
    CommandEntry(name, purpose, summary, example)
    for purpose, rows in _OVERVIEW.items()
    for name, summary, example in rows
)

SPELLINGS = {"analyze": "analyse"}


class CommandGroup(click.Group):
    """A group that lists its commands by purpose and loads them lazily."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        name = SPELLINGS.get(cmd_name, cmd_name)
        if name not in self.list_commands(ctx):
            raise UnknownNameError("command", cmd_name, self.list_commands(ctx), "see `salet`")
        module = import_module(f"salet.cli.commands.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        write = formatter.write
        write("salet: perfect play, search and learning for games of guess and feedback\n")
        name_width = max(len(entry.name) for entry in COMMANDS)
        summary_width = max(len(entry.summary) for entry in COMMANDS)
        for purpose in dict.fromkeys(entry.purpose for entry in COMMANDS):
            write(f"\n{purpose}\n")
            for entry in COMMANDS:
                if entry.purpose == purpose:
                    summary = f"{entry.summary:{summary_width}}"
                    write(f"  {entry.name:{name_width}}  {summary}  {entry.example}\n")
        write("\n`salet COMMAND --help` shows options and examples. `salet --version`\n")


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.option("--version", "show_version", is_flag=True, help="Print the version and stop.")
@click.pass_context
def app(ctx: click.Context, show_version: bool) -> None:
    """Perfect play, search and learning for games of guess and feedback."""
    if show_version:
        from salet.version import version

        click.echo(f"salet {version()}")
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
