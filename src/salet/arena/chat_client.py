"""A client for chat endpoints compatible with OpenAI's API, using only the standard library.

A request ends at its deadline whatever the endpoint does: a watchdog closes the connection.
Transient errors are retried, with exponential backoff or after the pause that the endpoint
requests.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from salet.errors import InputError

MAX_BYTES = 8 << 20
"""Largest response that is read."""
FIRST_PAUSE, MAX_PAUSE = 0.5, 60.0
"""Seconds before a retry: the first pause, which is doubled each time, and the longest."""
_RETRIED_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that are retried."""
_SHOWN = 200

ErrorKind = Literal[
    "timeout", "garbage", "refused", "rate limited", "server error", "no connection"
]
PER_GAME_ERRORS = ("timeout", "garbage")
"""Errors of a single request, which fail one game; any other error ends the run."""


class EndpointError(Exception):
    """A request failed and is not retried."""

    def __init__(self, kind: ErrorKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class StoppedError(Exception):
    """The run was stopped during a request."""


@dataclass(frozen=True)
class ChatModel:
    """A model behind an endpoint, with the parameters of its requests."""

    url: str
    """as http://localhost:8000/v1"""
    name: str
    key: str | None = field(default=None, repr=False)
    """sent as a bearer token; never stored"""
    temperature: float | None = None
    max_tokens: int | None = None
    timeout: float = 300.0
    """seconds for a request"""
    retries: int = 4
    """number of times a failed request is repeated"""
    max_illegal: int = 3
    """illegal guesses that lose a game"""
    show_answers: bool = False
    """whether the model is shown the list of answers"""

    def __post_init__(self) -> None:
        _check_url(self.url)
        if not self.name.strip():
            raise InputError(
                "--name is empty; give the name under which the endpoint has the model"
            )
        if not _is_text(self.name):
            raise InputError(f"--name {self.name!r} is not text")
        if self.key is not None and not (self.key.isascii() and self.key.isprintable()):
            # the key itself is shown nowhere
            raise InputError(
                "the endpoint's key has a line break or another character that a key cannot have; "
                "check the environment variable that it is read from"
            )

    def describe(self) -> str:
        """The model in results and journals: everything that affects its play; not the key."""
        options = {
            "temperature": self.temperature,
            "max-tokens": self.max_tokens,
            "max-illegal": None if self.max_illegal == 3 else self.max_illegal,
            "show-answers": self.show_answers or None,
        }
        shown = [f"{key}={value}" for key, value in options.items() if value is not None]
        return " ".join([f"{self.name} at {self.url}", *shown])


def _check_url(url: str) -> None:
    """Refuse what is not the address of an endpoint."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host.encode("idna")
        is_address = parts.scheme in ("http", "https") and host != ""
    except ValueError:
        is_address = False
    if not is_address:
        raise InputError(
            f"--model {url!r} is not an address; give one such as http://localhost:8000/v1"
        )
    if parts.username is not None:
        raise InputError(
            "--model has a user or a password in its address; give the key in the environment "
            "variable that --key-env names"
        )
    try:
        parts.port  # noqa: B018  (raises if it is not a number)
    except ValueError:
        raise InputError(f"--model {url!r}: the port is not a number up to 65535") from None
    if not all("!" <= character <= "~" for character in parts.path + parts.query):
        raise InputError(
            f"--model {url!r}: write spaces and accented letters in the path as %20, %C3%A9 …"
        )


def _is_text(name: str) -> bool:
    """False for bytes of the command line that are not UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True)
class Completion:
    """A model's reply with its token counts and time."""

    content: str
    prompt_tokens: int
    completion_tokens: int
    retries: int
    seconds: float


class _Message(msgspec.Struct):
    content: Any = None


class _Choice(msgspec.Struct):
    message: _Message


class _Response(msgspec.Struct):
    choices: list[_Choice]
    usage: Any = None
    """token counts; a reply is played without them, too"""


