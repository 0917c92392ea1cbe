"""Optimal games as chat transcripts."""

from __future__ import annotations

import pytest

from salet import Game
from salet.env.text import TextEnv
from salet.env.text.tasks import SPLITS, split_of
from salet.env.text.wording import read_guess
from salet.errors import UnknownNameError
from salet.strategies.chat_games import chat_games
from salet.strategies.simulate import simulate

GAME = Game.named("original:first=60,guesses=answers")
GAMES = simulate(GAME, "exact").games


def test_transcripts_replay_to_the_same_games_without_regret() -> None:
    rows = list(chat_games(GAME, GAMES, "all"))
    assert [row["answer"] for row in rows] == list(GAME.answers)
    for row, line in zip(rows, GAMES, strict=True):
        env = TextEnv(game=GAME.name, answer=row["answer"], illegal="retry", reward="regret")
        rules = env.reset().splitlines()[0]
        first, *messages = row["messages"]
        assert first["content"].startswith(rules)
        assert messages[-1]["role"] == "assistant"
        for said, told in zip(messages[::2], [*messages[1::2], None], strict=True):
            word = read_guess(said["content"])
            assert word is not None
            answer = env.guess(word)
            assert told is None or told == {"role": "user", "content": answer}
        assert env.done and env.won and row["won"] and len(messages[::2]) == len(line)
        assert env.reward == pytest.approx(0, abs=1e-9)


def test_only_the_split_that_is_asked_for() -> None:
    parts = {split: [row["answer"] for row in chat_games(GAME, GAMES, split)] for split in SPLITS}
    assert sum(map(len, parts.values())) == 60
    assert all(split_of(word) == split for split, words in parts.items() for word in words)
    assert [row["answer"] for row in chat_games(GAME, GAMES)] == parts["train"]


def test_tools() -> None:
    row = next(chat_games(GAME, GAMES, style="jsonl-tools"))
    call = row["messages"][1]["tool_calls"][0]["function"]
    assert call == {"name": "guess", "arguments": {"word": GAME.guesses[GAMES[0][0]]}}
    assert row["messages"][2]["role"] == "tool"
    assert row["messages"][-1]["content"].startswith("Right, with")


@pytest.mark.parametrize(("split", "style"), [("tests", "jsonl"), ("train", "json")])
def test_unknown_names(split: str, style: str) -> None:
    with pytest.raises(UnknownNameError):
        next(chat_games(GAME, GAMES, split, style))
