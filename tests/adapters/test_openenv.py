"""OpenEnv's own server and client play the game, on loopback."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from openenv.core.generic_client import GenericEnvClient

from salet import Game
from salet.env.adapters.openenv import GuessAction, OpenEnvGame, app

SMALL = "original:first=40,guesses=answers"


@contextlib.contextmanager
def serving(**task) -> Iterator[str]:
    """The application on a free port."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app(**task), log_level="error"))
    ready = threading.Event()
    start = server.startup

    async def startup(sockets=None) -> None:
        await start(sockets=sockets)
        ready.set()

    server.startup = startup
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert ready.wait(60)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@contextlib.contextmanager
def playing(**task) -> Iterator[tuple[Any, Any]]:
    """Two clients of one server."""
    with (
        serving(**task) as url,
        GenericEnvClient(base_url=url).sync() as first,
        GenericEnvClient(base_url=url).sync() as second,
    ):
        yield first, second


def test_a_client_plays_whole_games() -> None:
    game = Game.named(SMALL)
    with playing(game=SMALL, split="all", reward="guesses") as (client, _):
        for answer in game.answers[:3]:
            result = client.reset(answer=answer)
            assert "secret word of 5 letters" in result.observation["message"]
            assert not result.done
            result = client.step({"word": "nonsense"})
            assert result.observation["illegal"] and result.reward == -1
            for word in game.answers:
                if result.done:
                    break
                result = client.step({"word": word})
                assert answer not in result.observation["message"] or word == answer
            assert result.done and result.observation["won"]
            state = client.state()
            assert state["illegal_count"] == 1 and state["guesses"][0] == game.answers[0]
            assert answer in state["guesses"]


def test_seeds_and_clients_of_their_own() -> None:
    with playing(tasks="original", reward="win") as clients:
        said = []
        for client in clients:
            client.reset(seed=5)
            said.append(client.step({"word": "salet"}).observation["message"])
        assert said[0] == said[1]
        clients[0].step({"word": "crane"})
        assert [client.state()["step_count"] for client in clients] == [2, 1]


def test_what_is_wrong_is_told() -> None:
    message = "unknown task set 'nyc'; did you mean 'nyt'"
    with playing() as (client, _), pytest.raises(Exception, match=message):
        client.reset(tasks="nyc")


def test_without_a_server() -> None:
    env = OpenEnvGame(tasks="mastermind", reward="win")
    assert env.state.step_count == 0
    env.reset(seed=1, episode_id="mine")
    said = env.step(GuessAction(word="1122"))
    assert "in the right position" in said.message
    assert env.state.episode_id == "mine" and env.state.guesses == ("1122",)


def test_several_boards() -> None:
    env = OpenEnvGame(tasks="original-boards-2")
    env.reset(answer="crane/humid")
    said = env.step(GuessAction(word="crane"))
    assert said.message.startswith("c r a n e\nboard 1: G G G G G\n") and said.reward == -1
    said = env.step(GuessAction(word="humid"))
    assert said.done and said.won
    assert env.state.patterns == ("GGGGG/BBBBB", "-/GGGGG")
