"""`salet score GUESS ANSWER`: the feedback to a guess."""

from __future__ import annotations

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import console, emit


@click.command(
    epilog=examples(
        "salet score error heron",
        "salet score 1122 1212 --rule pegs",
        "salet score frate carte --rule present --json",
    )
)
@click.argument("guess")
@click.argument("answer")
@click.option("--rule", default="standard", show_default=True, metavar="RULE",
              help="Feedback rule: standard, present or pegs.")  # fmt: skip
@json_option
def command(guess: str, answer: str, rule: str, as_json: bool) -> None:
    """Print the feedback to GUESS when ANSWER is the secret.

    Tiles in a terminal; letters G, Y and B (or black,white counts) in a pipe.
    """
    from salet.game.feedback import rule_named, score
    from salet.game.notation import TILES

    feedback = score(guess, answer, rule)
    if as_json:
        emit({"guess": guess, "answer": answer, "rule": rule, "feedback": feedback})
        return
    out = console()
    if out.is_terminal and rule_named(rule).notation is TILES:
        from salet.cli.render.board import tiles

        out.print(tiles(guess, feedback))
    else:
        click.echo(feedback)
