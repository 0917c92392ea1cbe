"""The other end of the pipes: a strategy as a player, and salet as the game.

Both read standard input and write standard output, as any program in the arena does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from salet.arena.child_process import CHUNK_BYTES
from salet.arena.journal import transcript_line
from salet.arena.protocols import MalformedMessageError, Message, Protocol
from salet.arena.umpire import Umpire
from salet.errors import InputError
from salet.game.game import Game
from salet.game.joint_state import SOLVED, JointState
from salet.game.named import named_game
from salet.game.state import State
from salet.strategies.base import Strategy


class Pipe:
    """Blocking input and output of messages."""

    def __init__(self, protocol: Protocol, source: int = 0, sink: int = 1) -> None:
        self._protocol = protocol
        self._source = source
        self._sink = sink

    def messages(self) -> Iterator[bytes]:
        """Yield every message of the other side until it closes its output."""
        buffer = b""
        while data := os.read(self._source, CHUNK_BYTES):
            buffer += data
            while True:
                item, buffer = self._protocol.split(buffer)
                if item is None:
                    break
                yield item
        item, _ = self._protocol.split(buffer + b"\n")
        if item is not None:
            yield item

    def send(self, data: bytes) -> None:
        """Write all of the data."""
        while data:
            data = data[os.write(self._sink, data) :]


class _CachedDecision:
    """The guess in a state, and the decision that follows each feedback."""

    __slots__ = ("after", "guess", "message", "state")

    def __init__(self, state: State | JointState, guess: int, message: bytes) -> None:
        self.state = state
        self.guess = guess
        self.message = message
        self.after: dict[str, _CachedDecision] = {}


class DecisionCache:
    """A strategy's decision tree, grown on demand, so that no state is searched twice."""

    def __init__(
        self, game: Game, strategy: Strategy, protocol: Protocol, opener: str | None = None
    ) -> None:
        self._game = game
        self._strategy = strategy
        self._protocol = protocol
        self._opener = opener
        self._winning_code = game.compiled.code(game.win)
        self._start = game.start() if game.boards == 1 else game.joint_start()
        self._root: _CachedDecision | None = None

    def first(self) -> _CachedDecision:
        """The decision at the start of a game."""
        if self._root is None:
            self._root = self._decide(self._start)
        return self._root

    def next(self, decision: _CachedDecision, feedback: str) -> _CachedDecision | None:
        """The decision after this feedback; None if the guess won."""
        cached = decision.after.get(feedback)
        if cached is not None:
            return cached
        if self._is_end(feedback):
            return None
        made = self._decide(decision.state.after(decision.guess, feedback))
        decision.after[feedback] = made
        return made

    def _is_end(self, feedback: str) -> bool:
        """Whether every board is all green."""
        notation, length = self._game.rule.notation, self._game.length
        fields = feedback.split("/")
        return all(
            field != SOLVED and notation.parse(field, length) == self._winning_code
            for field in fields
        )

    def _decide(self, state: State | JointState) -> _CachedDecision:
        if state.turn == 0 and self._opener is not None:
            guess = self._game.index(self._opener)
        elif isinstance(state, JointState):
            guess = state.check(self._strategy.choose_joint(state))
        elif len(state.candidates):
            guess = state.check(self._strategy.choose(state))
        else:
            guess = self._first_consistent_guess(state)
        return _CachedDecision(state, guess, self._protocol.guess(self._game.guesses[guess]))

    def _first_consistent_guess(self, state: State) -> int:
        """The first legal guess that fits all feedback, for a secret outside the answers."""
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
            raise InputError(
                f"no word of {self._game.name} fits {shown}; do both sides use the same list?"
            )
        return int(found[0])


def serve_player(
    pipe: Pipe, protocol: Protocol, game: Game | None, strategy: Strategy, opener: str | None = None
) -> int:
    """Play until the other side says stop or closes its output; return the number of games.

    `game` may be None if the protocol sends it.
    """
    decisions = None if game is None else DecisionCache(game, strategy, protocol, opener)
    pending: _CachedDecision | None = None  # the guess that waits for its feedback
    games = 0
    for item in pipe.messages():
        message = _parse_message(protocol, item, pending is not None)
        if message.kind == "stop":
            break
        if message.kind == "game":
            received = _game_from_message(message.fields)
            decisions = DecisionCache(received, strategy, protocol, opener)
        elif decisions is None:
            raise InputError(f"{item!r} came before the game; the message 'game' must come first")
        elif message.kind == "start":
            games += 1
            pending = decisions.first()
            pipe.send(pending.message)
        elif pending is not None:
            is_over = message.fields.get("over", False)
            feedback = str(message.fields["pattern"])
            pending = None if is_over else decisions.next(pending, feedback)
            if pending is not None:
                pipe.send(pending.message)
    return games


