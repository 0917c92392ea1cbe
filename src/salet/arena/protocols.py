"""How games and players talk: the registry of protocols. docs/arena.md shows them with examples.

`go-stop` comes from the piped connector of 2022. The game says `Go`, the player a word, the game
the feedback in letters G, Y and W (counts where there are no tiles), and so on until all is green;
then the next `Go`, and finally `Stop`. Messages are separated by white space. It cannot express a
lost game: one that ends at the cap ends with the winning pattern, so that every player moves on.

`jsonl` sends one JSON object a line, and says everything: the game, whether it is over, and won.

With several boards the feedback has a field for each, `WGYWW/-/GGGGG`, with `-` for a board that
was solved before; the game ends when every field is all green.
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


class MalformedMessageError(Exception):
    """A message that the protocol does not allow; the text says what was expected."""


@dataclass(frozen=True)
class Message:
    """A message from the game to the player."""

    kind: str
    """game, start, feedback or stop"""
    fields: Mapping[str, Any] = field(default_factory=dict)


class Protocol(ABC):
    """Formats and parses the messages of both sides."""

    name: str
    sends_game = False
    """Whether the greeting names the word lists."""

    @abstractmethod
    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        """The first complete message of the buffer (None if there is none) and the rest."""

    # from the game to the player

    def greeting(self, game: Game, word_lists: Path) -> bytes:  # noqa: ARG002
        """What a fresh player is sent first.

        `word_lists` is the directory of answers.txt and guesses.txt.
        """
        return b""

    @abstractmethod
    def start(self) -> bytes:
        """The message that a new game begins."""

    @abstractmethod
    def feedback(self, pattern: str, winning: str, won: bool, over: bool) -> bytes:
        """The reply to a guess."""

    @abstractmethod
    def stop(self) -> bytes:
        """The message that there are no more games."""

    @abstractmethod
    def parse_message(self, item: bytes, is_guessing: bool) -> Message:
        """Parse a message of the game; `is_guessing`: a guess is waiting for its feedback."""

    # from the player to the game

    @abstractmethod
    def guess(self, word: str) -> bytes:
        """The message that makes a guess."""

    @abstractmethod
    def parse_guess(self, item: bytes) -> str:
        """The guessed word in a message of the player."""


class GoStop(Protocol):
    """`Go`, guess, feedback, …, `Stop`."""

    name = "go-stop"

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
        shown = winning if over else pattern
        return shown.replace("B", "W").encode() + b"\n"

    def stop(self) -> bytes:
        return b"Stop\n"

    def parse_message(self, item: bytes, is_guessing: bool) -> Message:
        if is_guessing:
            return Message("feedback", {"pattern": _decode(item)})
        return Message("stop" if item.startswith(b"S") else "start")

    def guess(self, word: str) -> bytes:
        return word.encode() + b"\n"

    def parse_guess(self, item: bytes) -> str:
        return _decode(item)


class _Guess(msgspec.Struct):
    guess: str


class JsonLines(Protocol):
    """One JSON object a line."""

    name = "jsonl"
    sends_game = True

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        while True:
            line, newline, rest = buffer.partition(b"\n")
            if not newline:
                return None, buffer
            if line.strip():
                return line, rest
            buffer = rest

    def greeting(self, game: Game, word_lists: Path) -> bytes:
        return _json_line(
            type="game",
            name=game.name,
            length=game.length,
            rule=game.rule.name,
            mode=game.mode,
            legal=MODES[game.mode],
            cap=game.cap,
            boards=game.boards,
            answers=str(word_lists / "answers.txt"),
            guesses=str(word_lists / "guesses.txt"),
        )

    def start(self) -> bytes:
        return _json_line(type="start")

    def feedback(self, pattern: str, winning: str, won: bool, over: bool) -> bytes:  # noqa: ARG002
        return _json_line(type="feedback", pattern=pattern, won=won, over=over)

    def stop(self) -> bytes:
        return _json_line(type="stop")

    def parse_message(self, item: bytes, is_guessing: bool) -> Message:
        try:
            fields = msgspec.json.decode(item, type=dict[str, Any])
            kind = fields.pop("type")
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, RecursionError):
            raise MalformedMessageError('a message is a line such as {"type": "start"}') from None
        expected = ("feedback",) if is_guessing else ("game", "start", "stop")
        if kind not in expected:
            raise MalformedMessageError(
                f"a message here has the type {' or '.join(expected)}, not {kind!r}"
            )
        return Message(kind, fields)

    def guess(self, word: str) -> bytes:
        return _json_line(guess=word)

    def parse_guess(self, item: bytes) -> str:
        try:
            return msgspec.json.decode(item, type=_Guess).guess
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise MalformedMessageError('a guess is a line such as {"guess": "crane"}') from None


def _json_line(**fields: Any) -> bytes:
    return msgspec.json.encode(fields) + b"\n"


def _decode(item: bytes) -> str:
    try:
        return item.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedMessageError("words are UTF-8 text") from None


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {protocol.name: protocol for protocol in (GoStop(), JsonLines())}
)


def protocol_named(name: str) -> Protocol:
    """The protocol of that name; the error for an unknown one suggests the nearest."""
    try:
        return PROTOCOLS[name]
    except KeyError:
        raise UnknownNameError("protocol", name, PROTOCOLS) from None


@contextlib.contextmanager
def word_list_files(game: Game, protocol: Protocol | None = None) -> Iterator[Path]:
    """Write answers.txt and guesses.txt to a temporary directory, for as long as the block lasts.

    The directory stays empty if `protocol` does not name the lists.
    """
    with tempfile.TemporaryDirectory(prefix="salet-arena-") as name:
        directory = Path(name)
        if protocol is None or protocol.sends_game:
            for part, words in (("answers", game.answers), ("guesses", game.guesses)):
                with output(directory / f"{part}.txt") as file:
                    file.write(("\n".join(words) + "\n").encode())
        yield directory
