"""Analysis behind the API: what was pasted in, what the guesses were worth out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import msgspec
from pydantic import BaseModel, Field, create_model

from salet.coach.grid_inference import GridReading, infer_words
from salet.coach.grids import Grid
from salet.errors import InputError
from salet.web.coaching import MOST_WORDS, Seconds
from salet.web.mirror import shape_of
from salet.web.paste import read_paste
from salet.web.services import Services
from salet.web.shapes import GameName, Mode, Shape, Word

MOST_TEXT = 20_000
"""characters of a paste; a game is a few hundred"""

Answer = Annotated[Word | None, Field(description="The answer, where the last word is not.")]


class AnalyseRequest(Shape):
    """A game as it was pasted: words, a share grid, or both."""

    game: GameName = "nyt"
    mode: Mode = Field("normal", description="A grid marked with * counts as hard.")
    text: Annotated[
        str,
        Field(min_length=1, max_length=MOST_TEXT, examples=["salet acorn grand", "🟨⬛⬛🟩⬛"]),
    ]
    answer: Answer = None
    seconds: Seconds = 10.0


class WhatIfRequest(Shape):
    """Another guess in one turn of a game."""

    game: GameName = "nyt"
    mode: Mode = "normal"
    words: Annotated[list[Word], Field(min_length=1, max_length=60)]
    turn: Annotated[int, Field(ge=1, le=60, description="The turn, from 1.")]
    guess: Word
    answer: Answer = None
    seconds: Seconds = 5.0


class PricedTurn(Shape):
    """One guess of a game; expected numbers are guesses still to come."""

    guess: str
    feedback: str
    best: str
    expected_before: float
    expected_after: float
    losses_before: float
    losses_after: float
    lost: float = Field(description="What the guess cost against the best.")
    luck: float = Field(description="What the feedback brought: expected minus obtained.")
    lost_games: float
    luck_games: float
    remaining_before: int
    remaining_after: int
    proven: bool
    explanation: str


class PricedGame(Shape):
    """What the guesses of a game were worth."""

    game: str
    mode: str
    cap: int | None
    answer: str
    won: bool
    over: bool
    turns: list[PricedTurn]
    lost: float
    luck: float
    lost_games: float
    luck_games: float
    score: int
    formula: str
    proven: bool
    notes: list[str]
    summary: str = Field(description="To share: count, score, luck and grid, without a word.")


class OtherGuess(Shape):
    """What another guess would have been worth."""

    turn: int
    guess: str
    feedback: str
    expected_before: float
    expected_after: float
    lost: float
    luck: float
    lost_games: float
    luck_games: float
    remaining_after: int
    words: list[str]
    next: str | None
    proven: bool
    explanation: str


_FIELDS: dict[str, Any] = {
    "words": (list[str], ...),
    "analysis": (PricedGame | None, ...),
    "behind": (shape_of(GridReading) | None, ...),
}
Analysed: type[BaseModel] = create_model(
    "Analysed",
    __base__=Shape,
    __doc__="The game priced, or, where only a grid was pasted, the likeliest words behind it.",
    **_FIELDS,
)


def analysed(
    services: Services, asked: AnalyseRequest, stop: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """One result: the fields of `Analysed`."""
    coach = services.catalogue.coach(asked.game, asked.mode)
    paste = read_paste(asked.text, coach.game)
    if not paste.words and paste.grid is None:
        raise InputError("there is no word and no square in the text; paste a game")
    if paste.grid is not None and paste.grid.hard and asked.mode == "normal":
        coach = services.catalogue.coach(asked.game, "hard")
    if not paste.words:
        assert isinstance(paste.grid, Grid)
        reading = infer_words(coach, paste.grid, asked.answer)
        yield {"words": [], "analysis": None, "behind": msgspec.to_builtins(reading)}
        return
    found = coach.analyse(
        paste.words,
        answer=asked.answer,
        grid=paste.grid,
        seconds=min(asked.seconds, services.settings.seconds),
        cancel=stop,
    )
    words = [turn.guess for turn in found.turns]
    yield {"words": words, "analysis": found.to_dict(), "behind": None}


def otherwise(
    services: Services, asked: WhatIfRequest, stop: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """One result: the fields of `OtherGuess`."""
    found = services.catalogue.coach(asked.game, asked.mode).what_if(
        asked.words,
        asked.turn,
        asked.guess,
        answer=asked.answer,
        seconds=min(asked.seconds, services.settings.seconds),
        cancel=stop,
    )
    fields = found.to_dict()
    yield {**fields, "words": fields["words"][:MOST_WORDS]}
