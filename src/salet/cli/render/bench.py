"""Benchmark tables, their history, and two players compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from salet.cli.render.console import format_seconds, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.bench.run import BenchResult, EntryComparison


def bench_view(result: BenchResult, directory: Path) -> list[RenderableType]:
    """The ranking, failures, the solvers timed against salet, and the paths of the reports."""
    from salet.bench.report import conditions

    return [
        Text(f"{conditions(result.to_dict())}; a lost game counts cap + 1"),
        _ranking(result),
        *(line(("failed", "red"), f" {m.name}: {m.error}") for m in result.entries if m.error),
        *_peers(result),
        line(f"written to {directory}/bench.json, bench.md and bench.svg"),
    ]


def _ranking(result: BenchResult) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player")
    table.add_column("opener")
    for title in ("mean", "total", "worst", "lost", "play s", "prepare s", "peak MB"):
        table.add_column(title, justify="right", no_wrap=True)
    for m in result.entries:
        if m.error is None:
            figures = (m.total, m.worst, m.losses, m.seconds, m.prepare_seconds, m.peak_mb)
            mean = "–" if m.mean is None else f"{m.mean:.4f}"
            cells = ("–" if figure is None else str(figure) for figure in figures)
            table.add_row(Text(m.name), m.opener or "–", mean, *cells)
    return table


def _peers(result: BenchResult) -> Iterator[RenderableType]:
    for peer in result.peers:
        ratio = "–" if peer.ratio is None else f"{peer.ratio:.1f}"
        reason = "" if peer.error is None else f" ({peer.error})"
        yield line(f"{peer.name}: we are {ratio} times as fast{reason}")


def history_view(rows: Sequence[Mapping[str, Any]]) -> Iterator[RenderableType]:
    """How each figure changed from one run to the next."""
    last: Mapping[str, Any] | None = None
    for row in sorted(rows, key=lambda row: (row["game"], row["name"], row["date"])):
        if last is None or (last["game"], last["name"]) != (row["game"], row["name"]):
            last = None
            yield line((row["name"], "bold"), f" on {row['game']}")
        mean = "failed" if row["mean"] is None else f"mean {row['mean']:.4f}"
        seconds = "" if row["seconds"] is None else f", {format_seconds(row['seconds'])}"
        commit = row["commit"] or "no commit"
        yield line(f"  {row['date']}  {commit:12}  {mean}{seconds}{_change(last, row)}")
        last = row


def _change(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    if before is None or before["total"] is None or now["total"] is None:
        return ""
    change = f"  total {now['total'] - before['total']:+d}"
    if now["seconds"] and before["seconds"]:
        change += f", time x {now['seconds'] / before['seconds']:.2f}"
    return change


def comparison_view(found: EntryComparison) -> Iterator[RenderableType]:
    """Two players on the same answers, and where each is furthest ahead."""
    yield line(f"{found.second} against {found.first}: {found.comparison.sentence()}")
    for name, pairs in (
        (found.first, found.comparison.best),
        (found.second, found.comparison.worst),
    ):
        shown = ", ".join(f"{word} by {abs(by)}" for word, by in pairs) or "on none"
        yield line(f"{name} wins most: {shown}")
