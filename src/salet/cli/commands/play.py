"""`salet play`: a game in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from salet.cli.options import GameChoice, examples, game_options, seed_option
from salet.cli.render.console import show
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.round import Round


@click.command(
    epilog=examples("salet play", "salet play --hard --seed 7", "salet play --game mastermind:4x6")
)
@click.option("--answer", metavar="WORD", show_default="drawn at random",
              help="The secret, for somebody else to find.")  # fmt: skip
@seed_option(None)
@game_options()
def command(choice: GameChoice, answer: str | None, seed: int | None) -> None:
    """Play a game: type words, read their tiles, find the secret.

    [X] is green: right letter, right place; (X) is yellow: right letter, wrong place. An empty
    line shows the letters so far, `?` how many answers remain, `give up` the secret.
    """
    from salet.cli.render.board import alphabet
    from salet.cli.render.games import headline
    from salet.game.round import Round, draw_secret

    game = choice.open()
    secret = draw_secret(game, seed) if answer is None else game.answer_index(answer)
    current = Round(game, secret)
    show(headline(game).append(f", {game.length} letters. Ctrl-D ends."))
    while not current.over:
        typed = _ask(current.state.turn + 1)
        if typed is None or typed == "give up":
            break
        if typed == "?":
            show(f"{len(current.state.candidates)} answers remain.")
        elif not typed:
            show(alphabet(current))
        else:
            _guess(current, typed)
    if current.won:
        show(f"Found in {current.state.turn}.")
    else:
        show(f"The answer was {game.guesses[secret].upper()}.")
    if current.over:
        click.echo(f"\n{current.share()}")


def _ask(number: int) -> str | None:
    """What is typed as guess `number`; None at the end of input."""
    try:
        typed: str = click.prompt(f"{number}", prompt_suffix="> ", default="", show_default=False)
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            click.echo()
            return None
        raise
    return typed.strip().lower()


def _guess(current: Round, typed: str) -> None:
    """Make a guess and show its feedback; a word that is refused costs nothing."""
    from rich.text import Text

    from salet.cli.render.board import row

    try:
        if any(current.game.index(typed) == earlier for earlier, _ in current.state.history):
            raise InputError(f"you have tried {typed!r} already")
        feedback = current.guess(typed)
    except InputError as error:
        show(Text(f"   {error}", "red"))
    else:
        show(Text("   ").append_text(row(current.game, typed, feedback)))
