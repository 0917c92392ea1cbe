"""The other end of the pipes: our strategies as a player, our referee as a game.

Both read standard input and write standard output, as any program in the arena does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from salet.arena.child_process import CHUNK
from salet.arena.outcomes import Outcome, founding_line
from salet.arena.protocols import GarbageError, Message, Protocol
from salet.arena.umpire import Umpire
from salet.errors import InputError
from salet.game.game import Game
from salet.game.named import named_game
from salet.game.state import State
from salet.strategies.base import Strategy


class Pipe:
    """Items in, items out: blocking, because here there is nothing else to do."""

    def __init__(self, protocol: Protocol, source: int = 0, sink: int = 1) -> None:
        self._protocol = protocol
        self._source = source
        self._sink = sink

    def items(self) -> Iterator[bytes]:
        """Everything that the other side says, until it closes."""
        buffer = b""
        while data := os.read(self._source, CHUNK):
            buffer += data
            while True:
                item, buffer = self._protocol.split(buffer)
                if item is None:
                    break
                yield item
        item, _ = self._protocol.split(buffer + b"\n")
        if item is not None:
            yield item

    def say(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._sink, data) :]


class _Node:
    """A decision, remembered: the guess in a state, and where each feedback leads."""

    __slots__ = ("below", "guess", "said", "state")

    def __init__(self, state: State, guess: int, said: bytes) -> None:
        self.state = state
        self.guess = guess
        self.said = said
        self.below: dict[str, _Node] = {}


class Decisions:
    """A player's decision tree, grown where games go: no state is asked for twice."""

    def __init__(
        self, game: Game, player: Strategy, protocol: Protocol, opener: str | None = None
    ) -> None:
        self._game = game
        self._player = player
        self._protocol = protocol
        self._opener = opener
        self._winning = game.compiled.code(game.win)
        self._root: _Node | None = None

    def first(self) -> _Node:
        """The decision at the start of a game."""
        if self._root is None:
            self._root = self._node(self._game.start())
        return self._root

    def after(self, node: _Node, feedback: str) -> _Node | None:
        """The decision after a feedback; None if that was the win."""
        found = node.below.get(feedback)
        if found is not None:
            return found
        code = self._game.rule.notation.parse(feedback, self._game.length)
        if code == self._winning:
            return None
        state = node.state.after(node.guess, feedback)
        node.below[feedback] = below = self._node(state)
        return below

    def _node(self, state: State) -> _Node:
        if state.turn == 0 and self._opener is not None:
            guess = self._game.index(self._opener)
        elif len(state.candidates):
            guess = state.check(self._player.choose(state))
        else:
            guess = self._unlisted(state)
        return _Node(state, guess, self._protocol.guess(self._game.guesses[guess]))

    def _unlisted(self, state: State) -> int:
        """The secret is none of the answers: the first legal guess that fits all feedback."""
        lexicon, rule = self._game.lexicon, self._game.rule
        fits = np.ones(len(lexicon), bool)
        for guess, code in state.history:
            row = np.zeros((1, len(lexicon)), np.uint32)
            one = slice(guess, guess + 1)
            rule.fill(lexicon.codes[one], lexicon.by_position, lexicon.counts, row)
            fits &= row[0] == code
        found = state.legal[fits[state.legal]]
        if not len(found):
            shown = " ".join(f"{guess}:{pattern}" for guess, pattern in state.turns)
            raise InputError(f"no word of {self._game.name} fits {shown}; is it the same list?")
        return int(found[0])


def serve_player(
    pipe: Pipe, protocol: Protocol, game: Game | None, player: Strategy, opener: str | None = None
) -> int:
    """Play until the other side says stop or goes; returns the number of games.

    `game` may be None where the protocol tells it.
    """
    decisions = None if game is None else Decisions(game, player, protocol, opener)
    node: _Node | None = None
    games = 0
    for item in pipe.items():
        message = _heard(protocol, item, node is not None)
        if message.kind == "stop":
            break
        if message.kind == "game":
            decisions = Decisions(_told(message.fields), player, protocol, opener)
        elif decisions is None:
            raise InputError(f"{item!r} came before the game; it is told first")
        elif message.kind == "start":
            games += 1
            node = decisions.first()
            pipe.say(node.said)
        elif node is not None:
            is_over = message.fields.get("over", False)
            node = None if is_over else decisions.after(node, str(message.fields["pattern"]))
            if node is not None:
                pipe.say(node.said)
    return games


