"""Games of a strategy as chat transcripts, for supervised training of language models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from salet.env.text import wording
from salet.env.text.dialogue import Dialogue
from salet.env.text.tasks import SPLITS, split_of
from salet.errors import UnknownNameError
from salet.game.game import Game

Messages = list[dict[str, Any]]


def chat_games(
    game: Game, games: Sequence[Sequence[int]], split: str = "train", style: str = "jsonl"
) -> Iterator[dict[str, Any]]:
    """Yield one record for each game of a split, in the order of answers.

    `games[answer]` are the guesses of the game against that answer: `Simulation.games`.
    Records have `messages`, and `game`, `mode`, `split`, `answer` and `won`.
    """
    if split not in (*SPLITS, "all"):
        raise UnknownNameError("split", split, (*SPLITS, "all"))
    if style not in STYLES:
        raise UnknownNameError("format", style, STYLES)
    for answer, line in enumerate(games):
        own = split_of(game.answers[answer])
        if split not in ("all", own):
            continue
        dialogue = Dialogue(game, (answer,))
        messages = STYLES[style](dialogue, [game.guesses[guess] for guess in line])
        yield {
            "messages": messages,
            "game": game.name,
            "mode": game.mode,
            "split": own,
            "answer": game.answers[answer],
            "won": dialogue.won,
        }


def _in_brackets(dialogue: Dialogue, words: Sequence[str]) -> Messages:
    """Guesses as text in square brackets, as `salet arena --model` asks for them."""
    messages: Messages = [
        {"role": "user", "content": f"{dialogue.rules()}\n{wording.REPLY_FORMATS['brackets']}"}
    ]
    for word in words:
        messages.append({"role": "assistant", "content": f"[{word}]"})
        messages.append({"role": "user", "content": dialogue.guess(word)})
    return messages[:-1]  # a conversation to learn from ends with the learner


def _with_tools(dialogue: Dialogue, words: Sequence[str]) -> Messages:
    """Guesses as calls of the tool `guess`, as `TextEnv` offers it."""
    messages: Messages = [
        {"role": "user", "content": f"{dialogue.rules()}\n{wording.REPLY_FORMATS['tool']}"}
    ]
    for word in words:
        call = {"type": "function", "function": {"name": "guess", "arguments": {"word": word}}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "name": "guess", "content": dialogue.guess(word)})
    return messages


STYLES: Mapping[str, Callable[[Dialogue, Sequence[str]], Messages]] = MappingProxyType(
    {"jsonl": _in_brackets, "jsonl-tools": _with_tools}
)
