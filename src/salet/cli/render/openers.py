"""Openers with their proven values, as a table, CSV or JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.table import Table

from salet.cli.render.games import headline
from salet.storage import output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.game.game import Game
    from salet.search.opener_table import Opener


def opener_fields(game: Game, openers: Sequence[Opener]) -> dict[str, Any]:
    """The fields of `salet openers --json`."""
    return {
        "game": game.name,
        "mode": game.mode,
        "cap": game.cap,
        "answers": game.answer_count,
        "openers": [_fields(game, opener) for opener in openers],
    }


def _fields(game: Game, opener: Opener) -> dict[str, Any]:
    weight = game.start().weight
    return {
        **msgspec.structs.asdict(opener),
        "rank": opener.best_rank if opener.best_rank == opener.worst_rank else None,
        "total": opener.lower if opener.exact else None,
        "mean": round(opener.lower / weight, 4) if opener.exact else None,
    }


def write_csv(path: Path, game: Game, openers: Sequence[Opener]) -> None:
    """Write openers to a file, one per line, with the fields of `--json`."""
    text = io.StringIO(newline="")
    rows = [_fields(game, opener) for opener in openers]
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["guess"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with output(path) as file:
        file.write(text.getvalue().encode())


def openers_table(game: Game, openers: Sequence[Opener]) -> list[RenderableType]:
    """A table of openers, best first."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("rank", "opener", "total", "mean", "worst", "groups", "largest"):
        table.add_column(title, justify="left" if title == "opener" else "right", no_wrap=True)
    weight = game.start().weight
    for opener in openers:
        total, mean = _total(opener, weight)
        table.add_row(
            _range(opener.best_rank, opener.worst_rank),
            opener.guess,
            total,
            mean,
            "–" if opener.worst is None else str(opener.worst),
            str(opener.groups),
            str(opener.largest),
        )
    return [headline(game), table]


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _total(opener: Opener, weight: int) -> tuple[str, str]:
    """Total and mean, exact or as ranges."""
    if opener.keeps_cap is False:
        lost = f"loses {opener.losses}" if opener.losses else "cannot keep the cap"
        return lost, "–"
    if opener.exact:
        return str(opener.lower), f"{opener.lower / weight:.4f}"
    if opener.upper is None:
        return f"at least {opener.lower}", f"{opener.lower / weight:.4f} or more"
    return (
        _range(opener.lower, opener.upper),
        f"{opener.lower / weight:.4f}–{opener.upper / weight:.4f}",
    )
