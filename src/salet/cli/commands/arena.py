"""`salet arena`: programs in any language play over pipes, and chat models over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.model_options import ModelChoice, model_options
from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    jobs_option,
    json_option,
    output_option,
    protocol_option,
    seed_option,
    timeout_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import counted_progress, live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.arena.regret import Regret
    from salet.arena.run import Arena, ArenaProgress
    from salet.cli.render.progress import ProgressUpdate
    from salet.game.game import Game
    from salet.search.regret import ValueFunction


@click.command(
    epilog=examples(
        'salet arena --player "python3 examples/player.py words.txt"',
        'salet arena --player "./mine --fast" --player "node other.js" --protocol jsonl --hard',
        'salet arena --player "salet serve-player --strategy entropy" --transcripts games.txt',
        "salet arena --model http://localhost:8000/v1 --name llama --sample 50 --transcripts l.txt",
    )
)
@click.option("--player", "players", multiple=True, metavar="CMD",
              help="A program with its arguments; repeat for more players.")  # fmt: skip
@model_options
@protocol_option
@jobs_option("Number of instances of each program, or of concurrent games of a model.")
@timeout_option("--timeout", 30.0, "Time limit of a guess, including the start of the program.")
@timeout_option("--game-timeout", 300.0, "Time limit of a game.")
@click.option("--answers-from", type=click.Path(path_type=Path), metavar="FILE",
              show_default="all answers",
              help="Play these words (any legal guesses), one per line.")  # fmt: skip
@click.option("--split", default="all", show_default=True, metavar="SPLIT",
              help="Play only words of this split: train, validation or test.")  # fmt: skip
@click.option("--sample", type=int, metavar="N", help="Play N of them, drawn at random.")
@output_option(
    "--transcripts",
    "Write every game to FILE as it ends (SECRET, GUESS GUESS …); an interrupted run is resumed.",
)
@click.option("--regret", "with_regret", is_flag=True,
              help="Compute the exact regret of every decision (always done for chat "
                   "models on one board).")  # fmt: skip
@seed_option()
@json_option
@game_options()
def command(
    choice: GameChoice,
    players: tuple[str, ...],
    models: list[ModelChoice],
    protocol: str,
    jobs: int,
    timeout: float,
    game_timeout: float,
    answers_from: Path | None,
    split: str,
    sample: int | None,
    transcripts: Path | None,
    with_regret: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Let programs and chat models play every answer, and count their guesses.

    A program that crashes, hangs or breaks the protocol is restarted; the game counts as a failure
    of that player, with its reason. A lost game counts cap + 1.

    Chat models are reached through any endpoint that is compatible with OpenAI's API. If the
    endpoint fails, the run ends; with --transcripts the same command resumes it. See
    docs/evaluating-models.md.
    """
    from salet.arena.child_process import parse_command
    from salet.arena.match import Limits
    from salet.arena.protocols import protocol_named
    from salet.arena.run import run_arena
    from salet.arena.umpire import make_contest

    protocol_named(protocol)
    for player in players:
        parse_command(player)
    game = choice.open()
    value = _values(game, with_regret) if with_regret or models else None
    contest = make_contest(game, answers_from, sample, seed, split)
    with live_progress("starting the players", bar=True) as update:
        arena = run_arena(
            contest,
            players,
            models=[model.open() for model in models],
            protocol=protocol,
            jobs=jobs,
            limits=Limits(timeout, game_timeout),
            transcripts=transcripts,
            progress=lambda now: _report(now, update),
        )
    regrets: list[Regret] = []
    losses: list[dict[str, float]] = []
    if value is not None:
        from salet.arena.regret import losses_by_secret, measure_regret

        with counted_progress("valuing decisions") as report:
            regrets = [measure_regret(game, outcomes, value, report) for outcomes in arena.outcomes]
        losses = [losses_by_secret(game, outcomes, value) for outcomes in arena.outcomes]
    from salet.cli.render.arena import arena_view, faults_view

    if as_json:
        emit(_fields(arena, regrets, losses))
    else:
        show(*arena_view(arena, regrets, losses))
    show(*faults_view(arena), stderr=True)


def _values(game: Game, required: bool) -> ValueFunction | None:
    """A function that values states exactly; None for games where that takes too long."""
    from salet.search.regret import RegretEvaluator, has_exact_values

    if has_exact_values(game):
        return RegretEvaluator(game).value
    if required:
        raise InputError(
            f"--regret needs exact values, which {game.name} does not have; leave it out"
        )
    return None


def _report(now: ArenaProgress, update: ProgressUpdate) -> None:
    from salet.cli.render.arena import arena_progress

    done = now.games + now.failures
    update(arena_progress(now), done=done, total=now.answers, row=now.player)


def _fields(arena: Arena, regrets: list[Regret], losses: list[dict[str, float]]) -> dict[str, Any]:
    """The fields of `--json`."""
    import msgspec

    from salet.arena.statistics import compare

    result = arena.result.to_dict()
    for player, regret in zip(result["players"], regrets, strict=False):
        player["regret"] = regret.to_dict()
    for player, other in zip(result["players"][1:], losses[1:], strict=False):
        player["regret"]["against_first"] = msgspec.to_builtins(compare(losses[0], other))
    return result
