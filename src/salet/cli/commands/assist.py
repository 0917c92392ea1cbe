"""`salet assist`: live help with a game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from salet.cli.options import (
    GameChoice,
    chosen_weights,
    examples,
    game_options,
    host_option,
    json_option,
    likely_option,
    objective_option,
    past_option,
    read_past_answers,
    weights_option,
)
from salet.cli.questions import REVEAL, Question, to_fields, view
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.rows import Row


@click.command(
    epilog=examples(
        "salet assist",
        "salet assist crane bybbg slots bgybb --hard --seconds 10",
        "salet assist crane:bybbg --objective worst --json",
        "salet assist crane:bybbg --hint 1",
        "salet assist crane:bybbg --rate south",
        "salet assist crane:bybbg --likely --past answers.txt",
        "salet assist --opener crane --game original",
        "salet assist crane:bybbg/bbbyb/bbbbb/ggggg --game original:boards=4",
        "salet assist arise:bbbbb --host adversary",
    )
)
@click.argument("rows", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True,
              metavar="S", help="Time limit; the search ends early once proven.")  # fmt: skip
@objective_option
@weights_option
@likely_option
@past_option
@click.option("--opener", metavar="WORD", help="Also list this guess, whatever its value.")
@click.option("--hint", "step", type=click.IntRange(1, 4), metavar="N",
              help="Help without spoilers, step by step: 1 how many words fit, 2 what the best "
              "guess achieves, 3 which letters are worth testing, 4 the best guess.")  # fmt: skip
@click.option("--rate", "idea", metavar="WORD",
              help="Say how good a guess is, without naming a better one.")  # fmt: skip
@host_option
@json_option
@game_options()
def command(
    choice: GameChoice,
    host: str,
    rows: tuple[str, ...],
    seconds: float,
    objective: str,
    weights: str | None,
    likely: bool,
    past: str | None,
    opener: str | None,
    step: int | None,
    idea: str | None,
    as_json: bool,
) -> None:
    """Suggest the next guess after ROWS; without ROWS, help with a game row by row.

    Write rows as crane:bybbg or crane bybbg: b is grey, y yellow and g green; emoji and 0 1 2 work
    too. Expected guesses are means over the remaining answers and include the guess itself. With
    several boards a row has a field for each: crane:bybbg/bbbyb/-/ggggg, with - for a solved one.
    """
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.rows import parse_rows

    game = choice.open(host)
    used = read_past_answers(past, game)
    coach = Coach(game, past=used, weights=chosen_weights(weights, likely))
    consider = () if opener is None else (opener,)
    options = AdviceOptions(objective=objective, seconds=seconds, consider=consider)
    if step is not None and idea is not None:
        raise InputError("--hint and --rate are two questions; ask one of them")
    if game.boards > 1:
        if objective != "mean":
            raise InputError(f"objective {objective!r} is for one board; use 'mean'")
        _advise_joint(coach, list(rows), options, Question(step or REVEAL, idea), as_json)
    elif rows or as_json or idea is not None or not sys.stdin.isatty():
        question = Question(step or REVEAL, idea)
        _answer_once(coach, parse_rows(rows), options, question, as_json)
    else:
        from salet.cli.assist_session import AssistSession

        AssistSession(coach, options, step or REVEAL).run()


def _advise_joint(
    coach: Coach, rows: list[str], options: AdviceOptions, question: Question, as_json: bool
) -> None:
    """Advise on several boards; without rows, row by row."""
    from salet.cli.joint_session import JointSession

    state = coach.game.joint_state(rows)
    for word in (*options.consider, *([] if question.idea is None else [question.idea])):
        state.check(word)
    session = JointSession(coach, options, state, question.step)
    if not rows and not as_json and question.idea is None and sys.stdin.isatty():
        session.run()
    elif as_json:
        with live_progress("searching"):
            *_, answer = question.joint_answers(coach, state, options)
        emit(to_fields(answer))
    else:
        session.show(question)


def _answer_once(
    coach: Coach, rows: list[Row], options: AdviceOptions, question: Question, as_json: bool
) -> None:
    from salet.cli.assist_session import announce_compiling, show_live
    from salet.cli.render.board import board
    from salet.cli.render.games import headline
    from salet.coach.position import read_position

    if rows or question.idea is not None:
        announce_compiling()
    live = sys.stdout.isatty() and not as_json
    with live_progress("searching"):
        position = read_position(coach, rows)
        answer = None if live else list(question.answers(position, options))[-1]
    if as_json and answer is not None:
        change = question.likelihood_change(position, options, answer)
        emit(to_fields(answer) | ({} if change is None else {"likelihood_change": change}))
        return
    show(headline(coach.game))
    if rows:
        show(board(coach.game, position.state.turns))
    show("")
    if answer is None:
        answer = show_live(position, options, question)
    else:
        show(view(answer))
    change = question.likelihood_change(position, options, answer)
    if change is not None:
        show(f"· {change}")
