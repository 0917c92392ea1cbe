"""Live progress on stderr, for all commands."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID


class ProgressUpdate(Protocol):
    """Changes a row of the display; what is not given stays as it is."""

    def __call__(
        self,
        text: str | None = None,
        *,
        done: int | None = None,
        total: int | None = None,
        row: int = 0,
    ) -> None: ...


@contextlib.contextmanager
def live_progress(label: str, *, bar: bool = False, log: bool = False) -> Iterator[ProgressUpdate]:
    """Show `label` until the block ends; the yielded function updates the rows.

    With `bar`, rows have a bar, a count and the time left. If stderr is not a terminal, nothing is
    shown, or with `log` every text on a line of its own.
    """
    if not sys.stderr.isatty():
        yield _log if log else _ignore
        return
    from rich.progress import Progress

    from salet.cli.render.console import console

    with Progress(*_columns(bar), console=console(stderr=True), transient=True) as display:
        yield _updater(display, label)


@contextlib.contextmanager
def counted_progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for callbacks of the form (done, total)."""
    with live_progress(label, bar=True) as update:
        yield lambda done, total: update(done=done, total=total)


def _columns(bar: bool) -> list[ProgressColumn]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}", markup=False)
    if not bar:
        return [SpinnerColumn(), text, TimeElapsedColumn()]
    columns = [text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    return [*columns, TextColumn("left"), TimeRemainingColumn()]


def _updater(display: Progress, label: str) -> ProgressUpdate:
    rows: dict[int, TaskID] = {0: display.add_task(label, total=None)}

    def update(
        text: str | None = None,
        *,
        done: int | None = None,
        total: int | None = None,
        row: int = 0,
    ) -> None:
        if row not in rows:
            rows[row] = display.add_task(label, total=None)
        display.update(rows[row], description=text, completed=done, total=total)

    return update


def _log(text: str | None = None, **_: int | None) -> None:
    if text is not None:
        print(text, file=sys.stderr, flush=True)


def _ignore(text: str | None = None, **_: int | None) -> None:
    """Say nothing."""
