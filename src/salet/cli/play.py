"""`salet play`: a real game in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, seed_option
from salet.cli.show import console, tiles
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.round import Round


@click.command(
    epilog=examples("salet play", "salet play --hard --game original", "salet play --seed 7",
                    "salet play --game mastermind:4x6")
)  # fmt: skip
@click.option("--answer", metavar="WORD", help="The secret, to play it with somebody else.")
@seed_option(None)
@game_options("nyt")
def command(choice: GameChoice, answer: str | None, seed: int | None) -> None:
    """Play a game: type a word, read its tiles, find the secret.

    [G] is green: right letter, right place; (Y) is yellow: right letter, wrong place. An empty
    line shows the letters so far, `?` how many answers remain, `give up` the secret.
    """
    from salet.game.round import Round, draw_secret

    game = choice.open()
    secret = draw_secret(game, seed) if answer is None else game.answer_index(answer)
    current = Round(game, secret)
    out = console()
    limit = "as many guesses as you like" if game.cap is None else f"{game.cap} guesses"
    out.print(
        f"[bold]{game.name}[/]: {game.answer_count} answers of {game.length} letters, "
        f"{limit}, {game.mode} mode. Ctrl-D ends."
    )
    while not current.over:
        typed = _ask(current.state.turn + 1)
        if typed is None or typed == "give up":
            out.print(f"The answer was [bold]{game.guesses[secret].upper()}[/].")
            return
        if typed == "?":
            out.print(f"{len(current.state.candidates)} answers remain.")
        elif not typed:
            out.print(_letters(current))
        else:
            _turn(current, typed, out)
    if current.won:
        out.print(f"Found in {current.state.turn}.")
    else:
        out.print(f"The answer was [bold]{game.guesses[secret].upper()}[/].")
    out.print()
    click.echo(current.share())


def _ask(number: int) -> str | None:
    try:
        typed: str = click.prompt(f"{number}", prompt_suffix="> ", default="", show_default=False)
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            click.echo()
            return None
        raise
    return typed.strip().lower()


def _turn(current: Round, typed: str, out: Any) -> None:
    from salet.game.notation import TILES

    try:
        if any(current.game.index(typed) == earlier for earlier, _ in current.state.history):
            raise InputError(f"you have tried {typed!r} already")
        feedback = current.guess(typed)
    except InputError as error:  # a word that is refused costs nothing
        out.print(f"   {error}", style="red")
        return
    if current.game.rule.notation is TILES:
        out.print("  ", tiles(typed, feedback))
    else:
        black, white = feedback.split(",")
        out.print(f"   {typed}  {black} right, {white} in the wrong place")


def _letters(current: Round) -> Any:
    """The alphabet, each letter with the best that is known of it."""
    from rich.text import Text

    from salet.game.notation import TILES
    from salet.game.notation import tiles as colours

    game = current.game
    best: dict[int, int] = {}
    if game.rule.notation is TILES:
        for guess, code in current.state.history:
            for letter, colour in zip(
                game.lexicon.codes[guess], colours(code, game.length), strict=True
            ):
                best[int(letter)] = max(best.get(int(letter), 0), colour)
    line = Text("   ")
    for place, letter in enumerate(game.lexicon.alphabet):
        if place not in best:
            line.append(letter)
        else:
            line.append_text(tiles(letter, "BYG"[best[place]]))
        line.append(" ")
    return line
