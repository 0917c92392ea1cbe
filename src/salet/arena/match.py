"""One player against all secrets: N instances of its program, one loop, no thread.

The loop owns every process and every deadline. It never waits for one player: pipes do not block,
what a player does not read waits in a buffer, and the next deadline bounds the wait for events. A
fault is charged to the secret in play, the program is ended with its whole group, and a fresh one
goes on with the next secret.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from salet.arena.child_process import Child
from salet.arena.outcomes import Fault, Outcome
from salet.arena.protocols import GarbageError, Protocol
from salet.arena.reaper import Guard
from salet.arena.signals import Wakeup
from salet.arena.umpire import MOST_GUESSES, Contest, Umpire
from salet.array_types import Patterns

FAULTS = {
    "unknown word": "the guess is not in the list",
    "illegal guess": "the mode forbids the guess",
    "garbage": "what it said is not of the protocol",
    "no newline": "a guess without an end",
    "too much output": "more than one guess at a time, or one that never ends",
    "too many guesses": f"{MOST_GUESSES} guesses in a game without a cap",
    "not reading": "it guesses and guesses, and does not read the feedback",
    "timeout": "no guess in time",
    "game timeout": "no end of the game in time",
    "crash": "it ended with an error",
    "early close": "it ended, or closed its output, in the middle of a game",
    "cannot start": "the system could not start it",
}
"""every reason by which failures are counted"""

GRACE = 2.0
"""seconds between Stop and the end of those that do not go"""
_MOMENT = 0.2
_MOST_LINE = 1 << 16
_MOST_UNREAD = 1 << 20
_REMEMBERED = 1 << 17


@dataclass(frozen=True)
class Limits:
    """How long a player may take. The first guess includes the start of the program."""

    guess: float = 30.0
    """seconds for each guess"""
    game: float = 300.0
    """seconds for each game"""


class _Instance:
    """A running player and the game it is in."""

    __slots__ = (
        *("child", "buffer", "secret", "column", "guesses", "history", "deadline", "game_deadline"),
        *("is_live", "is_going", "is_waiting_to_write"),
    )

    def __init__(self, child: Child) -> None:
        self.child = child
        self.buffer = b""
        self.secret = -1
        """the place of the word to be found; -1 when the last game is over"""
        self.column: Patterns
        self.guesses: list[int] = []
        self.history: list[tuple[int, int]] = []
        self.deadline = 0.0
        self.game_deadline = 0.0
        self.is_live = True
        self.is_going = False
        """its output is closed; it is given a moment to end, so that we see how"""
        self.is_waiting_to_write = False


class Match:
    """Plays the secrets; `on_outcome` is given each one that is done."""

    def __init__(
        self,
        contest: Contest,
        command: Sequence[str],
        protocol: Protocol,
        *,
        guard: Guard,
        lists: Path,
        on_outcome: Callable[[Outcome], None],
        limits: Limits = Limits(),
        jobs: int = 1,
        secrets: Iterable[int] | None = None,
        umpire: Umpire | None = None,
    ) -> None:
        """`secrets`: those still to be played, unless all; `lists`: where the word lists lie."""
        self._game = contest.game
        self._umpire = umpire or Umpire(contest.game)
        self._command = command
        self._guard = guard
        self._protocol = protocol
        self._greeting = protocol.greeting(contest.game, lists)
        self._limits = limits
        self._jobs = jobs
        self._on_outcome = on_outcome
        self._waiting = deque(contest.secrets if secrets is None else secrets)
        self._live: set[_Instance] = set()
        self._known: dict[bytes, int] = {}
        self._replies: dict[tuple[int, bool, bool], bytes] = {}
        self._selector = selectors.DefaultSelector()
        self._now = self._began = time.monotonic()
        self._last = 0.0
        """seconds until the last outcome"""
        self._earliest = self._now
        """no deadline comes before this"""

    def run(self, wakeup: Wakeup) -> float:
        """Play everything; returns the seconds until the last game ended. All processes are ended
        when it returns or raises, whatever happened."""
        self._now = self._began = time.monotonic()
        self._selector.register(wakeup.descriptor, selectors.EVENT_READ, wakeup.raise_if_asked)
        try:
            self._fill()
            while self._live:
                for event, _ in self._selector.select(max(0.0, self._earliest - self._now)):
                    event.data()
                self._now = time.monotonic()
                if self._now >= self._earliest:
                    self._check_deadlines()
        finally:
            for instance in list(self._live):
                self._drop(instance)
            self._selector.close()
        return self._last

    # ---- starting and ending

    def _fill(self) -> None:
        """Start programs until there are as many as wanted, or as secrets to play."""
        playing = sum(instance.secret >= 0 for instance in self._live)
        while self._waiting and playing < self._jobs:
            try:
                child = Child(self._command, self._guard)
            except OSError as error:
                if playing:  # too many at once for this system: go on with those that there are
                    self._jobs = playing
                    return
                fault = Fault("cannot start", (error.strerror or str(error)).lower())
                self._report(self._waiting.popleft(), [], False, fault)
                continue
            playing += 1
            instance = _Instance(child)
            self._live.add(instance)
            listen = selectors.EVENT_READ
            self._selector.register(child.stdout, listen, partial(self._hear, instance))
            self._selector.register(child.stderr, listen, partial(self._hear_errors, instance))
            self._send(instance, self._greeting + self._next_game(instance))

    def _drop(self, instance: _Instance, has_ended: bool = False) -> str | None:
        """End a program; returns how it had ended by itself."""
        instance.is_live = False
        self._live.discard(instance)
        child = instance.child
        watched = [child.stdout, child.stderr]
        if instance.is_waiting_to_write:
            watched.append(child.stdin)
        if instance.is_going and (gone := child.watch()) is not None:
            watched.append(gone)
        for descriptor in watched:
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
        return child.end(has_ended)

    def _fail(self, instance: _Instance, reason: str, detail: str) -> None:
        """Charge a fault to the secret in play, and go on with a fresh program."""
        self._drop(instance)
        self._charge(instance, reason, detail)

    def _charge(self, instance: _Instance, reason: str, detail: str) -> None:
        fault = Fault(reason, detail, instance.child.last_errors)
        self._report(instance.secret, instance.guesses, False, fault)
        self._fill()

    def _report(self, secret: int, guesses: list[int], won: bool, fault: Fault | None) -> None:
        words = self._game.guesses
        self._last = time.monotonic() - self._began
        played = [words[guess] for guess in guesses]
        self._on_outcome(Outcome(words[secret], played, won, fault, round(self._last, 4)))

    def _check_deadlines(self) -> None:
        for instance in list(self._live):
            if instance.secret >= 0 and not instance.is_going and self._now >= instance.deadline:
                self._hear(instance)  # it may have spoken while we were busy with others
        for instance in list(self._live):
            if self._now < instance.deadline or not instance.is_live:
                continue
            if instance.secret < 0:
                self._drop(instance)
            elif instance.is_going:
                self._gone(instance, has_ended=False)
            elif self._now >= instance.game_deadline:
                detail = f"the game was not over after {self._limits.game:g} s"
                self._fail(instance, "game timeout", detail)
            elif instance.buffer:
                detail = f"{_shown(instance.buffer)} and no newline for {self._limits.guess:g} s"
                self._fail(instance, "no newline", detail)
            else:
                self._fail(instance, "timeout", f"no guess within {self._limits.guess:g} s")
        deadlines = (instance.deadline for instance in self._live)
        self._earliest = min(deadlines, default=self._now)

    # ---- talking

    def _next_game(self, instance: _Instance) -> bytes:
        """Give the instance its next secret, if there is one; returns what to tell it."""
        instance.guesses = []
        instance.history = []
        if not self._waiting:
            instance.secret = -1
            self._set_deadline(instance, self._now + GRACE)
            return self._protocol.stop()
        instance.secret = self._waiting.popleft()
        instance.column = self._umpire.column(instance.secret)
        instance.game_deadline = self._now + self._limits.game
        self._set_deadline(instance, min(self._now + self._limits.guess, instance.game_deadline))
        return self._protocol.start()

    def _set_deadline(self, instance: _Instance, deadline: float) -> None:
        instance.deadline = deadline
        if deadline < self._earliest or len(self._live) == 1:
            self._earliest = deadline

    def _send(self, instance: _Instance, data: bytes) -> None:
        """Say something; what does not fit into the pipe is said when there is room."""
        child = instance.child
        has_more = child.send(data)
        if has_more != instance.is_waiting_to_write:
            instance.is_waiting_to_write = has_more
            if has_more:
                go_on = partial(self._say_rest, instance)
                self._selector.register(child.stdin, selectors.EVENT_WRITE, go_on)
            else:
                self._selector.unregister(child.stdin)
        if instance.secret < 0:
            if not has_more:
                child.close_input()
        elif len(child.unsent) > _MOST_UNREAD:
            self._fail(instance, "not reading", f"over {_MOST_UNREAD >> 20} MB wait for it")

    def _say_rest(self, instance: _Instance) -> None:
        if instance.is_live:
            self._send(instance, b"")

    def _hear_errors(self, instance: _Instance) -> None:
        if instance.is_live and instance.child.receive_errors() == b"":
            self._selector.unregister(instance.child.stderr)

    def _hear(self, instance: _Instance) -> None:
        """The player said something, or closed its output."""
        if not instance.is_live:
            return
        data = instance.child.receive()
        if data is None:
            return
        if not data:
            self._output_closed(instance)
            return
        if instance.secret < 0:
            return  # after Stop nobody listens
        item, rest = self._protocol.split(instance.buffer + data if instance.buffer else data)
        instance.buffer = rest
        if item is None:
            if len(rest) > _MOST_LINE:
                detail = f"{_shown(rest)} goes on for over {_MOST_LINE >> 10} kB"
                self._fail(instance, "too much output", detail)
            return
        place = self._judged(instance, item)
        if place is None:
            return
        if rest and not rest.isspace():
            detail = f"{_shown(item)} was followed by {_shown(rest)} before any feedback"
            self._fail(instance, "too much output", detail)
            return
        self._answer(instance, place)

    def _output_closed(self, instance: _Instance) -> None:
        """It has ended, is about to, or has just closed its output; find out which."""
        gone = instance.child.watch() if instance.secret >= 0 else None
        if gone is None:
            self._gone(instance, has_ended=False)
            return
        self._selector.unregister(instance.child.stdout)
        instance.is_going = True
        self._selector.register(gone, selectors.EVENT_READ, partial(self._gone, instance))
        self._set_deadline(instance, self._now + _MOMENT)

    def _gone(self, instance: _Instance, has_ended: bool = True) -> None:
        if not instance.is_live:
            return
        how = self._drop(instance, has_ended)
        if instance.secret < 0:
            return
        if how is not None:
            self._charge(instance, "crash", how)
        elif instance.buffer:
            detail = f"{_shown(instance.buffer)} and the end, without a newline"
            self._charge(instance, "no newline", detail)
        else:
            self._charge(instance, "early close", "it closed its output in the middle of a game")

    def _judged(self, instance: _Instance, item: bytes) -> int | None:
        """The place of a guess that may be made; None if it was a fault."""
        place = self._known.get(item)
        if place is None:
            try:
                place = self._umpire.find(self._protocol.word(item))
            except GarbageError as error:
                self._fail(instance, "garbage", f"{_shown(item)}: {error}")
                return None
            if place is None:
                self._fail(instance, "unknown word", f"{_shown(item)} is not in the list")
                return None
            if len(self._known) < _REMEMBERED:
                self._known[item] = place
        why = self._umpire.objection(instance.history, place)
        if why is not None:
            self._fail(instance, "illegal guess", why)
            return None
        return place

    def _answer(self, instance: _Instance, place: int) -> None:
        """Make the guess; tell the feedback, or the end of the game and the next one."""
        code = instance.column.item(place)
        guesses = instance.guesses
        guesses.append(place)
        instance.history.append((place, code))
        secret = instance.secret
        is_over = self._umpire.is_over(guesses, secret)
        won = place == secret
        reply = self._replies.get((code, won, is_over))
        if reply is None:
            texts = self._umpire.text(code), self._umpire.text(self._umpire.winning)
            reply = self._protocol.feedback(*texts, won, is_over)
            self._replies[code, won, is_over] = reply
        if is_over:
            self._report(secret, guesses, won, None)
            self._send(instance, reply + self._next_game(instance))
        elif len(guesses) >= MOST_GUESSES and self._game.cap is None:
            self._fail(instance, "too many guesses", f"{len(guesses)} guesses and no end")
        else:
            deadline = min(self._now + self._limits.guess, instance.game_deadline)
            self._set_deadline(instance, deadline)
            self._send(instance, reply)


def _shown(said: bytes, most: int = 60) -> str:
    """The beginning of what was said, for an error message."""
    text = said.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= most else text[:most] + "…")
