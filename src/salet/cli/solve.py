"""`salet solve`: the best next guess, with proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.options import GameChoice, check_output, examples, game_options, json_option
from salet.cli.show import console, emit, histogram, waiting
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.search.solve import Solution


@click.command(
    epilog=examples(
        "salet solve --opener salet",
        "salet solve crane:bybbg --top 5",
        "salet solve --game mastermind:4x6 --cap 5 --opener 1123",
        "salet solve crane:bybbg --hard --objective worst --json",
    )
)
@click.argument("history", nargs=-1)
@click.option("--opener", metavar="WORD", help="Fix the next guess and find its exact value.")
@click.option("--top", default=1, show_default=True, type=click.IntRange(1), metavar="K",
              help="The K best guesses, each with its exact total.")  # fmt: skip
@click.option("--objective", default="mean", show_default=True, metavar="O",
              help="mean, worst, mean-then-worst or win-then-mean.")  # fmt: skip
@click.option("--weights", metavar="prior|FILE",
              help="Weigh the answers: by frequency, or lines of `word weight`.")  # fmt: skip
@click.option("--width", type=click.IntRange(1), metavar="N",
              help="Try only the N best-looking guesses of a state: an upper bound.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads  [all cores].")
@click.option("--memory", default=1.0, show_default=True, metavar="GB",
              help="Most memory for remembered bounds.")  # fmt: skip
@click.option("--plan", type=click.Path(path_type=Path), metavar="FILE",
              help="Save the plan (.json, .tree or .txt).")  # fmt: skip
@json_option
@game_options()
def command(
    choice: GameChoice,
    history: tuple[str, ...],
    opener: str | None,
    top: int,
    objective: str,
    weights: str | None,
    width: int | None,
    threads: int | None,
    memory: float,
    plan: Path | None,
    as_json: bool,
) -> None:
    """Find the best guess after HISTORY (as crane:bybbg slate:…) and prove it.

    Totals are guesses over all answers that remain, counted after HISTORY; the cap includes it.
    """
    from salet.game.weights import weighted
    from salet.search.solve import solve

    check_output(plan)
    game = choice.open()
    if weights is not None:
        game = weighted(game, weights)
    state = game.state(list(history))
    if state.won:
        raise InputError(f"{history[-1]!r} has found the answer; there is nothing left to solve")
    with waiting("solving"):
        solution = solve(
            state,
            opener=opener,
            top=top,
            objective=objective,
            width=width,
            threads=threads,
            memory=memory,
        )
    if plan is not None and solution.plan is not None:
        solution.plan.save(plan)
    if as_json:
        emit(solution.to_dict())
    elif solution.total is not None:
        _show(solution, fixed=opener is not None)
    if solution.total is None:
        raise InputError(
            f"no plan solves all {solution.answers} answers within the cap of {solution.cap} "
            f"(proven; without it any plan takes {solution.lower} or more): raise --cap, or use "
            "--objective win-then-mean"
        )


def _show(solution: Solution, fixed: bool) -> None:
    out = console()
    out.print(f"{solution.answers} answers, {solution.mode} mode, objective {solution.objective}")
    fact = "an upper bound"
    if solution.proven:
        fact = "exact" if fixed else "proven best"
    lost = f", {solution.losses} answers lost" if solution.losses else ""
    out.print(
        f"[bold]{solution.guess}[/]: {solution.mean:.4f} more guesses, worst {solution.worst}"
        f"{lost}, {fact}"
    )
    out.print(histogram(solution.histogram, solution.losses))
    for row in solution.top or ():
        lost = f", {row.losses} lost" if row.losses else ""
        out.print(f"  {row.guess}  {row.total}{lost}")
    if len(solution.ties) > 1:
        shown = ", ".join(solution.ties[:12]) + (" …" if len(solution.ties) > 12 else "")
        out.print(f"equally good: {shown}")
    out.print(
        f"total {solution.total}, {solution.nodes} nodes, {solution.seconds:.2f} s, "
        f"{solution.peak_mb:.0f} MB"
    )