def _heard(protocol: Protocol, item: bytes, is_guessing: bool) -> Message:
    try:
        message = protocol.hear(item, is_guessing)
        if message.kind == "feedback" and "pattern" not in message.fields:
            raise GarbageError("feedback has a pattern")
    except GarbageError as error:
        raise InputError(f"the game said {item!r}: {error}") from None
    return message


def _told(fields: Any) -> Game:
    try:
        return named_game(
            "original",
            answers=Path(fields["answers"]),
            guesses=Path(fields["guesses"]),
            rule=fields["rule"],
            mode=fields["mode"],
            cap=fields["cap"],
        )
    except (KeyError, TypeError) as error:
        raise InputError(f"the game was told without {error}; see docs/arena.md") from None


def serve_echo(pipe: Pipe, protocol: Protocol, word: str, winning: str) -> int:
    """The quickest player there is: the same word over and over. For measuring pipes."""
    said = protocol.guess(word)
    won = protocol.feedback(winning, winning, True, True).strip()
    is_guessing = False
    games = 0
    for item in pipe.items():
        if is_guessing and (item == won or b'"over":true' in item):
            is_guessing = False
        elif is_guessing:
            pipe.say(said)
        else:
            message = _heard(protocol, item, False)
            if message.kind == "stop":
                break
            if message.kind == "start":
                games += 1
                is_guessing = True
                pipe.say(said)
    return games


def serve_game(
    pipe: Pipe,
    protocol: Protocol,
    game: Game,
    secrets: Sequence[int],
    lists: Path,
    transcript: Path | None = None,
) -> int:
    """Be the game for a player; every game goes to the transcript as it ends, at last the number
    of guesses, which is returned."""
    umpire = Umpire(game)
    winning = umpire.text(umpire.winning)
    log = _Log(transcript)
    pipe.say(protocol.greeting(game, lists))
    items = pipe.items()
    total = 0
    for secret in secrets:
        column = umpire.column(secret)
        history: list[tuple[int, int]] = []
        pipe.say(protocol.start())
        is_over = False
        while not is_over:
            guess = _guessed(umpire, protocol, items, history)
            history.append((guess, int(column[guess])))
            is_over = umpire.is_over([guess for guess, _ in history], secret)
            pattern = umpire.text(history[-1][1])
            pipe.say(protocol.feedback(pattern, winning, guess == secret, is_over))
        total += len(history)
        words = [game.guesses[guess] for guess, _ in history]
        log.add(founding_line(Outcome(game.guesses[secret], words, history[-1][0] == secret)))
    log.add(str(total))
    pipe.say(protocol.stop())
    return total


class _Log:
    """A transcript that is written line by line; a line that cannot be written ends the game."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path is not None:
            self._append("", "wb")

    def add(self, line: str) -> None:
        self._append(f"{line}\n", "ab")

    def _append(self, text: str, how: str) -> None:
        if self._path is None:
            return
        try:
            with self._path.open(how) as file:
                file.write(text.encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot write {str(self._path)!r}: {reason}") from None


def _guessed(
    umpire: Umpire, protocol: Protocol, items: Iterator[bytes], history: list[tuple[int, int]]
) -> int:
    item = next(items, None)
    if item is None:
        raise InputError("the player has gone in the middle of a game")
    try:
        word = protocol.word(item)
    except GarbageError as error:
        raise InputError(f"the player said {item!r}: {error}") from None
    guess = umpire.game.index(word)
    why = umpire.objection(history, guess)
    if why is not None:
        raise InputError(f"the player's guess {word!r} is not allowed: {why}")
    return guess
