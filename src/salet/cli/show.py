"""What commands print: JSON, tiles, histograms, progress."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from salet.strategies.simulate import Simulation
    from salet.verification.plans import Verdict

_STYLES = {"G": "bold white on green", "Y": "bold black on yellow", "B": "white on grey30"}
_MARKS = {"G": "[{}]", "Y": "({})", "B": " {} "}


def emit(fields: Mapping[str, Any]) -> None:
    """Print one JSON object to stdout."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(fields), indent=2))


def console(stderr: bool = False) -> Any:
    """Where people look; plain text when it is not a terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def tiles(word: str, feedback: str) -> Any:
    """A word on its coloured tiles: [G]reen, (Y)ellow and grey can be told without colour."""
    from rich.text import Text

    from salet.game.lexicon import graphemes

    line = Text()
    for letter, colour in zip(graphemes(word), feedback, strict=True):
        line.append(_MARKS[colour].format(letter.upper()), _STYLES[colour])
    return line


def histogram(counts: Mapping[int, int], losses: int = 0, width: int = 50) -> Any:
    """Games by number of guesses, as bars."""
    from rich.text import Text

    rows: list[tuple[str, int, str]] = [(str(size), counts[size], "green") for size in counts]
    if losses:
        rows.append(("lost", losses, "red"))
    top = max((count for _, count, _ in rows), default=1)
    label = max((len(name) for name, _, _ in rows), default=1)
    text = Text()
    for name, count, colour in rows:
        text.append(f"{name:>{label}} ")
        text.append("█" * max(1, round(width * count / top)), colour)
        text.append(f" {count}\n")
    text.right_crop(1)
    return text


def show_played(name: str, result: Simulation | Verdict, rest: str) -> None:
    """The figures for people; `rest` ends the last line."""
    limit = "no cap" if result.cap is None else f"cap {result.cap}"
    out = console()
    out.print(f"[bold]{name}[/] on {result.game}, {result.mode} mode, {limit}, "
              f"opener [bold]{result.opener}[/]")  # fmt: skip
    out.print(histogram(result.histogram, result.losses))
    out.print(f"mean [bold]{result.mean:.4f}[/] = {result.total} / {result.answers}, "
              f"worst {result.worst}, lost {result.losses}{rest}")  # fmt: skip


@contextlib.contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that vanishes when done; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextlib.contextmanager
def waiting(label: str) -> Iterator[None]:
    """Say on stderr what is going on, for work whose length is not known."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(label):
        yield
