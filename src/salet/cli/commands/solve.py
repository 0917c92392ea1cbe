"""`salet solve`: the best next guess, with proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.cluster_options import check_cluster_options, executor_at, scheduler_option
from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    host_option,
    json_option,
    memory_option,
    objective_option,
    output_option,
    threads_option,
    weights_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.state import State
    from salet.search.solve import Solution


@click.command(
    epilog=examples(
        "salet solve crane bybbg --top 5",
        "salet solve --opener salet --game original --plan plan.json",
        "salet solve --game mastermind:4x6 --cap 5 --opener 1123",
        "salet solve crane:bybbg --hard --objective worst --json",
        "salet solve --host adversary --game original",
        "salet solve --opener qajaq --game original --scheduler tcp://192.168.0.2:8786",
    )
)
@click.argument("rows", nargs=-1)
@click.option("--opener", metavar="WORD", help="Fix the next guess and find its exact value.")
@click.option("--top", default=1, show_default=True, type=click.IntRange(1), metavar="K",
              help="List the K best guesses, each with its exact total.")  # fmt: skip
@objective_option
@weights_option
@click.option("--width", type=click.IntRange(1), metavar="N", show_default="all guesses",
              help="Try only the N most promising guesses of each state; the total is then an "
                   "upper bound.")  # fmt: skip
@click.option("--seconds", type=float, metavar="S", show_default="no limit",
              help="Time limit; if it is reached, the bounds so far are shown.")  # fmt: skip
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="DIR",
              help="Store progress over the guesses of a large state in DIR; run the same command "
                   "again to resume.")  # fmt: skip
@threads_option
@memory_option(1.0, "the transposition table")
@output_option("--plan", "Save the plan to FILE (.json, .tree or .txt).")
@output_option("--certificate", "Save a proof of the lower bound to FILE, for `salet check`.")
@scheduler_option
@host_option
@json_option
@game_options()
def command(
    choice: GameChoice,
    host: str,
    rows: tuple[str, ...],
    opener: str | None,
    top: int,
    objective: str,
    weights: str | None,
    width: int | None,
    seconds: float | None,
    checkpoint: Path | None,
    threads: int | None,
    memory: float,
    plan: Path | None,
    certificate: Path | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Find the best guess after ROWS and prove it.

    Write rows as crane:bybbg or crane bybbg (b grey, y yellow, g green). Totals are sums of guesses
    over the remaining answers, not counting ROWS; the cap counts them. Against the adversary, the
    result is the smallest number of guesses that forces a win; only --opener and --seconds apply.
    """
    from salet.game.weights import weighted
    from salet.search.solve import solve

    check_cluster_options(scheduler, threads=threads, seconds=seconds, width=width)
    game = choice.open(host)
    if game.host == "adversary":
        given = {"--top": top > 1, "--objective": objective != "mean", "--weights": weights,
                 "--width": width, "--plan": plan, "--certificate": certificate,
                 "--checkpoint": checkpoint, "--scheduler": scheduler}  # fmt: skip
        _force(
            game, rows, opener, seconds, as_json, [name for name, value in given.items() if value]
        )
        return
    if weights is not None:
        game = weighted(game, weights)
    state = _open_state(game, rows)
    with (
        executor_at(scheduler, game, memory) as executor,
        live_progress("solving") as update,
    ):
        result = solve(
            state,
            opener=opener,
            top=top,
            objective=objective,
            width=width,
            threads=threads,
            memory=memory,
            seconds=seconds,
            certificate=certificate is not None,
            checkpoint=checkpoint,
            progress=lambda done, of: update(f"solving: {done:,} of {of:,} guesses decided"),
            executor=executor,
        )
    for saved, path in ((result.plan, plan), (result.certificate, certificate)):
        if saved is not None and path is not None:
            saved.save(path)
    if as_json:
        emit(result.to_dict())
    elif result.total is not None:
        from salet.cli.render.search import solution

        show(*solution(result, fixed=opener is not None))
    _refuse_unsolved(result, seconds)


def _open_state(game: Game, rows: tuple[str, ...]) -> State:
    """The state after rows, in which the answer is not found yet."""
    state = game.state(list(rows))
    if state.won:
        raise InputError(f"{rows[-1]!r} has found the answer; there is nothing left to solve")
    return state


def _refuse_unsolved(result: Solution, seconds: float | None) -> None:
    """Raise an error if no plan was found."""
    if result.total is None and not result.proven:
        raise InputError(
            f"no plan within the cap of {result.cap} was found in {seconds:g} seconds; any needs "
            f"{result.lower} guesses or more: raise --seconds"
        )
    if result.total is None:
        raise InputError(
            f"no plan solves all {result.answers} answers within the cap of {result.cap} "
            f"(proven; without it any plan needs {result.lower} or more): raise --cap, or use "
            "--objective win-then-mean"
        )


def _force(
    game: Game,
    rows: tuple[str, ...],
    opener: str | None,
    seconds: float | None,
    as_json: bool,
    unsuitable: list[str],
) -> None:
    """Print the shortest forced win against the adversary."""
    from salet.cli.render.search import forcing
    from salet.search.adversary import force

    if unsuitable:
        raise InputError(f"{unsuitable[0]} has no meaning against the adversary; leave it out")
    state = _open_state(game, rows)
    with live_progress("forcing the adversary"):
        result = force(state, opener=opener, seconds=seconds)
    if as_json:
        emit(result.to_dict())
    else:
        show(*forcing(game, result))
    left = state.guesses_left
    if left is not None and result.lower > left:
        raise InputError(
            f"the adversary cannot be forced within the cap of {game.cap} (proven): it takes "
            f"{result.lower} or more guesses; raise --cap"
        )