def _parse_message(protocol: Protocol, item: bytes, is_guessing: bool) -> Message:
    try:
        message = protocol.parse_message(item, is_guessing)
        if message.kind == "feedback" and "pattern" not in message.fields:
            raise MalformedMessageError("feedback must have a pattern")
    except MalformedMessageError as error:
        raise InputError(f"the game said {item!r}: {error}") from None
    return message


def _game_from_message(fields: Mapping[str, Any]) -> Game:
    try:
        boards = int(fields.get("boards", 1))
        return named_game(
            "original" if boards == 1 else f"original:boards={boards}",
            answers=Path(fields["answers"]),
            guesses=Path(fields["guesses"]),
            rule=fields["rule"],
            mode=fields["mode"],
            cap=fields["cap"],
        )
    except KeyError as error:
        raise InputError(f"the message 'game' has no {error}; see docs/arena.md") from None
    except TypeError as error:
        raise InputError(f"the message 'game' is not valid: {error}; see docs/arena.md") from None


def serve_echo(pipe: Pipe, protocol: Protocol, word: str, winning: str) -> int:
    """Repeat the same guess: the fastest possible player, to measure the pipes."""
    guess = protocol.guess(word)
    won = protocol.feedback(winning, winning, True, True).strip()
    is_guessing = False
    games = 0
    for item in pipe.messages():
        if is_guessing and (item == won or b'"over":true' in item):
            is_guessing = False
        elif is_guessing:
            pipe.send(guess)
        else:
            message = _parse_message(protocol, item, False)
            if message.kind == "stop":
                break
            if message.kind == "start":
                games += 1
                is_guessing = True
                pipe.send(guess)
    return games


def serve_game(
    pipe: Pipe,
    protocol: Protocol,
    game: Game,
    secrets: Sequence[int],
    word_lists: Path,
    transcript: Path | None = None,
) -> int:
    """Host games for a player; return the total number of guesses.

    Every game is appended to the transcript as it ends; the total is its last line.
    """
    game.check_one_board()
    umpire = Umpire(game)
    winning = umpire.format(umpire.winning_code)
    log = _TranscriptLog(transcript)
    pipe.send(protocol.greeting(game, word_lists))
    messages = pipe.messages()
    total = 0
    for secret in secrets:
        column = umpire.column(secret)
        history: list[tuple[int, int]] = []
        pipe.send(protocol.start())
        is_over = False
        while not is_over:
            guess = _receive_guess(umpire, protocol, messages, history)
            history.append((guess, int(column[guess])))
            is_over = umpire.is_over([guess for guess, _ in history], secret)
            pattern = umpire.format(history[-1][1])
            pipe.send(protocol.feedback(pattern, winning, guess == secret, is_over))
        total += len(history)
        log.append(
            transcript_line(game.guesses[secret], (game.guesses[guess] for guess, _ in history))
        )
    log.append(str(total))
    pipe.send(protocol.stop())
    return total


class _TranscriptLog:
    """A transcript that is written line by line; an error such as a full disk ends the game."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._write("", "wb")

    def append(self, line: str) -> None:
        self._write(f"{line}\n", "ab")

    def _write(self, text: str, file_mode: str) -> None:
        if self._path is None:
            return
        try:
            with self._path.open(file_mode) as file:
                file.write(text.encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot write {str(self._path)!r}: {reason}") from None


def _receive_guess(
    umpire: Umpire, protocol: Protocol, messages: Iterator[bytes], history: list[tuple[int, int]]
) -> int:
    item = next(messages, None)
    if item is None:
        raise InputError("the player closed its output in the middle of a game")
    try:
        word = protocol.parse_guess(item)
    except MalformedMessageError as error:
        raise InputError(f"the player said {item!r}: {error}") from None
    guess = umpire.game.index(word)
    objection = umpire.objection(history, guess)
    if objection is not None:
        raise InputError(f"the player's guess {word!r} is not allowed: {objection}")
    return guess
