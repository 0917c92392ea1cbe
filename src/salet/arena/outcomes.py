"""The outcome of every game, and the figures of a player that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

FaultReason = Literal[
    "unknown word",
    "illegal guess",
    "garbage",
    "no newline",
    "too much output",
    "too many guesses",
    "not reading",
    "timeout",
    "game timeout",
    "crash",
    "early close",
    "cannot start",
]
"""Every reason by which failures are counted; docs/arena.md explains each."""


class Fault(msgspec.Struct, frozen=True):
    """Why a game could not be played to its end."""

    reason: str
    """A `FaultReason`."""
    detail: str
    """What exactly was wrong this time."""
    stderr: list[str] = []
    """Last lines of the player's stderr."""


class ChatLog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Requests, tokens and messages of a game with a chat model."""

    illegal: int
    """Words that were not allowed."""
    requests: int
    retries: int
    """Requests that were repeated."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Seconds that the requests took, one after the other."""
    messages: list[dict[str, str]] = []


class GameOutcome(msgspec.Struct, frozen=True):
    """One secret, played or failed. A line of a journal is one of these as JSON."""

    secret: str
    guesses: list[str]
    won: bool
    fault: Fault | None = None
    at: float = 0.0
    """Seconds of play when the game ended."""
    chat: ChatLog | None = None
    """Only of chat models."""


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one player, as in `salet arena --json`."""

    command: str
    games: int
    total: int | None
    """Guesses over all games; a loss counts cap + 1 (without a cap: the guesses made)."""
    mean: float | None
    worst: int | None
    """Largest number of guesses in a won game."""
    losses: int
    histogram: dict[int, int]
    """Number of won games by number of guesses."""
    failures: dict[str, int]
    """Number of games that could not be played, by reason."""
    seconds: float
    chat: ChatLog | None = None
    """Sums over all games of a chat model, without messages."""


def charge(outcome: GameOutcome, cap: int | None) -> int:
    """What a played game adds to the total."""
    return len(outcome.guesses) if outcome.won or cap is None else cap + 1


def standing(
    command: str, outcomes: Iterable[GameOutcome], cap: int | None, seconds: float
) -> Standing:
    """Summarise the outcomes of one player; games and failures add up to their number."""
    played: list[GameOutcome] = []
    failures: Counter[str] = Counter()
    logs: list[ChatLog] = []
    for outcome in outcomes:
        if outcome.chat is not None:
            logs.append(outcome.chat)
        if outcome.fault is None:
            played.append(outcome)
        else:
            failures[outcome.fault.reason] += 1
    total = sum(charge(outcome, cap) for outcome in played)
    histogram = Counter(len(outcome.guesses) for outcome in played if outcome.won)
    return Standing(
        command=command,
        games=len(played),
        total=total if played else None,
        mean=total / len(played) if played else None,
        worst=max(histogram, default=None),
        losses=sum(not outcome.won for outcome in played),
        histogram=dict(sorted(histogram.items())),
        failures=dict(sorted(failures.items())),
        seconds=round(seconds, 3),
        chat=_chat_sums(logs) if logs else None,
    )


def _chat_sums(logs: list[ChatLog]) -> ChatLog:
    """The sums over some games."""
    names = ("illegal", "requests", "retries", "prompt_tokens", "completion_tokens", "seconds")
    sums: dict[str, Any] = {name: sum(getattr(log, name) for log in logs) for name in names}
    return ChatLog(**sums)
