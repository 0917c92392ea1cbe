"""The routes of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse

from salet.coach.advice import Advice
from salet.errors import InputError, SaletError
from salet.game.modes import MODES, check_mode
from salet.search.shipped import shipped_names
from salet.version import version
from salet.web.analysing import (
    Analysed,
    AnalyseRequest,
    OtherGuess,
    WhatIfRequest,
    analysed,
    otherwise,
)
from salet.web.catalogue import has_plan, has_tiles, offered
from salet.web.coaching import Question, SuggestRequest, advise, question
from salet.web.explore import OpenerSplit, PlanFacts, PlanNode, WordPath, opener_split
from salet.web.lab import Lab, lab
from salet.web.mirror import shape_of
from salet.web.play import play
from salet.web.pool import BusyError, last
from salet.web.services import Services
from salet.web.shapes import (
    Feedback,
    GameFacts,
    GameList,
    GameName,
    ListedGame,
    Mode,
    PlayRequest,
    PlayState,
    Problem,
    Word,
)

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in {
        404: "There is no such game.",
        408: "The request did not arrive in time.",
        413: "The request is too large.",
        422: "Something in the request is wrong; the sentence says what.",
    }.items()
}
BUSY: dict[int | str, dict[str, Any]] = {
    429: {"model": Problem, "description": "One client asks for too much at once."},
    503: {"model": Problem, "description": "The queue is full."},
}

EVENTS = "text/event-stream"

router = APIRouter(responses=PROBLEMS)


def problem(error: Exception) -> dict[str, Any]:
    """The fields of a Problem."""
    return {"detail": str(error), "row": getattr(error, "row", None)}


def services_of(request: Request) -> Services:
    """What the application keeps for its routes."""
    found: Services = request.app.state.services
    return found


With = Annotated[Services, Depends(services_of)]
GameQuery = Annotated[GameName, Query()]
ModeQuery = Annotated[Mode, Query()]


@router.get("/games", tags=["games"])
def games() -> GameList:
    """The games that the page offers."""
    listed = [ListedGame(name=name, summary=summary) for name, summary in offered()]
    return GameList(games=listed, version=version())


@router.get("/game", tags=["games"])
def game(services: With, game: GameQuery = "nyt", mode: ModeQuery = "normal") -> GameFacts:
    """What a page must know to show a game."""
    found = services.catalogue.game(game, mode)
    return GameFacts(
        name=found.name,
        mode=found.mode,
        answers=found.answer_count,
        guesses=len(found.guesses),
        length=found.length,
        cap=found.cap,
        rule=found.rule.name,
        tiles=has_tiles(found),
        alphabet=list(found.lexicon.alphabet),
        modes=[name for name in MODES if _supports(found.rule, name)],
        plan=has_plan(found),
    )


def _supports(rule: Any, mode: str) -> bool:
    try:
        check_mode(mode, rule)
    except InputError:
        return False
    return True


@router.post("/play", tags=["play"])
def play_game(services: With, asked: PlayRequest) -> PlayState:
    """Play a whole game so far against the secret that a number names."""
    return play(services.catalogue.game(asked.game, asked.mode), asked)


def question_of(services: With, asked: SuggestRequest) -> Question:
    """The question, read before anything is answered: what is wrong is said with a status."""
    return question(services, asked)


async def seat(services: With, request: Request) -> AsyncIterator[None]:
    """A place in the queue, until the answer is out."""
    with services.pool.seat(request.client.host if request.client else ""):
        yield


Asked = Annotated[Question, Depends(question_of)]


@router.post(
    "/suggest",
    tags=["coach"],
    dependencies=[Depends(seat)],
    responses=BUSY,
    response_model=shape_of(Advice),
)
async def suggest(services: With, asked: Asked, request: Request) -> Any:
    """The best next guess: what is known when it is proven, or when time is over."""
    results = services.pool.stream(lambda stop: advise(services, asked, stop))
    return (await last(results, request)).to_dict()


@router.post(
    "/suggest/stream",
    tags=["coach"],
    dependencies=[Depends(seat)],
    responses={**BUSY, 200: {"content": {EVENTS: {"schema": {"type": "string"}}}}},
    response_class=StreamingResponse,
)
async def suggest_live(services: With, asked: Asked) -> StreamingResponse:
    """The best next guess, ever better known: events `advice`, and `problem` if something fails."""
    headers = {"cache-control": "no-store"}
    return StreamingResponse(_events(services, asked), media_type=EVENTS, headers=headers)


async def _events(services: Services, asked: Question) -> AsyncIterator[bytes]:
    try:
        results = services.pool.stream(lambda stop: advise(services, asked, stop))
        async with aclosing(results):
            async for advice in results:
                yield b"event: advice\ndata: " + msgspec.json.encode(advice) + b"\n\n"
    except (SaletError, BusyError) as error:
        yield b"event: problem\ndata: " + msgspec.json.encode(problem(error)) + b"\n\n"


@router.post(
    "/analyse",
    tags=["coach"],
    dependencies=[Depends(seat)],
    responses=BUSY,
    response_model=Analysed,
)
async def analyse(services: With, asked: AnalyseRequest, request: Request) -> Any:
    """What the guesses of a game were worth: skill and luck, turn by turn."""
    return await last(services.pool.stream(lambda stop: analysed(services, asked, stop)), request)


@router.post(
    "/what-if",
    tags=["coach"],
    dependencies=[Depends(seat)],
    responses=BUSY,
    response_model=OtherGuess,
)
async def what_if(services: With, asked: WhatIfRequest, request: Request) -> Any:
    """What another guess would have been worth in one turn of a game."""
    return await last(services.pool.stream(lambda stop: otherwise(services, asked, stop)), request)


@router.get("/plans", tags=["explore"])
def plans(services: With) -> list[PlanFacts]:
    """The proven plans that come with salet."""
    return [services.walk(game, mode).facts() for game, mode in shipped_names()]


@router.get("/plans/node", tags=["explore"])
def plan_node(
    services: With,
    game: GameQuery = "original",
    mode: ModeQuery = "normal",
    feedback: Annotated[list[Feedback] | None, Query(max_length=40)] = None,
) -> PlanNode:
    """The node of a plan after this feedback to each of its guesses."""
    return services.walk(game, mode).node(feedback or [])


@router.get("/plans/path", tags=["explore"])
def plan_path(
    services: With,
    word: Annotated[Word, Query()],
    game: GameQuery = "original",
    mode: ModeQuery = "normal",
) -> WordPath:
    """How a plan finds an answer."""
    return services.walk(game, mode).path(word)


@router.get("/openers", tags=["explore"])
def opener(
    services: With,
    word: Annotated[Word, Query()],
    game: GameQuery = "original",
    mode: ModeQuery = "normal",
) -> OpenerSplit:
    """How a first guess splits all answers."""
    return opener_split(services.catalogue.game(game, mode), word)


@router.get("/lab", tags=["lab"])
def stored_results() -> Lab:
    """Stored benchmark results."""
    return lab()
