"""Printing: JSON for programs, rich renderables for people. Loads rich only when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text


def console(stderr: bool = False) -> Console:
    """A console on stdout or stderr; it prints plain text if that is not a terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def emit(fields: Mapping[str, Any]) -> None:
    """Print one JSON object to stdout."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(fields), indent=2).decode(), flush=True)


def show(*items: RenderableType, stderr: bool = False) -> None:
    """Print renderables one below the other; strings are plain text, a `line` is never broken."""
    from rich.text import Text

    out = console(stderr)
    for item in items:
        plain = Text(item) if isinstance(item, str) else item
        out.print(plain, soft_wrap=isinstance(plain, Text) and bool(plain.no_wrap))


def line(*parts: str | Text | tuple[str, str]) -> Text:
    """Text from plain parts and (part, style) pairs, to be printed on one line however long."""
    from rich.text import Text

    return Text.assemble(*parts, no_wrap=True)


def format_seconds(seconds: float) -> str:
    """A duration with a unit that suits its size.

    >>> [format_seconds(s) for s in (0.0004, 0.0123, 1.24, 185.2, 7500)]
    ['<1 ms', '12 ms', '1.2 s', '3 min 5 s', '2 h 5 min']
    """
    milliseconds = round(1000 * seconds)
    if milliseconds < 1:
        return "<1 ms"
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
