"""A game against a secret that a number names. The number is in the link, so friends can play the
same word; the secret itself leaves the server only at the end."""

from __future__ import annotations

from salet.errors import InputError, RowError
from salet.game.game import Game
from salet.game.round import Round, draw_secret
from salet.web.shapes import PlayRequest, PlayState, Row


def play(game: Game, asked: PlayRequest) -> PlayState:
    """Replay the guesses; names the first that is refused."""
    current = Round(game, draw_secret(game, asked.number))
    for number, guess in enumerate(asked.guesses, 1):
        try:
            _refuse_repetition(current, guess)
            current.guess(guess)
        except InputError as error:
            raise RowError(number, str(error)) from None
    over = current.over or asked.give_up
    return PlayState(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        number=asked.number,
        rows=[Row(guess=guess, feedback=feedback) for guess, feedback in current.state.turns],
        won=current.won,
        over=over,
        answer=game.guesses[current.secret] if over else None,
        remaining=len(current.state.candidates),
        share=current.share() if over else None,
    )


def _refuse_repetition(current: Round, guess: str) -> None:
    place = current.game.index(guess)
    if any(place == earlier for earlier, _ in current.state.history):
        raise InputError(f"you have tried {guess!r} already")
