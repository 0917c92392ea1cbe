"""Load on the assistant: `python benchmarks/web.py`, two minutes.

Fifty clients at once, on one server with its own default settings, ask for advice as the page does:
each opens a live question about a state of a shipped plan, reads the first advice, looks at it for
a moment while it gets better, and goes on to the next state of its game. Measured is the time until
the first advice is whole, which for these states holds the proven best guess. Memory is that of the
server, every second.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from record import store

from salet.game.game import Game
from salet.search.shipped import shipped_names, shipped_plan

CLIENTS = 50
SECONDS = 60.0
LOOK = 0.5
"""seconds that a client looks at its advice before it goes on"""
SEED = 0


@dataclass
class Seen:
    """What the clients met."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)


def games() -> list[tuple[dict[str, Any], list[str], list[str]]]:
    """Of every plan: how to ask, and every answer's guesses and feedback."""
    found = []
    for name, mode in shipped_names():
        game = Game.named(name, mode=mode)
        plan = shipped_plan(game)
        assert plan is not None
        for secret, guesses in zip(game.answers, plan.games(), strict=True):
            feedback = [game.feedback(guess, secret) for guess in guesses]
            found.append(({"game": name, "mode": mode}, guesses, feedback))
    return found


async def client(number: int, address: str, played: list[Any], seen: Seen, end: float) -> None:
    """Game after game, each a surprise, until time is over."""
    draw = random.Random(SEED + number)
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        while True:
            asked, guesses, feedback = draw.choice(played)
            for turn, best in enumerate(guesses):
                if time.monotonic() > end:
                    return
                pairs = zip(guesses[:turn], feedback[:turn], strict=True)
                rows = [{"guess": guess, "feedback": answer} for guess, answer in pairs]
                await ask(http, {**asked, "rows": rows}, best, seen)


async def ask(http: httpx.AsyncClient, body: dict[str, Any], best: str, seen: Seen) -> None:
    """One question: the first advice, a look at what follows, and away."""
    begin = time.monotonic()
    try:
        async with http.stream("POST", "/api/suggest/stream", json=body) as response:
            if response.status_code != 200:
                seen.errors.append(str(response.status_code))
                return
            looked = begin
            async for line in response.aiter_lines():
                if line.startswith("data:") and looked == begin:
                    looked = time.monotonic()
                    seen.seconds.append(looked - begin)
                    advice = json.loads(line[5:])
                    if not advice["proven"]:
                        seen.wrong.append(f"{body} {advice['guess']}, not {best}")
                if looked != begin and time.monotonic() > looked + LOOK:
                    return
    except httpx.HTTPError as error:
        seen.errors.append(repr(error))


async def watch(process: int, seen: Seen, end: float) -> None:
    """Resident memory of the server, every second."""
    while time.monotonic() < end:
        status = Path(f"/proc/{process}/status").read_text()
        (line,) = (row for row in status.splitlines() if row.startswith("VmRSS"))
        seen.megabytes.append(int(line.split()[1]) / 1024)
        await asyncio.sleep(1)


async def load(address: str, process: int) -> Seen:
    """All clients at once."""
    played, seen = games(), Seen()
    async with httpx.AsyncClient(base_url=address, timeout=300) as http:
        for name, mode in shipped_names():  # loaded, as after the first visitor
            await http.post("/api/suggest", json={"game": name, "mode": mode, "seconds": 1})
    end = time.monotonic() + SECONDS
    work = [client(number, address, played, seen, end) for number in range(CLIENTS)]
    await asyncio.gather(*work, watch(process, seen, end))
    return seen


def figures(seen: Seen) -> dict[str, Any]:
    """What is published."""
    ordered = sorted(seen.seconds)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)

    third = len(seen.megabytes) // 3
    return {
        "clients": CLIENTS,
        "seconds": SECONDS,
        "questions": len(ordered),
        "errors": len(seen.errors),
        "not_proven_at_once": len(seen.wrong),
        "median_seconds": at(0.5),
        "p95_seconds": at(0.95),
        "p99_seconds": at(0.99),
        "longest_seconds": round(ordered[-1], 3),
        "megabytes_after_a_third": round(max(seen.megabytes[: third + 1])),
        "megabytes_in_the_last_third": round(max(seen.megabytes[2 * third :])),
    }


if __name__ == "__main__":
    command = [sys.executable, "-m", "salet", "web", "--no-browser", "--json", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            text = ""
            while not text.endswith("}\n"):
                text += server.stdout.readline()
            seen = asyncio.run(load(json.loads(text)["address"], server.pid))
        finally:
            server.terminate()
    for line in [*seen.errors[:5], *seen.wrong[:5]]:
        print(line, file=sys.stderr)
    store("web", "python benchmarks/web.py", figures(seen))
