"""The coach behind the API: questions of the page in, facts of the coach out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from pydantic import Field

from salet.coach.advice import Advice
from salet.coach.coach import AdviceOptions
from salet.coach.position import Position, read_position
from salet.web.remembered import Key
from salet.web.services import Services
from salet.web.shapes import GameName, Mode, Rows, Shape, Word

MOST_WORDS = 500
"""remaining answers that are listed by name; the count is always given"""

Seconds = Annotated[
    float, Field(gt=0, le=10, description="How long to tighten the bounds, at most.")
]


class SuggestRequest(Shape):
    """Where a game stands."""

    game: GameName = "nyt"
    mode: Mode = "normal"
    rows: Rows = Field(default_factory=list)
    objective: Literal["mean", "worst", "mean-then-worst", "win-then-mean"] = "mean"
    consider: Annotated[list[Word], Field(max_length=5, default_factory=list)]
    seconds: Seconds = 5.0


@dataclass(frozen=True)
class Question:
    """A request that makes sense: its position has been read."""

    asked: SuggestRequest
    position: Position
    key: Key
    """the same key, the same final advice"""


def question(services: Services, asked: SuggestRequest) -> Question:
    """Read the rows; raises what the coach says is wrong with them."""
    coach = services.catalogue.coach(asked.game, asked.mode)
    rows = [(row.guess, row.feedback) for row in asked.rows]
    position = read_position(coach, rows)
    game = coach.game
    for word in asked.consider:
        position.state.check(word)
    considered = tuple(game.guesses[game.index(word)] for word in asked.consider)
    key = (game.name, game.mode, asked.objective, considered, position.state.turns)
    return Question(asked, position, key)


def advise(services: Services, question: Question, stop: Callable[[], bool]) -> Iterator[Advice]:
    """Advice, ever tighter; at once and final where the question was answered before."""
    known = services.remembered.get(question.key)
    if known is not None:
        yield known
        return
    asked = question.asked
    options = AdviceOptions(
        objective=asked.objective,
        seconds=min(asked.seconds, services.settings.seconds),
        consider=tuple(asked.consider),
    )
    position = question.position
    for advice in position.coach.suggest(position, options, cancel=stop):
        short = msgspec.structs.replace(advice, words=advice.words[:MOST_WORDS])
        if short.complete:
            services.remembered.keep(question.key, short)
        yield short
