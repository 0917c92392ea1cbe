"""The tool server, driven by the protocol package's own client: in process and over pipes."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp import Client, StdioServerParameters, stdio_client
from salet import Game
from salet.mcp import tools as tools_module
from salet.mcp.server import MAX_CALLS, make_server
from salet.mcp.tools import TOOLS, Tools

SMALL = "original:first=40,guesses=answers"


def session(talk: Callable[[Client], Awaitable[None]], tools: Tools | None = None) -> None:
    async def run() -> None:
        async with Client(make_server(tools)) as client:
            await talk(client)

    asyncio.run(run())


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refusal(client: Client, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    assert result.is_error
    text = result.content[0].text
    assert "\n" not in text and "Traceback" not in text
    return text


def test_every_tool_has_a_description_and_a_schema() -> None:
    async def talk(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == list(TOOLS)
        for tool in listed:
            assert tool.description
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.input_schema["type"] == "object"
            for parameter in tool.input_schema["properties"].values():
                assert "description" in parameter, (tool.name, parameter)

    session(talk)


def test_a_game_is_played_and_analysed() -> None:
    async def talk(client: Client) -> None:
        started = await call(client, "start_game", game=SMALL, seed=4)
        assert "secret word of 5 letters" in started["rules"]
        game = Game.named(SMALL)
        over, made = False, 0
        for word in game.answers:
            assert "answer" not in started
            said = await call(client, "guess", id=started["id"], word=word)
            made += 1
            assert ("answer" in said) == said["over"]
            if said["over"]:
                over = True
                break
        assert over and made <= 6
        found = await call(client, "analyse_game", id=started["id"], seconds=30)
        assert found["answer"] == said["answer"]
        assert len(found["turns"]) == made
        late = await refusal(client, "guess", id=started["id"], word="aback")
        assert late == "The game is over; no guess counts any more."

    session(talk)


def test_seeds_draw_the_same_secret_and_no_message_tells_it_early() -> None:
    async def talk(client: Client) -> None:
        game = Game.named("original")
        said = []
        for _ in range(2):
            started = await call(client, "start_game", game="original", seed=5)
            first = await call(client, "guess", id=started["id"], word="salet")
            said.append(first["feedback"])
            answer = None
            for word in ("qajaq", "fuzzy", "mamma", "vivid", "pygmy"):
                last = await call(client, "guess", id=started["id"], word=word)
                answer = last.get("answer")
            assert answer in game.answers
            assert answer not in json.dumps([started, first])
        assert said[0] == said[1]

    session(talk)


def test_the_coach_answers() -> None:
    async def talk(client: Client) -> None:
        assert await call(client, "score", guess="error", answer="heron") == {"feedback": "YBGGB"}
        listed = await call(client, "list_games")
        assert "original" in [row["name"] for row in listed["games"]]
        advice = await call(
            client, "suggest", game="original", rows="salet:bybyb nymph:ybbbb", seconds=30
        )
        assert advice["proven"] and len(advice["suggestions"]) <= 5
        solved = await call(client, "solve", game="original", rows="salet:bybyb", seconds=30)
        assert solved["proven"] and solved["answers"] == 83
        best = await call(
            client,
            "rate_guess",
            game="original",
            rows="salet:bybyb",
            guess=solved["guess"],
            seconds=30,
        )
        assert best["lost"] == 0 and best["proven"]
        poor = await call(
            client, "rate_guess", game="original", rows="salet:bybyb", guess="fuzzy", seconds=30
        )
        assert poor["lost"] > 0.5 and poor["best_expected"] == pytest.approx(solved["mean"])
        found = await call(client, "analyse_game", game="original", words=["salet", "crane"])
        assert found["answer"] == "crane"

    session(talk)


def test_several_boards_are_played_advised_and_analysed() -> None:
    small = "original:first=40,guesses=answers,boards=2"

    async def talk(client: Client) -> None:
        started = await call(client, "start_game", game=small, seed=4)
        assert "Find the 2 secret words" in started["rules"] and started["guesses_left"] == 7
        said: dict[str, Any] = {"rows": "", "over": False}
        while not said["over"]:
            assert "answer" not in said
            advice = await call(client, "suggest", game=small, rows=said["rows"], count=3)
            assert 1 <= len(advice["suggestions"]) <= 3 and len(advice["remaining"]) == 2
            rated = await call(
                client, "rate_guess", game=small, rows=said["rows"], guess=advice["guess"]
            )
            assert rated["lost"] == pytest.approx(0, abs=0.2)
            said = await call(client, "guess", id=started["id"], word=advice["guess"])
        assert said["won"] and "/" in said["answer"] and said["feedback"].endswith("GGGGG")
        found = await call(client, "analyse_game", id=started["id"], seconds=30)
        assert found["won"] and len(found["turns"]) == len(said["rows"].split())
        words = [row.partition(":")[0] for row in said["rows"].split()]
        again = await call(
            client, "analyse_game", game=small, words=words, answer=said["answer"], seconds=30
        )
        assert again["turns"] == found["turns"]
        refused = await refusal(client, "solve", game=small)
        assert "has 2 boards, and this is for one" in refused

    session(talk)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("start_game", {"game": 3}, "start_game: argument game: expected str, got int"),
        ("start_game", {"gme": "nyt"}, "start_game: object contains unknown field gme"),
        ("start_game", {"game": "orignal"}, "unknown game 'orignal'; did you mean 'original'"),
        ("start_game", {"game": "zzz"}, "unknown game 'zzz'; see the tool list_games"),
        ("start_game", {"game": "x" * 81}, "expected str of length <= 80"),
        ("start_game", {"mode": "hrad"}, "unknown mode 'hrad'; did you mean 'hard'"),
        ("start_game", {"cap": 0}, "a cap of 0 allows no guess"),
        ("start_game", {"seed": -1}, "seed -1 is negative"),
        ("start_game", {"game": "mastermind:5x9"}, "pairs of guess and answer; games of up to"),
        ("guess", {"id": "nope", "word": "crane"}, "there is no game 'nope'"),
        ("guess", {"word": "crane"}, "guess: object missing required field id"),
        ("guess", {"id": "a", "word": ["crane"]}, "argument word: expected str, got array"),
        ("score", {"guess": "crane", "answer": "cranes"}, "must have the same length"),
        ("suggest", {"rows": "crane"}, "row 1 'crane' has no feedback"),
        ("suggest", {"rows": "salet:ggggg"}, "has found the answer"),
        ("suggest", {"seconds": 31}, "argument seconds: expected float <= 30.0"),
        ("suggest", {"seconds": "fast"}, "argument seconds: expected float, got str"),
        ("suggest", {"objective": "meen"}, "unknown objective 'meen'; did you mean 'mean'"),
        ("rate_guess", {"guess": "xyzzy", "game": "original"}, "unknown word 'xyzzy'"),
        ("analyse_game", {}, "give the id of a game, or its words"),
        ("analyse_game", {"words": ["crane", "xyzzy"]}, "all the same: argument answer: xyzzy)"),
        ("analyse_game", {"words": ["crane"] * 65}, "expected array of length <= 64"),
        ("solve", {"rows": "crane:ggggg", "game": "original"}, "nothing left to solve"),
        ("slove", {}, "unknown tool 'slove'; did you mean 'solve'"),
    ],
)  # fmt: skip
def test_wrong_calls_are_answered_with_one_line(tool, arguments, message) -> None:
    async def talk(client: Client) -> None:
        assert message in await refusal(client, tool, **arguments)
        assert await call(client, "score", guess="crane", answer="crane")  # and it goes on

    session(talk)


def test_an_illegal_guess_costs_nothing_and_an_unfinished_game_is_not_analysed() -> None:
    async def talk(client: Client) -> None:
        started = await call(client, "start_game", game="original", seed=1)
        said = await refusal(client, "guess", id=started["id"], word="xyzzy")
        assert (
            said == "'xyzzy' is not in the list; give a common one with 5 letters. 6 guesses left."
        )
        unfinished = await refusal(client, "analyse_game", id=started["id"])
        assert unfinished == f"game {started['id']!r} is not over; finish it first"

    session(talk)


def test_old_games_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_module, "MAX_SESSIONS", 2)

    async def talk(client: Client) -> None:
        ids = [(await call(client, "start_game", game=SMALL))["id"] for _ in range(3)]
        assert "there is no game" in await refusal(client, "guess", id=ids[0], word="aback")
        assert await call(client, "guess", id=ids[2], word="aback")

    session(talk)


def test_many_calls_at_once_and_a_crash_is_no_leak() -> None:
    class Broken(Tools):
        def score(self, asked, cancel):
            raise RuntimeError("the secret is crane")

    async def talk(client: Client) -> None:
        calls = [call(client, "list_games") for _ in range(3 * MAX_CALLS)]
        assert len(await asyncio.gather(*calls)) == 3 * MAX_CALLS
        with pytest.raises(Exception) as caught:
            await client.call_tool("score", {"guess": "a", "answer": "b"})
        assert "crane" not in str(caught.value)

    session(talk, Broken())


def test_the_command_speaks_over_pipes() -> None:
    command = shutil.which("salet", path=str(Path(sys.executable).parent))
    assert command is not None

    async def run() -> None:
        transport = stdio_client(StdioServerParameters(command=command, args=["mcp"]))
        async with Client(transport) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
            assert await call(client, "score", guess="error", answer="heron")
            assert "unknown tool" in await refusal(client, "nothing")

    asyncio.run(run())
