"""Protocols: how games and players talk. One registry; docs/arena.md has them with examples.

`go-stop` is the founding one. The game says `Go`, the player a word, the game the feedback in
letters G, Y and W (counts where there are no tiles), and so on until all is green; then the next
`Go`, at last `Stop`. What is said is separated by white space. It has no word for a lost game: one
that ends at the cap ends with the winning pattern, so that every player goes on to the next.

`jsonl` is one JSON object a line, and says everything: the game, whether a game is over, and won.
"""

from __future__ import annotations

import contextlib
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from salet.errors import UnknownNameError
from salet.game.game import Game
from salet.game.modes import MODES
from salet.storage import output


class GarbageError(Exception):
    """What was said is not of this protocol; the message says what it should have been."""


@dataclass(frozen=True)
class Message:
    """What the game's side says, as the player's side hears it."""

    kind: str
    """game, start, feedback or stop"""
    fields: Mapping[str, Any] = field(default_factory=dict)


class Protocol(ABC):
    """How one side writes and the other reads. Lines go both ways as bytes."""

    name: str
    summary: str
    tells_game = False
    """does its greeting name the word lists?"""

    @abstractmethod
    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        """The first complete item of the buffer (None if there is none yet), and the rest."""

    # the game's side

    def greeting(self, game: Game, lists: Path) -> bytes:  # noqa: ARG002
        """What a fresh player is told first; `lists` holds answers.txt and guesses.txt."""
        return b""

    @abstractmethod
    def start(self) -> bytes:
        """A new game begins."""

    @abstractmethod
    def feedback(self, pattern: str, winning: str, won: bool, over: bool) -> bytes:
        """The answer to a guess."""

    @abstractmethod
    def stop(self) -> bytes:
        """No more games."""

    @abstractmethod
    def word(self, item: bytes) -> str:
        """The guess in what a player said."""

    # the player's side

    @abstractmethod
    def guess(self, word: str) -> bytes:
        """A guess."""

    @abstractmethod
    def hear(self, item: bytes, is_guessing: bool) -> Message:
        """What the game said; `is_guessing`: a guess of ours waits for its feedback."""


class GoStop(Protocol):
    """`Go`, guess, feedback, …, `Stop`."""

    name = "go-stop"
    summary = "Go, a word, G/Y/W letters, …, Stop (the founding program's)"

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        parts = buffer.split(None, 1)
        if not parts:
            return None, b""
        if len(parts) == 1 and not buffer[-1:].isspace():
            return None, buffer
        return parts[0], parts[1] if len(parts) == 2 else b""

    def start(self) -> bytes:
        return b"Go\n"

    def feedback(self, pattern: str, winning: str, won: bool, over: bool) -> bytes:  # noqa: ARG002
        said = winning if over else pattern
        return said.replace("B", "W").encode() + b"\n"

    def stop(self) -> bytes:
        return b"Stop\n"

    def word(self, item: bytes) -> str:
        return _text(item)

    def guess(self, word: str) -> bytes:
        return word.encode() + b"\n"

    def hear(self, item: bytes, is_guessing: bool) -> Message:
        if is_guessing:
            return Message("feedback", {"pattern": _text(item)})
        return Message("stop" if item.startswith(b"S") else "start")


class _Said(msgspec.Struct):
    guess: str


class JsonLines(Protocol):
    """One JSON object a line."""

    name = "jsonl"
    summary = "one JSON object a line: game, start, feedback, stop; the player says its guess"
    tells_game = True

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        while True:
            line, mark, rest = buffer.partition(b"\n")
            if not mark:
                return None, buffer
            if line.strip():
                return line, rest
            buffer = rest

    def greeting(self, game: Game, lists: Path) -> bytes:
        return _line(
            type="game",
            name=game.name,
            length=game.length,
            rule=game.rule.name,
            mode=game.mode,
            legal=MODES[game.mode],
            cap=game.cap,
            answers=str(lists / "answers.txt"),
            guesses=str(lists / "guesses.txt"),
        )

    def start(self) -> bytes:
        return _line(type="start")

    def feedback(self, pattern: str, winning: str, won: bool, over: bool) -> bytes:  # noqa: ARG002
        return _line(type="feedback", pattern=pattern, won=won, over=over)

    def stop(self) -> bytes:
        return _line(type="stop")

    def word(self, item: bytes) -> str:
        try:
            return msgspec.json.decode(item, type=_Said).guess
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise GarbageError('a guess is a line such as {"guess": "crane"}') from None

    def guess(self, word: str) -> bytes:
        return _line(guess=word)

    def hear(self, item: bytes, is_guessing: bool) -> Message:
        try:
            fields = msgspec.json.decode(item, type=dict[str, Any])
            kind = fields.pop("type")
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, RecursionError):
            raise GarbageError('a message is a line such as {"type": "start"}') from None
        expected = ("feedback",) if is_guessing else ("game", "start", "stop")
        if kind not in expected:
            raise GarbageError(f"the type of a message is {' or '.join(expected)} here")
        return Message(kind, fields)


def _line(**fields: Any) -> bytes:
    return msgspec.json.encode(fields) + b"\n"


def _text(item: bytes) -> str:
    try:
        return item.decode("utf-8")
    except UnicodeDecodeError:
        raise GarbageError("words are UTF-8 text") from None


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {protocol.name: protocol for protocol in (GoStop(), JsonLines())}
)


def protocol_named(name: str) -> Protocol:
    """The protocol of that name, or an error that suggests one."""
    try:
        return PROTOCOLS[name]
    except KeyError:
        raise UnknownNameError("protocol", name, PROTOCOLS) from None


@contextlib.contextmanager
def lists_of(game: Game, protocol: Protocol | None = None) -> Iterator[Path]:
    """A directory with the word lists that a greeting names (empty if the protocol names none)."""
    with tempfile.TemporaryDirectory(prefix="salet-arena-") as name:
        directory = Path(name)
        if protocol is None or protocol.tells_game:
            for part, words in (("answers", game.answers), ("guesses", game.guesses)):
                with output(directory / f"{part}.txt") as file:
                    file.write(("\n".join(words) + "\n").encode())
        yield directory
