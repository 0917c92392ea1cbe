"""Results of exact and anytime search, and their progress lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from salet.cli.render.board import board
from salet.cli.render.console import format_seconds, line
from salet.cli.render.games import rules
from salet.cli.render.simulation import histogram
from salet.storage import output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.game.game import Game
    from salet.search.adversary import ForcedWin
    from salet.search.anytime import SearchResult
    from salet.search.anytime_run import SearchProgress
    from salet.search.prove import Proof, ProofProgress
    from salet.search.solve import Solution

TIES_SHOWN = 12
CHOICES_SHOWN = 5
_WAYS = {
    "exact": "by their total",
    "bound": "by a bound",
    "deep": "by a deep search",
    "symmetric": "by symmetry",
}
"""How an opener was decided, in words."""


def solution(result: Solution, fixed: bool) -> list[RenderableType]:
    """The best guess and its figures; `fixed` if the guess was given, not found."""
    fact = "an upper bound"
    if result.proven:
        fact = "exact" if fixed else "proven best"
    lost = f", {result.losses} answers lost" if result.losses else ""
    shown: list[RenderableType] = [
        line(f"{rules(result)}: {result.answers} answers, objective {result.objective}"),
        line((result.guess or "", "bold"), f": {result.mean:.4f} more guesses, worst "
             f"{result.worst}{lost}, {fact}"),
        histogram(result.histogram, result.losses),
    ]  # fmt: skip
    for row in result.top or ():
        lost = f", {row.losses} lost" if row.losses else ""
        shown.append(line(f"  {row.guess}  {row.total}{lost}"))
    if len(result.ties) > 1:
        more = " …" if len(result.ties) > TIES_SHOWN else ""
        shown.append(Text(f"equally good: {', '.join(result.ties[:TIES_SHOWN])}{more}"))
    cost = _cost(result.seconds, result.peak_mb)
    known = "" if result.proven else f" at most, {result.lower} at least"
    return [*shown, line(f"total {result.total}{known}, {result.nodes} nodes, {cost}")]


def proof(result: Proof) -> list[RenderableType]:
    """The best opener, the ranking, and how the openers were decided."""
    shown: list[RenderableType] = [line(rules(result))]
    if not result.proven:
        decided = sum(result.openers.values())
        shown.append(line(f"stopped before the end: {decided} openers are decided"))
    if result.best is not None:
        fact = "the best opener" if result.proven else "the best opener so far"
        known = ", proven" if result.proven else f", no opener below {result.lower}"
        shown.append(line((result.best, "bold"), f" is {fact}: total {result.total}{known}"))
        shown += [line(f"  {row.guess}  {row.total}") for row in result.ranking[1:]]
    elif result.proven:
        shown.append(line(f"no opener solves every answer within the cap of {result.cap} (proven)"))
    ways = ", ".join(f"{count} {_WAYS[way]}" for way, count in result.openers.items())
    cost = _cost(result.seconds, result.peak_mb)
    return [*shown, line(f"openers decided: {ways}; {result.nodes} nodes, {cost}")]


def forcing(game: Game, result: ForcedWin) -> list[RenderableType]:
    """The shortest known forced win against the adversary, guess by guess."""
    known = "proven fewest" if result.proven else f"at least {result.lower}"
    plural = "" if result.upper == 1 else "es"
    return [
        line(f"{rules(result)}, host {result.host}: {result.answers} answers"),
        line((result.guess, "bold"), f" forces it in {result.upper} guess{plural}, {known}"),
        board(game, result.line),
        Text(f"{result.nodes} nodes, {_cost(result.seconds, result.peak_mb)}"),
    ]


def search_result(result: SearchResult) -> list[RenderableType]:
    """The best plan of an anytime search, its bounds, and its most probable first guesses."""
    if result.upper is None:
        within = "" if result.cap is None else f" within the cap of {result.cap}"
        found = f"no plan{within} is known yet; any needs {result.lower} guesses or more"
    elif result.proven:
        found = f"total {result.total}, proven best"
    else:
        found = f"total {result.total}; no plan needs fewer than {result.lower}"
    choices = sorted(result.policy, key=lambda row: -row.optimal)[:CHOICES_SHOWN]
    return [
        line(f"{result.method} on {rules(result)}"),
        line(found) if result.guess is None else line((result.guess, "bold"), f": {found}"),
        *(line(f"  {row.guess}  best with probability {row.optimal:.3f}, {row.visits} visits")
          for row in choices),
        line(f"{result.iterations} iterations, {_cost(result.seconds, result.peak_mb)}, "
             f"stopped: {result.stopped}"),
    ]  # fmt: skip


def picker_table(results: Sequence[SearchResult]) -> list[RenderableType]:
    """Several runs of a tree search, one row each."""
    table = Table("picker", "seed", "guess", "lower", "upper", "iteration", "time", box=None)
    for result in results:
        last = next(p for p in result.curve if p.upper == result.curve[-1].upper)
        table.add_row(
            result.picker,
            str(result.seed),
            result.guess or "–",
            str(result.lower),
            "–" if result.upper is None else str(result.upper),
            str(last.iteration),
            format_seconds(last.seconds),
        )
    note = line("iteration and time: when the upper bound was reached")
    return [line(rules(results[0])), table, note]


def write_curve(results: Sequence[SearchResult], path: Path) -> None:
    """Write the bounds on the mean over time as CSV, one line for each change."""
    lines = ["method,picker,seed,iteration,seconds,lower,upper"]
    for result in results:
        name = f'{result.method},"{result.picker or ""}",{result.seed}'
        for point in result.curve:
            upper = "" if point.upper is None else f"{point.upper:.6f}"
            lines.append(f"{name},{point.iteration},{point.seconds},{point.lower:.6f},{upper}")
    with output(path) as file:
        file.writelines(f"{row}\n".encode() for row in lines)


def search_progress(now: SearchProgress) -> str:
    """Best guess, bounds, iterations per second and memory of a running search."""
    speed = now.iteration / now.seconds if now.seconds else 0.0
    upper = "no plan yet" if now.upper is None else str(now.upper)
    return (
        f"best {now.guess or '…'} · lower {now.lower} · upper {upper} · {now.iteration} "
        f"iterations, {speed:,.1f}/s · {now.megabytes:.0f} MB · Ctrl-C keeps the plan"
    )


def proof_progress(now: ProofProgress) -> str:
    """Incumbent, bounds, openers left, speed and time left of a running proof."""
    if now.certified is not None:
        return f"best {now.best} {now.upper} · certifying: {now.certified} of {now.openers} openers"
    rate = (now.openers - now.left) / now.seconds if now.seconds else 0.0
    left = f"{format_seconds(now.left / rate)} left" if rate and now.left else "…"
    best = f"{now.best} {now.upper}" if now.best else "no incumbent yet"
    speed = now.nodes / now.seconds if now.seconds else 0.0
    return (
        f"best {best} · lower bound {now.lower} · {now.left} of {now.openers} openers left · "
        f"{speed:,.0f} nodes/s · {left}"
    )


def _cost(seconds: float, megabytes: float) -> str:
    return f"{format_seconds(seconds)}, {megabytes:.0f} MB"
