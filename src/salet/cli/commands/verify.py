"""`salet verify PLAN`: replay a plan against the rules."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import DEFAULT_GAME, GameChoice, examples, game_options, json_option
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import DataError, UnknownNameError

if TYPE_CHECKING:
    from salet.verification.plans import Verdict


@click.command(
    epilog=examples(
        "salet verify original-normal",
        "salet verify plan.json --json",
        "salet verify somebodys.tree --game original --hard",
    )
)
@click.argument("plan")
@json_option
@game_options(f"the plan's own, or {DEFAULT_GAME}")
def command(choice: GameChoice, plan: str, as_json: bool) -> None:
    """Play PLAN against every answer, with code that shares nothing with the search.

    PLAN is the name of a plan that comes with salet, or a file: a plan written by salet (which
    names its game), an indented tree, lines of words and patterns, games one per line, or arena
    transcripts. If the plan is wrong, the error names the line and the reason.
    """
    import msgspec

    result = msgspec.structs.replace(_verify(plan_path(plan), choice), plan=plan)
    if as_json:
        emit(result.to_dict())
    else:
        from salet.cli.render.simulation import verdict

        show(*verdict(result))


def plan_path(plan: str) -> Path:
    """The file of a plan: the one at this path, or the shipped one of this name."""
    from salet.search.shipped import shipped_names, shipped_plan_path

    if Path(plan).is_file():
        return Path(plan)
    try:
        return shipped_plan_path(plan) or Path(plan)
    except UnknownNameError:
        names = ["-".join(pair) for pair in shipped_names()]
        raise UnknownNameError(
            "plan", plan, names, f"give a file, or one of {', '.join(names)}"
        ) from None


def _verify(path: Path, choice: GameChoice) -> Verdict:
    from salet.plan_formats import read_plan
    from salet.verification.plans import verify

    with live_progress("replaying every answer"):
        return verify(path, named_in(read_plan(path).header, choice).open())


def named_in(header: dict[str, Any], choice: GameChoice) -> GameChoice:
    """The choice, with options not given taken from the header of a plan or certificate."""
    for field in ("game", "mode", "rule"):
        if not isinstance(header.get(field), str | None):
            raise DataError(f"the header says {field!r} is {header[field]!r}; that must be a text")
    wanted: dict[str, Any] = {}
    if choice.game is None and choice.answers is None and choice.guesses is None:
        wanted["game"] = header.get("game")  # that of lists from files is no name
    if choice.mode is None and not choice.hard:
        wanted["mode"] = header.get("mode")
    if choice.rule is None:
        wanted["rule"] = header.get("rule")
    if choice.cap == "default" and "cap" in header:
        wanted["cap"] = "none" if header["cap"] is None else str(header["cap"])
    return dataclasses.replace(choice, **wanted)
