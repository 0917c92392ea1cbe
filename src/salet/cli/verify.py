"""`salet verify PLAN`: replay a plan against the rules."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.show import emit, show_played


@click.command(
    epilog=examples(
        "salet verify plan.json",
        "salet verify somebodys.tree --game original --hard",
        "salet verify games.txt --game romanian --json",
    )
)
@click.argument("plan", type=click.Path(path_type=Path))
@json_option
@game_options(None)
def command(choice: GameChoice, plan: Path, as_json: bool) -> None:
    """Play PLAN against every answer, with code that shares nothing with the search.

    PLAN is a plan of salet's (which names its own game), an indented tree, lines of words and
    patterns, games one a line, or arena transcripts. A plan that is wrong is refused with the line
    and the reason.
    """
    from salet.plan_formats import read_plan
    from salet.verification.plans import verify

    game = _as_planned(choice, read_plan(plan).header).open()
    verdict = verify(plan, game)
    if as_json:
        emit(verdict.to_dict())
    else:
        show_played(str(plan), verdict, "; every guess is legal")


def _as_planned(choice: GameChoice, header: dict[str, Any]) -> GameChoice:
    """What the user leaves open is as the plan says."""
    wishes: dict[str, Any] = {"game": choice.game or header.get("game", "original")}
    if choice.mode is None and not choice.hard:
        wishes["mode"] = header.get("mode")
    if choice.rule is None:
        wishes["rule"] = header.get("rule")
    if choice.cap == "default" and "cap" in header:
        wishes["cap"] = "none" if header["cap"] is None else str(header["cap"])
    return dataclasses.replace(choice, **wishes)
