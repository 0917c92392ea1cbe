"""What goes over the wire: the requests and answers of the API, as OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

GameName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="A game of /api/games, or any name that `--game` takes.",
        examples=["nyt", "original", "mastermind:4x6"],
    ),
]
Mode = Annotated[Literal["normal", "hard", "strict"], Field(description="Which guesses are legal.")]
Word = Annotated[str, Field(min_length=1, max_length=64, examples=["crane"])]
Feedback = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="Tiles as G, Y and B (or squares, or 0 1 2); black and white pegs as '1,2'.",
        examples=["BYBBG"],
    ),
]
PuzzleNumber = Annotated[
    int, Field(ge=0, le=2**53 - 1, description="Names the secret: the same number, the same word.")
]


class Shape(BaseModel):
    """Nothing but the listed fields."""

    model_config = ConfigDict(extra="forbid")


class Problem(Shape):
    """Why there is no result, in one sentence."""

    detail: str
    row: int | None = Field(None, description="The row (from 1) that it is about.")


class Row(Shape):
    """A guess and what the game answered."""

    guess: Word
    feedback: Feedback


Rows = Annotated[list[Row], Field(max_length=40)]


class ListedGame(Shape):
    """A game that the page offers."""

    name: str
    summary: str


class GameList(Shape):
    """The games that the page offers; others can be named."""

    games: list[ListedGame]
    version: str


class GameFacts(Shape):
    """What the page must know to show a game."""

    name: str
    mode: str
    answers: int
    guesses: int
    length: int
    cap: int | None
    rule: str
    tiles: bool = Field(description="Does every letter get a colour, or is feedback two counts?")
    alphabet: list[str]
    modes: list[str] = Field(description="The modes that the feedback rule supports.")
    plan: bool = Field(description="Is there a shipped plan for this game and mode?")


class PlayRequest(Shape):
    """A game so far. The server keeps no games: every request tells the whole one."""

    game: GameName = "nyt"
    mode: Mode = "normal"
    number: PuzzleNumber
    guesses: Annotated[list[Word], Field(max_length=60)] = []
    give_up: bool = Field(False, description="End the game and show the secret.")


class PlayState(Shape):
    """The game after the last guess."""

    game: str
    mode: str
    cap: int | None
    number: int
    rows: list[Row]
    won: bool
    over: bool
    answer: str | None = Field(description="The secret, once the game is over.")
    remaining: int = Field(description="Answers that fit all feedback.")
    share: str | None = Field(description="The grid to post, once the game is over.")
