"""Which game this is, and the list of all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.game.game import Game


class HasRules(Protocol):
    """Any result that states the rules of its game."""

    @property
    def game(self) -> str: ...
    @property
    def mode(self) -> str: ...
    @property
    def cap(self) -> int | None: ...


def headline(game: Game) -> Text:
    """A game with its size and rules: the first line of interactive commands."""
    limit = "no cap" if game.cap is None else f"{game.cap} guesses"
    boards = f", {game.boards} boards" if game.boards > 1 else ""
    host = f", host {game.host}" if game.host != "secret" else ""
    return Text.assemble(
        (game.name, "bold"),
        f": {game.answer_count} answers{boards}, {limit}, {game.mode} mode{host}",
    )


def rules(result: HasRules) -> str:
    """Name, mode and cap of a result's game: the first line of other commands."""
    limit = "no cap" if result.cap is None else f"cap {result.cap}"
    return f"{result.game}, {result.mode} mode, {limit}"


def games_table(
    rows: Sequence[Mapping[str, Any]], default: str, aliases: Mapping[str, str]
) -> list[RenderableType]:
    """All games, with the default marked, and the options that names accept."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("game", "answers", "sha256", "guesses", "sha256", "rule", "cap"):
        right = title in ("answers", "guesses", "cap")
        table.add_column(title, justify="right" if right else "left", no_wrap=True)
    sources: dict[str, list[str]] = {}
    chosen = aliases.get(default, default)
    for row in rows:
        table.add_row(
            f"{row['name']} (default)" if row["name"] == chosen else row["name"],
            str(row["answers"]),
            row["answers_sha256"][:8],
            str(row["guesses"]),
            row["guesses_sha256"][:8],
            row["rule"],
            "none" if row["cap"] is None else str(row["cap"]),
        )
        sources.setdefault(row["source"], []).append(row["name"])
    origin = Table(box=None, pad_edge=False, header_style="bold")
    origin.add_column("source")
    origin.add_column("lists")
    for source, names in sources.items():
        origin.add_row(source, ", ".join(names))
    short = [Text(f"{alias} is short for {name}.") for alias, name in aliases.items()]
    return [table, Text(), origin, Text(), *short]
