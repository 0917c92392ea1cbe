"""`salet play`: a game in the terminal."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from salet.cli.options import GameChoice, examples, game_options, host_option, seed_option
from salet.cli.render.console import show
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.cli.questions import Answer, JointAnswer
    from salet.coach.coach import Coach
    from salet.game.game import Game
    from salet.game.round import JointRound, Round


@click.command(
    epilog=examples(
        "salet play",
        "salet play --hard --seed 7",
        "salet play --game original:boards=4",
        "salet play --host adversary",
        "salet play --game nerdle:8",
    )
)
@click.option("--answer", metavar="WORD", show_default="drawn at random",
              help="The secret, for somebody else to find; WORD/WORD/… for several "
                   "boards.")  # fmt: skip
@seed_option(None)
@click.option("--keep/--no-keep", default=True, show_default=True,
              help="Add the game to your history (`salet history`).")  # fmt: skip
@host_option
@game_options()
def command(
    choice: GameChoice, answer: str | None, seed: int | None, keep: bool, host: str
) -> None:
    """Play a game in the terminal: type guesses until you find the secret.

    Without colour, [X] is green (right letter, right position) and (X) yellow (right letter, wrong
    position). An empty line shows the letters so far. For help without spoilers, `hint` goes one
    step further each time (how many words fit, what the best guess achieves, letters worth
    testing, the best guess), and `crane?` rates a guess. `give up` shows the secret.
    """
    from salet.cli.render.games import headline
    from salet.game.round import Round

    game = choice.open(host)
    if host == "adversary" and answer is not None:
        raise InputError(f"--answer {answer!r}: the adversary has no answer; leave it out")
    current = _joint_round(game, answer, seed) if game.boards > 1 else _round(game, answer, seed)
    signs = "letters" if any(letter.isalpha() for letter in game.lexicon.alphabet) else "signs"
    show(headline(game).append(f", {game.length} {signs}"))
    helper = None if host == "adversary" else _Helper(current)
    helps = (
        "`?` counts the answers"
        if helper is None
        else "`hint` helps without spoilers, `word?` rates an idea"
    )
    show(f"{helps}, Ctrl-D ends.")
    while not current.over:
        typed = _ask(current.state.turn + 1)
        if typed is None or typed == "give up":
            break
        if not typed:
            _show_letters(current)
        elif typed == "?" and helper is None and isinstance(current, Round):
            show(f"{len(current.state.candidates)} answers remain.")
        elif helper is not None and (typed == "hint" or typed.endswith("?")):
            helper.answer(typed)
        else:
            _guess(current, typed)
    if current.state.won:
        show(f"Found in {current.state.turn}.")
    else:
        show(_reveal(current))
    if current.over:
        click.echo(f"\n{current.share()}")
    if (
        keep
        and isinstance(current, Round)
        and current.secret is not None
        and (current.over or (typed == "give up" and current.state.turn))
    ):
        _save(current)


class _Helper:
    """Help without spoilers for a game."""

    def __init__(self, current: Round | JointRound) -> None:
        self._round = current
        self._turn, self._step = 0, 0

    def answer(self, typed: str) -> None:
        """Show the next hint, or the rating of a guess (`word?`), or how many words fit (`?`)."""
        from rich.text import Text

        from salet.cli.questions import REVEAL, Question, view
        from salet.cli.render.progress import live_progress
        from salet.coach.coach import AdviceOptions
        from salet.coach.hints import COUNT
        from salet.coach.position import Position
        from salet.game.joint_state import JointState

        state = self._round.state
        options = AdviceOptions(seconds=5.0)
        if self._turn != state.turn:
            self._turn, self._step = state.turn, 0
        idea = typed.removesuffix("?").strip()
        if typed == "hint":
            self._step = min(self._step + 1, REVEAL)
            question = Question(self._step)
        else:
            question = Question(idea=idea) if idea else Question(COUNT)
        try:
            with live_progress("looking"):
                answers: Iterator[Answer | JointAnswer] = (
                    question.joint_answers(self._coach, state, options)
                    if isinstance(state, JointState)
                    else question.answers(Position(self._coach, state), options)
                )
                *_, answer = answers
        except InputError as error:
            show(Text(f"   {error}", "red"))
        else:
            show(view(answer))

    @functools.cached_property
    def _coach(self) -> Coach:
        from salet.coach.coach import Coach

        return Coach(self._round.game)


def _save(current: Round) -> None:
    """Add the game to the history."""
    import datetime

    from salet.coach.game_history import add_games, game_from_round, history_path

    path = history_path()
    add_games(path, [game_from_round(current, datetime.date.today())])
    click.echo(f"saved to {path} (`salet history`)", err=True)


def _round(game: Game, answer: str | None, seed: int | None) -> Round:
    from salet.game.round import Round, draw_secret

    if game.host == "adversary":
        return Round(game)
    return Round(game, draw_secret(game, seed) if answer is None else game.answer_index(answer))


def _joint_round(game: Game, answer: str | None, seed: int | None) -> JointRound:
    from salet.game.round import JointRound, draw_secrets, named_secrets

    chosen = draw_secrets(game, seed) if answer is None else named_secrets(game, answer)
    return JointRound(game, chosen)


def _reveal(current: Round | JointRound) -> str:
    from salet.game.round import Round

    if isinstance(current, Round):
        return f"The answer was {current.answer.upper()}."
    return f"The answers were {' '.join(current.answers).upper()}."


def _show_letters(current: Round | JointRound) -> None:
    """Show the letters so far; with several boards all rows, board by board."""
    from salet.cli.render.board import alphabet, joint_board
    from salet.game.round import Round

    show(alphabet(current) if isinstance(current, Round) else joint_board(current.state))


def _ask(number: int) -> str | None:
    """Prompt for guess `number`; None at the end of input."""
    try:
        typed: str = click.prompt(f"{number}", prompt_suffix="> ", default="", show_default=False)
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            click.echo()
            return None
        raise
    return typed.strip().lower()


def _guess(current: Round | JointRound, typed: str) -> None:
    """Make a guess and show its feedback; a rejected word does not count."""
    from rich.text import Text

    from salet.cli.render.board import joint_row, row
    from salet.game.round import Round

    try:
        if current.game.index(typed) in current.state.guesses:
            raise InputError(f"you have tried {typed!r} already")
        feedback = current.guess(typed)
    except InputError as error:
        show(Text(f"   {error}", "red"))
    else:
        if isinstance(current, Round):
            show(Text("   ").append_text(row(current.game, typed, feedback)))
        else:
            show(joint_row(current.game, typed, feedback))
