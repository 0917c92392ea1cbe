"""verifiers' own loop plays the game, with a scripted model on loopback."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
import verifiers.v1 as vf
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig

from chat_server import serving
from salet.env.text.tasks import task_rows

pytestmark = pytest.mark.filterwarnings("default")

REPLIES = ("no idea", "[salet]", "[xyzzy]", "<think>[slate]</think> [humid]")


def script(_, messages, __) -> str:
    made = sum(message["role"] == "assistant" for message in messages)
    return REPLIES[made] if made < len(REPLIES) else "[crane]"


def config(url: str, folder: Path, **taskset) -> EvalConfig:
    return EvalConfig(
        env={
            "taskset": {"id": "salet-verifiers", "tasks": "original", "split": "test", **taskset},
            "player": {"harness": {"id": "chat_harness"}},
        },
        client={"type": "eval", "base_url": url, "api_key_var": "NO_KEY"},
        model="small",
        select={"limit": 3},
        push=False,
        rich=None,
        output_dir=folder,
    )


def test_the_evaluation_plays_whole_games(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setenv("NO_KEY", "none")
    with serving(script) as server:
        episodes = asyncio.run(run_eval(config(server.url, tmp_path, reward="guesses")))
        requests = server.requests
    answers = [row["answer"] for row in task_rows("original", "test")][:3]
    assert len(episodes) == 3
    for episode in episodes:
        (trace,) = episode.traces
        assert episode.ok, trace.errors
        assert trace.rewards["guesses"].value == -7  # two turns were wasted, and the game was lost
        assert trace.metrics["illegal"] == 2 and trace.metrics["won"] == 0
        assert trace.metrics["guesses"] == 6
    assert len(requests) == 18
    said = json.dumps(requests)
    assert "has no guess in it" in said and "'xyzzy' is not in the list" in said
    for answer in answers:
        assert not re.search(rf"\b{answer}\b", said)


def test_the_taskset_is_found_by_its_id() -> None:
    config_type = vf.taskset_config_type("salet-verifiers")
    taskset = vf.load_taskset(config_type(id="salet-verifiers", tasks="nyt-hard", split="test"))
    tasks = list(taskset.take(2))
    assert "Hard mode" in tasks[0].data.prompt
    assert [task.data.name for task in tasks] == ["nyt-hard-test-0", "nyt-hard-test-1"]
    assert tasks[0].data.task["replies"] == "brackets"


def test_several_boards(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setenv("NO_KEY", "none")
    with serving(script) as server:
        chosen = config(server.url, tmp_path, tasks="original-boards-2", illegal="forfeit")
        episodes = asyncio.run(run_eval(chosen))
    for episode in episodes:
        (trace,) = episode.traces
        assert episode.ok, trace.errors
        assert trace.rewards["guesses"].value == -8  # the first reply has no guess
