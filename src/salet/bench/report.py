"""Render the result of a benchmark as Markdown and as one SVG figure.

Everything is rendered from the fields of bench.json, so that the pages of the docs can be made
from the stored file without measuring again.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"


def conditions(fields: Mapping[str, Any]) -> str:
    """What is stated beside every figure: game, lists, rule, mode and cap."""
    limit = "no cap" if fields["cap"] is None else f"cap {fields['cap']}"
    return (
        f"{fields['game']}, {fields['answers']} answers, {fields['guesses']} guesses, "
        f"{fields['rule']} feedback, {fields['mode']} mode, {limit}"
    )


def table(fields: Mapping[str, Any], last: str | None = None) -> str:
    """The entries as a table, best first; with `last`, only down to the entry of that name, and
    without those that failed."""
    lines = [
        "| player | opener | mean | total | worst | lost | play, s | prepare, s | CPU, s "
        "| peak, MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    entries = fields["entries"]
    if last is not None:
        entries = [entry for entry in entries if entry["error"] is None]
        names = [entry["name"] for entry in entries]
        entries = entries[: names.index(last) + 1] if last in names else entries
    lines += [_row(entry) for entry in entries]
    return "\n".join(lines) + "\n"


def _row(entry: Mapping[str, Any]) -> str:
    if entry["error"] is not None:
        cells = [entry["name"], f"failed: {entry['error']}", *[""] * 8]
    else:
        failed = sum(entry["failures"].values())
        cells = [
            entry["name"] + (f" ({failed} failed)" if failed else ""),
            entry["opener"],
            None if entry["mean"] is None else f"{entry['mean']:.4f}",
            *(entry[name] for name in ("total", "worst", "losses")),
            *(None if entry[n] is None else f"{entry[n]:.2f}" for n in _SECONDS),
            entry["peak_mb"],
        ]
    return "| " + " | ".join("–" if c is None else _cell(str(c)) for c in cells) + " |"


_SECONDS = ("seconds", "prepare_seconds", "cpu_seconds")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def table_page(fields: Mapping[str, Any]) -> str:
    """The whole result as a page."""
    best = fields["entries"][0]["name"]
    origin = f"{fields['date']}, salet {fields['version']}, commit {fields['commit'] or 'unknown'}"
    machine = fields["machine"]
    parts = [
        "# Results\n",
        f"Measured by `salet bench --suite {fields['suite']}` on {origin}; {machine['processor']}, "
        f"{machine['cores']} cores, Python {machine['python']}. This page is generated.\n",
        f"**{conditions(fields)}.** A lost game counts cap + 1.\n",
        table(fields),
        "`play`: all answers, after preparation. `prepare`: imports, table, compiled code and the "
        "first decision. `CPU`: processor time of both; times by the clock depend on what else the "
        "machine does.\n",
    ]
    if fields["comparisons"]:
        parts += [
            f"## Against {best}\n",
            "Extra guesses a game compared with the best player, paired by answer: mean, 95 % "
            "confidence interval, paired t-test.\n",
            _comparisons(fields),
        ]
    if fields["peers"]:
        parts += ["## Against other solvers\n", _peers(fields)]
    return "\n".join(parts)


def _comparisons(fields: Mapping[str, Any]) -> str:
    lines = [
        "| player | extra guesses | 95 % | p | better on | worse on | best gains | worst losses |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for versus in fields["comparisons"]:
        found = versus["comparison"]
        low, high = 0.0 - found["high"], 0.0 - found["low"]
        cells = [
            versus["second"],
            f"{0.0 - found['difference']:+.4f}",
            f"{low:+.4f} to {high:+.4f}",
            f"{found['p']:.2g}",
            str(found["losses"]),
            str(found["wins"]),
            _extremes(found["worst"]),
            _extremes(found["best"]),
        ]
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _extremes(pairs: list[list[Any]], max_pairs: int = 3) -> str:
    return ", ".join(f"{word} {abs(by)}" for word, by in pairs[:max_pairs]) or "–"


def _peers(fields: Mapping[str, Any]) -> str:
    parts = [
        "Exact value of an opener, one core each, alternating; processor time of the fastest "
        "turn.\n"
    ]
    for peer in fields["peers"]:
        ratio = "–" if peer["ratio"] is None else f"{peer['ratio']:.1f}"
        parts.append(f"**{peer['name']}**: salet is {ratio} times as fast (geometric mean).\n")
        if peer["error"] is not None:
            parts.append(f"Failed: {peer['error']}.\n")
        lines = [
            "| opener | total | its total | seconds | its seconds | times faster |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for row in peer["timings"]:
            cells = [
                row["opener"],
                *(row[name] for name in ("total", "peer_total", "seconds", "peer_seconds")),
                None if row["ratio"] is None else f"{row['ratio']:.1f}",
            ]
            lines.append("| " + " | ".join("–" if c is None else str(c) for c in cells) + " |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def readme_section(fields: Mapping[str, Any], last: str = "entropy") -> str:
    """The section of README between its markers: the best players, down to the `last`."""
    header = f"{conditions(fields)}; a lost game counts cap + 1."
    return f"{BEGIN}\n{header}\n\n{table(fields, last)}{END}"


def replace_section(page: str, section: str) -> str:
    """The page with the section between its markers replaced; unchanged without markers."""
    if BEGIN not in page or END not in page:
        return page
    before, _, rest = page.partition(BEGIN)
    return before + section + rest.partition(END)[2]


# ---- the figure

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 760, 26, 190, 120, 56


def figure(fields: Mapping[str, Any]) -> str:
    """An SVG with the mean of every entry as a bar."""
    shown = [entry for entry in fields["entries"] if entry["mean"] is not None]
    height = _TOP + _ROW * len(shown) + 20
    means = [entry["mean"] for entry in shown]
    low = min(means, default=1.0)
    high = max(means, default=1.0)
    start = max(0.0, low - max(0.25 * (high - low), 0.05))
    scale = (_WIDTH - _LEFT - _RIGHT) / ((high - start) or 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="13" role="img">',
        f"<title>Mean guesses: {escape(conditions(fields))}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-weight="bold">Mean guesses a game, from {start:.2f}</text>',
        f'<text x="12" y="42" fill="#555">{escape(conditions(fields))}</text>',
    ]
    for number, entry in enumerate(shown):
        y = _TOP + _ROW * number
        width = max(1.0, (entry["mean"] - start) * scale)
        lost = f", {entry['losses']} lost" if entry["losses"] else ""
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(entry["name"])}</text>',
            f'<rect x="{_LEFT}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 8}" rx="2" '
            'fill="#6aaa64"/>',
            f'<text x="{_LEFT + width + 6:.1f}" y="{y + 16}">{entry["mean"]:.4f}{lost}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
