"""The arguments of each tool: types, defaults and limits, from which its schema is generated."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from salet.errors import InputError

MAX_SECONDS = 30.0

GameName = Annotated[
    str,
    Meta(
        max_length=80,
        description="A game by name, such as nyt, original, original:boards=4 or "
        "mastermind:4x6; see list_games.",
    ),
]
Mode = Annotated[
    str, Meta(max_length=10, description="Which guesses are legal: normal, hard or strict.")
]
Cap = Annotated[
    int | None,
    Meta(description="Maximum number of guesses; null for the game's own."),
]
Rows = Annotated[
    str,
    Meta(
        max_length=1000,
        description="Guesses and feedback so far, as 'crane:bybbg slate:bbgby' (b grey, y yellow, "
        "g green) or '1122:1,2' (black, white); with several boards a field for each, "
        "'crane:bybbg/-/ggggg' (- for one that was solved before); empty at the start.",
    ),
]
Word = Annotated[str, Meta(max_length=64, description="A word.")]
Text = Annotated[str, Meta(max_length=1000)]
GameId = Annotated[str, Meta(max_length=20, description="The id that start_game returned.")]
Seconds = Annotated[
    float, Meta(gt=0, le=MAX_SECONDS, description="Time limit; what is known by then is returned.")
]


class Request(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The arguments of a tool."""


class ListGames(Request):
    """List the games that can be played, with their sizes."""


class StartGame(Request):
    """Start a game against a secret and return its id and rules; then call `guess`."""

    game: GameName = "nyt"
    mode: Mode = "normal"
    cap: Cap = None
    seed: Annotated[
        int | None, Meta(description="Draws the same secret again; null draws a new one.")
    ] = None


class Guess(Request):
    """Make a guess in a game that was started, and return the feedback."""

    id: GameId
    word: Word


class Score(Request):
    """The feedback to a guess, given the answer."""

    guess: Word
    answer: Word
    rule: Annotated[str, Meta(max_length=20, description="standard, present or pegs.")] = "standard"


class PositionRequest(Request):
    """A position of a game."""

    rows: Rows = ""
    game: GameName = "nyt"
    mode: Mode = "normal"
    cap: Cap = None


class Suggest(PositionRequest):
    """The best next guesses after some rows, each with bounds on its expected number of guesses."""

    count: Annotated[int, Meta(ge=1, le=20, description="Number of guesses to list.")] = 5
    objective: Annotated[
        str, Meta(max_length=20, description="mean, worst, mean-then-worst or win-then-mean.")
    ] = "mean"
    seconds: Seconds = 5.0


class RateGuess(PositionRequest, kw_only=True):
    """How good a guess is: what it loses against the best one, in the mean over what is left."""

    guess: Word
    seconds: Seconds = 5.0


class AnalyseGame(Request):
    """Skill and luck of a finished game, turn by turn: one played here, or any other."""

    id: Annotated[GameId | None, Meta(description="A game that was played here.")] = None
    words: Annotated[
        list[Word], Meta(max_length=64, description="The guesses of any other game, in order.")
    ] = msgspec.field(default_factory=list)
    answer: Annotated[
        Text | None,
        Meta(
            description="The answer, if the last of the words is not; of several boards all, "
            "'crane/slate'."
        ),
    ] = None
    game: GameName = "nyt"
    mode: Mode = "normal"
    cap: Cap = None
    seconds: Seconds = 10.0


class Solve(PositionRequest):
    """The best guess after some rows, proven, or the bounds that the time limit allowed."""

    objective: Annotated[
        str, Meta(max_length=20, description="mean, worst, mean-then-worst or win-then-mean.")
    ] = "mean"
    seconds: Seconds = 10.0


R = TypeVar("R", bound=Request)


def read_request(kind: type[R], name: str, arguments: Any) -> R:
    """The arguments of a tool, checked; the error is one line that says what is wrong."""
    try:
        return msgspec.convert(arguments or {}, kind)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).replace("`", "").partition(" - at $.")
        where = f" argument {place}:" if place else ""
        raise InputError(
            f"{name}:{where} {problem[:1].lower()}{problem[1:]}; see the tool's schema"
        ) from None


def schema_of(kind: type[Request]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    defined = msgspec.json.schema(kind).get("$defs", {}).get(kind.__name__, schema)
    return {key: value for key, value in defined.items() if key not in ("title", "description")}
