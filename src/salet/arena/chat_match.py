"""Play all secrets with one chat model: concurrent games, each its own conversation."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable

from salet.arena.chat_client import (
    PER_GAME_ERRORS,
    ChatClient,
    ChatModel,
    EndpointError,
    StoppedError,
)
from salet.arena.outcomes import ChatLog, Fault, FaultReason, GameOutcome
from salet.arena.signals import StopRequest
from salet.arena.umpire import Contest
from salet.env.text import wording
from salet.env.text.dialogue import Dialogue
from salet.errors import InputError
from salet.game.game import Game

MAX_FAULTS = 5
"""Number of consecutive faults of the endpoint after which the run ends."""
_MAX_REPLY = 8000
"""Maximum number of characters of a reply that stay in the conversation."""
_POLL = 0.1


class ChatMatch:
    """Plays all secrets with one model; `on_outcome` is called with every finished game."""

    def __init__(
        self,
        contest: Contest,
        model: ChatModel,
        *,
        on_outcome: Callable[[GameOutcome], None],
        jobs: int = 1,
        secrets: Iterable[int] | None = None,
    ) -> None:
        """`secrets`: those still to be played (default: all); `jobs`: concurrent games."""
        self._contest = contest
        self._game = contest.game
        self._model = model
        self._client = ChatClient(model)
        self._on_outcome = on_outcome
        self._jobs = jobs
        self._remaining = deque(contest.secrets if secrets is None else secrets)
        self._results: queue.SimpleQueue[GameOutcome | BaseException | None] = queue.SimpleQueue()
        self._start = 0.0

    def run(self, stop: StopRequest) -> float:
        """Play all games; return the seconds until the last one ended.

        Raises an error if the endpoint refuses requests or stops responding; games that ended
        before have been passed to `on_outcome`.
        """
        self._start = time.monotonic()
        workers = [
            threading.Thread(target=self._work, daemon=True)
            for _ in range(min(self._jobs, len(self._remaining)))
        ]
        for worker in workers:
            worker.start()
        try:
            self._collect(len(workers), stop)
        finally:
            self._remaining.clear()
            self._client.stop()
            for worker in workers:
                worker.join()
        return time.monotonic() - self._start

    def _collect(self, workers: int, stop: StopRequest) -> None:
        """Pass results to `on_outcome` until every worker has ended."""
        faults = 0
        while workers:
            stop.raise_if_set()
            try:
                result = self._results.get(timeout=_POLL)
            except queue.Empty:
                continue
            if result is None:
                workers -= 1
            elif isinstance(result, EndpointError):
                raise InputError(f"{self._model.url}: {result.detail}")
            elif isinstance(result, BaseException):
                raise result
            else:
                self._on_outcome(result)
                failed = result.fault is not None and result.fault.reason in PER_GAME_ERRORS
                faults = faults + 1 if failed else 0
                if faults >= MAX_FAULTS and result.fault is not None:
                    raise InputError(
                        f"{self._model.url} failed in {faults} games in a row: "
                        f"{result.fault.detail}"
                    )

    def _work(self) -> None:
        """Play games until none is left; the last result is None."""
        try:
            while self._remaining:
                try:
                    secret = self._remaining.popleft()
                except IndexError:
                    break
                self._results.put(self._play(secret))
        except StoppedError:
            pass
        except BaseException as error:
            self._results.put(error)
        self._results.put(None)

    def _play(self, secret: int) -> GameOutcome:
        """Play one game; raises errors that end the run."""
        secrets = self._contest.answers(secret)
        dialogue = Dialogue(self._game, secrets, "retry", self._model.max_illegal)
        messages = [{"role": "user", "content": first_message(dialogue, self._model.show_answers)}]
        counts = _Counts()
        fault: Fault | None = None
        while not dialogue.over:
            asked = time.monotonic()
            try:
                reply = self._client.complete(messages)
            except EndpointError as error:
                if error.kind not in PER_GAME_ERRORS:
                    raise
                counts.add(self._model.retries, 0, 0, time.monotonic() - asked)
                reason: FaultReason = "timeout" if error.kind == "timeout" else "garbage"
                fault = Fault(reason, error.detail)
                break
            counts.add(reply.retries, reply.prompt_tokens, reply.completion_tokens, reply.seconds)
            answer = dialogue.guess(wording.read_guess(reply.content), reply.content)
            visible = wording.without_thinking(reply.content).strip()[-_MAX_REPLY:]
            messages.append({"role": "assistant", "content": visible})
            messages.append({"role": "user", "content": answer})
        if dialogue.forfeited and self._game.cap is None:
            fault = Fault("illegal guess", f"{dialogue.illegal_count} guesses were not allowed")
        return GameOutcome(
            secret=self._contest.text(secret),
            guesses=[word for word, _ in dialogue.state.turns],
            won=dialogue.won,
            fault=fault,
            at=round(time.monotonic() - self._start, 4),
            chat=counts.log(dialogue.illegal_count, messages),
        )


class _Counts:
    """Totals over the requests of a game."""

    def __init__(self) -> None:
        self.requests = self.retries = self.prompt_tokens = self.completion_tokens = 0
        self.seconds = 0.0

    def add(self, retries: int, prompt: int, completion: int, seconds: float) -> None:
        self.requests += 1
        self.retries += retries
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.seconds += seconds

    def log(self, illegal: int, messages: list[dict[str, str]]) -> ChatLog:
        return ChatLog(
            illegal=illegal,
            requests=self.requests,
            retries=self.retries,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            seconds=round(self.seconds, 4),
            messages=messages,
        )


def first_message(dialogue: Dialogue, show_answers: bool = False) -> str:
    """The rules, and how to reply."""
    game: Game = dialogue.game
    parts = [dialogue.rules()]
    if show_answers:
        parts.append(wording.answers_text(game))
    return "\n".join([*parts, wording.REPLY_FORMATS["brackets"]])
