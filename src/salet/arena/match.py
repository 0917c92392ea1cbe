"""One player against all secrets: several instances of its program, one event loop, no threads.

The loop owns every process and every deadline, and never waits for a single player: pipes do not
block, what a player does not read is buffered, and the next deadline bounds the wait for events. A
fault is charged to the secret in play; the program is killed with its whole process group, and a
fresh instance continues with the next secret.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from salet.arena.child_process import ChildProcess
from salet.arena.outcomes import Fault, FaultReason, GameOutcome
from salet.arena.protocols import MalformedMessageError, Protocol
from salet.arena.reaper import Reaper
from salet.arena.signals import StopRequest
from salet.arena.umpire import MAX_GUESSES, Contest, Umpire
from salet.array_types import Patterns

STOP_GRACE = 2.0
"""Seconds after Stop until players that have not exited are killed."""
_EXIT_GRACE = 0.2
"""Seconds in which a player that closed its output may exit, so that its exit status is known."""
_MAX_LINE_BYTES = 1 << 16
_MAX_UNREAD_BYTES = 1 << 20
_MAX_CACHED_GUESSES = 1 << 17
_NO_SECRET = -1


@dataclass(frozen=True)
class Limits:
    """Time limits for a player. The first guess includes the start of the program."""

    guess: float = 30.0
    """Seconds for each guess."""
    game: float = 300.0
    """Seconds for each game."""


class _Instance:
    """A running player and the game it is in."""

    __slots__ = (
        *("child", "buffer", "secret", "answers", "columns", "guesses", "history", "deadline"),
        *("game_deadline", "is_live", "is_exiting", "is_waiting_to_write"),
    )

    def __init__(self, child: ChildProcess) -> None:
        self.child = child
        self.buffer = b""
        """Output that is not a complete guess yet."""
        self.secret = _NO_SECRET
        """What is to be found, as in `Contest`; `_NO_SECRET` after the last game."""
        self.answers: tuple[int, ...]
        """The answer of each board."""
        self.columns: list[Patterns]
        """Pattern codes of all guesses against each of them."""
        self.guesses: list[int] = []
        self.history: list[tuple[int, int]] = []
        self.deadline = 0.0
        self.game_deadline = 0.0
        self.is_live = True
        self.is_exiting = False
        """Whether it closed its output and has `_EXIT_GRACE` to exit."""
        self.is_waiting_to_write = False

    @property
    def is_playing(self) -> bool:
        return self.secret != _NO_SECRET


class Match:
    """Plays all secrets with one player; `on_outcome` is called with every finished game."""

    def __init__(
        self,
        contest: Contest,
        command: Sequence[str],
        protocol: Protocol,
        *,
        reaper: Reaper,
        word_lists: Path,
        on_outcome: Callable[[GameOutcome], None],
        limits: Limits = Limits(),
        jobs: int = 1,
        secrets: Iterable[int] | None = None,
        umpire: Umpire | None = None,
    ) -> None:
        """`secrets`: those still to be played (default: all); `word_lists`: their directory."""
        self._game = contest.game
        self._contest = contest
        self._umpire = umpire or Umpire(contest.game)
        self._command = command
        self._reaper = reaper
        self._protocol = protocol
        self._greeting = protocol.greeting(contest.game, word_lists)
        self._limits = limits
        self._jobs = jobs
        self._on_outcome = on_outcome
        self._remaining = deque(contest.secrets if secrets is None else secrets)
        self._live: set[_Instance] = set()
        self._guess_cache: dict[bytes, int] = {}
        self._reply_cache: dict[tuple[tuple[int | None, ...], bool, bool], bytes] = {}
        self._selector = selectors.DefaultSelector()
        self._now = self._start = time.monotonic()
        self._last_outcome = 0.0
        """Seconds from the start to the last outcome."""
        self._next_deadline = self._now
        """No instance has an earlier deadline."""

    def run(self, stop: StopRequest) -> float:
        """Play all games; return the seconds until the last one ended.

        All processes have been killed when this returns or raises.
        """
        self._now = self._start = time.monotonic()
        self._selector.register(stop.descriptor, selectors.EVENT_READ, stop.raise_if_set)
        try:
            self._start_instances()
            while self._live:
                for event, _ in self._selector.select(max(0.0, self._next_deadline - self._now)):
                    event.data()
                self._now = time.monotonic()
                if self._now >= self._next_deadline:
                    self._check_deadlines()
        finally:
            for instance in list(self._live):
                self._kill(instance)
            self._selector.close()
        return self._last_outcome

    # ---- starting and killing

    def _start_instances(self) -> None:
        """Start programs until `jobs` of them play, or no secret is left."""
        playing = sum(instance.is_playing for instance in self._live)
        while self._remaining and playing < self._jobs:
            try:
                child = ChildProcess(self._command, self._reaper)
            except OSError as error:
                if playing:  # too many at once for this system: continue with those that run
                    self._jobs = playing
                    return
                fault = Fault("cannot start", (error.strerror or str(error)).lower())
                self._record(self._remaining.popleft(), [], False, fault)
                continue
            playing += 1
            instance = _Instance(child)
            self._live.add(instance)
            for descriptor, callback in (
                (child.stdout, self._on_stdout),
                (child.stderr, self._on_stderr),
            ):
                self._selector.register(
                    descriptor, selectors.EVENT_READ, partial(callback, instance)
                )
            self._send(instance, self._greeting + self._next_game(instance))

    def _kill(self, instance: _Instance, has_exited: bool = False) -> str | None:
        """Kill a program; return how it had ended by itself."""
        instance.is_live = False
        self._live.discard(instance)
        child = instance.child
        descriptors = [child.stdout, child.stderr]
        if instance.is_waiting_to_write:
            descriptors.append(child.stdin)
        if instance.is_exiting and (exit_descriptor := child.exit_descriptor()) is not None:
            descriptors.append(exit_descriptor)
        for descriptor in descriptors:
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
        return child.kill(has_exited)

    def _fail(self, instance: _Instance, reason: FaultReason, detail: str) -> None:
        """Kill the program and charge a fault to the secret in play."""
        self._kill(instance)
        self._record_fault(instance, reason, detail)

    def _record_fault(self, instance: _Instance, reason: FaultReason, detail: str) -> None:
        """Charge a fault to the secret in play, and start a fresh program."""
        fault = Fault(reason, detail, instance.child.last_stderr_lines)
        self._record(instance.secret, instance.guesses, False, fault)
        self._start_instances()

    def _record(self, secret: int, guesses: list[int], won: bool, fault: Fault | None) -> None:
        words = self._game.guesses
        self._last_outcome = time.monotonic() - self._start
        played = [words[guess] for guess in guesses]
        at = round(self._last_outcome, 4)
        self._on_outcome(GameOutcome(self._contest.text(secret), played, won, fault, at))

    def _check_deadlines(self) -> None:
        for instance in list(self._live):
            if instance.is_playing and not instance.is_exiting and self._now >= instance.deadline:
                self._on_stdout(instance)  # it may have written while we served the others
        for instance in list(self._live):
            if self._now < instance.deadline or not instance.is_live:
                continue
            if not instance.is_playing:
                self._kill(instance)
            elif instance.is_exiting:
                self._on_exit(instance, has_exited=False)
            elif self._now >= instance.game_deadline:
                detail = f"the game was not over after {self._limits.game:g} s"
                self._fail(instance, "game timeout", detail)
            elif instance.buffer:
                detail = f"{_quote(instance.buffer)} without a newline for {self._limits.guess:g} s"
                self._fail(instance, "no newline", detail)
            else:
                self._fail(instance, "timeout", f"no guess within {self._limits.guess:g} s")
        deadlines = (instance.deadline for instance in self._live)
        self._next_deadline = min(deadlines, default=self._now)

    # ---- the conversation

    def _next_game(self, instance: _Instance) -> bytes:
        """Give the instance its next secret, if there is one; return the message that says so."""
        instance.guesses = []
        instance.history = []
        if not self._remaining:
            instance.secret = _NO_SECRET
            self._set_deadline(instance, self._now + STOP_GRACE)
            return self._protocol.stop()
        instance.secret = self._remaining.popleft()
        instance.answers = self._contest.answers(instance.secret)
        instance.columns = [self._umpire.column(answer) for answer in instance.answers]
        instance.game_deadline = self._now + self._limits.game
        self._set_deadline(instance, min(self._now + self._limits.guess, instance.game_deadline))
        return self._protocol.start()

    def _set_deadline(self, instance: _Instance, deadline: float) -> None:
        instance.deadline = deadline
        if deadline < self._next_deadline or len(self._live) == 1:
            self._next_deadline = deadline

    def _send(self, instance: _Instance, data: bytes) -> None:
        """Write to the player; what does not fit into the pipe is sent when it can be."""
        child = instance.child
        has_rest = child.send(data)
        if has_rest != instance.is_waiting_to_write:
            instance.is_waiting_to_write = has_rest
            if has_rest:
                flush = partial(self._on_writable, instance)
                self._selector.register(child.stdin, selectors.EVENT_WRITE, flush)
            else:
                self._selector.unregister(child.stdin)
        if not instance.is_playing:
            if not has_rest:
                child.close_stdin()
        elif len(child.unsent) > _MAX_UNREAD_BYTES:
            detail = f"more than {_MAX_UNREAD_BYTES >> 20} MB of feedback is unread"
            self._fail(instance, "not reading", detail)

    def _on_writable(self, instance: _Instance) -> None:
        if instance.is_live:
            self._send(instance, b"")

    def _on_stderr(self, instance: _Instance) -> None:
        if instance.is_live and instance.child.read_stderr() == b"":
            self._selector.unregister(instance.child.stderr)

    def _on_stdout(self, instance: _Instance) -> None:
        """Handle output of the player, or the end of it."""
        if not instance.is_live:
            return
        data = instance.child.read_stdout()
        if data is None:
            return
        if not data:
            self._on_stdout_closed(instance)
            return
        if not instance.is_playing:
            return  # output after Stop is ignored
        item, rest = self._protocol.split(instance.buffer + data if instance.buffer else data)
        instance.buffer = rest
        if item is None:
            if len(rest) > _MAX_LINE_BYTES:
                detail = f"{_quote(rest)} continues for more than {_MAX_LINE_BYTES >> 10} kB"
                self._fail(instance, "too much output", detail)
            return
        guess = self._legal_guess(instance, item)
        if guess is None:
            return
        if rest and not rest.isspace():
            detail = f"{_quote(item)} was followed by {_quote(rest)} before any feedback"
            self._fail(instance, "too much output", detail)
            return
        self._play(instance, guess)

    def _on_stdout_closed(self, instance: _Instance) -> None:
        """Find out whether the player exited, is about to, or only closed its output."""
        descriptor = instance.child.exit_descriptor() if instance.is_playing else None
        if descriptor is None:
            self._on_exit(instance, has_exited=False)
            return
        self._selector.unregister(instance.child.stdout)
        instance.is_exiting = True
        self._selector.register(descriptor, selectors.EVENT_READ, partial(self._on_exit, instance))
        self._set_deadline(instance, self._now + _EXIT_GRACE)

    def _on_exit(self, instance: _Instance, has_exited: bool = True) -> None:
        if not instance.is_live:
            return
        exit_reason = self._kill(instance, has_exited)
        if not instance.is_playing:
            return
        if exit_reason is not None:
            self._record_fault(instance, "crash", exit_reason)
        elif instance.buffer:
            detail = f"{_quote(instance.buffer)} was not ended by a newline"
            self._record_fault(instance, "no newline", detail)
        else:
            detail = "it closed its output in the middle of a game"
            self._record_fault(instance, "early close", detail)

    def _legal_guess(self, instance: _Instance, item: bytes) -> int | None:
        """The index of a guess that may be made; records a fault and returns None if not."""
        guess = self._guess_cache.get(item)
        if guess is None:
            try:
                guess = self._umpire.find(self._protocol.parse_guess(item))
            except MalformedMessageError as error:
                self._fail(instance, "garbage", f"{_quote(item)}: {error}")
                return None
            if guess is None:
                self._fail(instance, "unknown word", f"{_quote(item)} is not in the list")
                return None
            if len(self._guess_cache) < _MAX_CACHED_GUESSES:
                self._guess_cache[item] = guess
        objection = self._umpire.objection(instance.history, guess)
        if objection is not None:
            self._fail(instance, "illegal guess", objection)
            return None
        return guess

    def _play(self, instance: _Instance, guess: int) -> None:
        """Make a legal guess; send the feedback and, if the game is over, start the next one."""
        guesses, answers = instance.guesses, instance.answers
        codes = tuple(
            None if answer in guesses else column.item(guess)
            for answer, column in zip(answers, instance.columns, strict=True)
        )
        guesses.append(guess)
        if codes[0] is not None:  # several boards have no mode that asks for the history
            instance.history.append((guess, codes[0]))
        secret = instance.secret
        won = guess in answers and all(answer in guesses for answer in answers)
        is_over = won or self._umpire.is_used_up(guesses)
        reply = self._reply_cache.get((codes, won, is_over))
        if reply is None:
            pattern = self._umpire.format_boards(codes)
            reply = self._protocol.feedback(pattern, self._umpire.winning, won, is_over)
            if len(self._reply_cache) < _MAX_CACHED_GUESSES:
                self._reply_cache[codes, won, is_over] = reply
        if is_over:
            self._record(secret, guesses, won, None)
            self._send(instance, reply + self._next_game(instance))
        elif len(guesses) >= MAX_GUESSES and self._game.cap is None:
            detail = f"the game was not over after {len(guesses)} guesses"
            self._fail(instance, "too many guesses", detail)
        else:
            deadline = min(self._now + self._limits.guess, instance.game_deadline)
            self._set_deadline(instance, deadline)
            self._send(instance, reply)


def _quote(output: bytes, max_length: int = 60) -> str:
    """The beginning of some output, quoted for an error message."""
    text = output.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= max_length else text[:max_length] + "…")