class ChatClient:
    """Sends requests to one model. Thread-safe; `stop` ends all requests at once."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self._stopped = threading.Event()
        self._open: set[_Link] = set()
        self._lock = threading.Lock()

    def stop(self) -> None:
        """End all requests; they raise StoppedError."""
        self._stopped.set()
        with self._lock:
            for link in self._open:
                link.shut()

    def complete(self, messages: list[dict[str, str]]) -> Completion:
        """The model's reply to a conversation; raises EndpointError if there is none."""
        body = self._body(messages)
        start = time.monotonic()
        for attempt in range(self.model.retries + 1):
            try:
                response = self._ask(body)
            except _TransientError as transient:
                if attempt == self.model.retries:
                    raise transient.error from None
                pause = min(MAX_PAUSE, max(transient.pause, FIRST_PAUSE * 2.0**attempt))
                if self._stopped.wait(pause):
                    raise StoppedError from None
                continue
            return Completion(
                content=_text_of(response.choices[0].message.content),
                prompt_tokens=_count_of(response.usage, "prompt_tokens"),
                completion_tokens=_count_of(response.usage, "completion_tokens"),
                retries=attempt,
                seconds=time.monotonic() - start,
            )
        raise AssertionError("the last attempt returns or raises")

    def _body(self, messages: list[dict[str, str]]) -> bytes:
        model = self.model
        fields: dict[str, Any] = {"model": model.name, "messages": messages, "stream": False}
        if model.temperature is not None:
            fields["temperature"] = model.temperature
        if model.max_tokens is not None:
            fields["max_tokens"] = model.max_tokens
        return msgspec.json.encode(fields)

    def _ask(self, body: bytes) -> _Response:
        """Send one request; raises _TransientError or EndpointError."""
        link = _Link(_connection(self.model))
        with self._lock:
            self._open.add(link)
        late = threading.Event()

        def end() -> None:
            late.set()
            link.shut()

        watchdog = threading.Timer(self.model.timeout, end)
        watchdog.daemon = True
        watchdog.start()
        try:
            status, reason, pause, data = _exchange(link, self.model, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if self._stopped.is_set():
                raise StoppedError from None
            raise _TransientError(self._endpoint_error(error, late.is_set())) from None
        finally:
            watchdog.cancel()
            watchdog.join()
            with self._lock:
                self._open.discard(link)
            link.connection.close()
        if self._stopped.is_set():
            raise StoppedError
        if late.is_set():
            raise _TransientError(self._endpoint_error(None, True))
        return self._read(status, reason, pause, data)

    def _endpoint_error(self, error: Exception | None, is_late: bool) -> EndpointError:
        if is_late or isinstance(error, TimeoutError):
            return EndpointError("timeout", f"no reply within {self.model.timeout:g} s")
        if isinstance(error, http.client.RemoteDisconnected) or (
            isinstance(error, OSError) and not isinstance(error, http.client.HTTPException)
        ):
            return EndpointError("no connection", f"no connection: {_reason(error)}")
        return EndpointError("garbage", f"the reply is not HTTP: {_reason(error)}")

    def _read(self, status: int, reason: str, pause: float, data: bytes) -> _Response:
        """Parse the body of a response."""
        if status != 200:
            detail = f"{status} {reason}: {_shown(_error_message(data))}"
            if status == 429:
                raise _TransientError(EndpointError("rate limited", detail), pause)
            if status in _RETRIED_STATUSES:
                raise _TransientError(EndpointError("server error", detail), pause)
            raise EndpointError("refused", detail)
        if len(data) > MAX_BYTES:
            raise _TransientError(
                EndpointError("garbage", f"the reply has more than {MAX_BYTES >> 20} MB")
            )
        try:
            response = msgspec.json.decode(data, type=_Response)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            detail = f"the reply {_shown(data)} is not a chat completion: {error}"
            raise _TransientError(EndpointError("garbage", detail)) from None
        if not response.choices:
            raise _TransientError(EndpointError("garbage", "the reply has no choices"))
        return response


class _TransientError(Exception):
    """A request failed and should be retried after a pause."""

    def __init__(self, error: EndpointError, pause: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.pause = pause


@dataclass(eq=False)
class _Link:
    """A connection and its socket, which the connection itself forgets once the endpoint has said
    that it will close it, while the reply is still being read."""

    connection: http.client.HTTPConnection
    socket: socket.socket | None = None
    is_shut: bool = False

    def connect(self) -> None:
        self.connection.connect()
        self.socket = self.connection.sock
        if self.is_shut:
            raise TimeoutError

    def shut(self) -> None:
        """End whatever another thread is waiting for."""
        self.is_shut = True
        if self.socket is not None:
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)


def _connection(model: ChatModel) -> http.client.HTTPConnection:
    parts = urlsplit(model.url)
    assert parts.hostname is not None
    if parts.scheme == "https":
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=model.timeout)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=model.timeout)


def _exchange(link: _Link, model: ChatModel, body: bytes) -> tuple[int, str, float, bytes]:
    """Send a request; return status, reason, the pause that the endpoint asks for, and the body."""
    parts = urlsplit(model.url)
    path = parts.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path += "/chat/completions"
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if model.key:
        headers["Authorization"] = f"Bearer {model.key}"
    link.connect()
    target = f"{path}?{parts.query}" if parts.query else path
    link.connection.request("POST", target, body, headers)
    response = link.connection.getresponse()
    asked = response.getheader("Retry-After") or ""
    pause = float(asked) if asked.strip().isdigit() else 0.0
    return response.status, response.reason, pause, response.read(MAX_BYTES + 1)


def _count_of(usage: Any, name: str) -> int:
    """A token count; 0 if the endpoint gives none."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return int(count) if isinstance(count, int | float) and 0 <= count < 1e15 else 0


def _text_of(content: Any) -> str:
    """The text of a message, which is a string or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _error_message(data: bytes) -> bytes | str:
    """The message of an error response; the raw body if it has another form."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return data
    error = found.get("error", found) if isinstance(found, dict) else found
    message = error.get("message", error) if isinstance(error, dict) else error
    return str(message)


def _shown(data: bytes | str) -> str:
    text = data if isinstance(data, str) else data[: 4 * _SHOWN].decode("utf-8", "replace")
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…")


def _reason(error: Exception | None) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
