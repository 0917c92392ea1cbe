"""Requests to endpoints that hang, stream garbage, refuse, limit the rate, or are not there."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from chat_server import ChatServer, send, serving
from salet.arena import chat_client
from salet.arena.chat_client import ChatClient, ChatModel, EndpointError, StoppedError
from salet.errors import InputError

ASKED = [{"role": "user", "content": "Hello"}]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_client, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(chat_client, "MAX_PAUSE", 0.002)


def client(server: ChatServer, **options) -> ChatClient:
    return ChatClient(ChatModel(server.url, "small", **options))


def test_a_reply_with_its_tokens_and_what_was_sent() -> None:
    with serving(lambda *_: "[crane]") as server:
        found = client(server, key="k", temperature=0.5, max_tokens=9).complete(ASKED)
    assert (found.content, found.prompt_tokens, found.completion_tokens) == ("[crane]", 10, 3)
    assert found.retries == 0
    assert server.keys == ["Bearer k"]
    assert server.requests == [
        {"model": "small", "messages": ASKED, "stream": False, "temperature": 0.5, "max_tokens": 9}
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "[cr"}, {"type": "image"}, {"text": "ane]"}, 7], "[crane]"),
        (None, ""),
        (17, ""),
    ],
)
def test_other_forms_of_content(content, text: str) -> None:
    with serving(lambda _, __, handler: server.answer(handler, content)) as server:
        assert client(server).complete(ASKED).content == text


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (0, 0)),
        ("many", (0, 0)),
        ({"prompt_tokens": "x", "completion_tokens": 3}, (0, 3)),
        ({"prompt_tokens": 12.0, "completion_tokens": -1}, (12, 0)),
    ],
)
def test_a_reply_counts_whatever_its_tokens_are(usage, counts) -> None:
    reply = {"choices": [{"message": {"content": "[crane]"}}], "usage": usage}

    def script(_, __, handler):
        send(handler, 200, json.dumps(reply).encode())

    with serving(script) as server:
        found = client(server).complete(ASKED)
    assert found.content == "[crane]"
    assert (found.prompt_tokens, found.completion_tokens) == counts


@pytest.mark.parametrize("status", [429, 500, 503, 529, 408])
def test_what_passes_is_tried_again(status: int) -> None:
    def script(number, _, handler):
        if number < 2:
            send(handler, status, b'{"error": {"message": "wait"}}', Retry_After="1")
            return None
        return "[crane]"

    with serving(script) as server:
        found = client(server).complete(ASKED)
    assert (found.content, found.retries, len(server.requests)) == ("[crane]", 2, 3)


@pytest.mark.parametrize(
    ("status", "kind", "requests"),
    [(429, "rate limited", 3), (503, "server error", 3), (401, "refused", 1), (404, "refused", 1),
     (400, "refused", 1), (302, "refused", 1)],
)  # fmt: skip
def test_what_does_not_pass(status: int, kind: str, requests: int) -> None:
    def script(_, __, handler):
        send(handler, status, b'{"error": {"message": "no\\n such model"}}')

    with serving(script) as server:
        with pytest.raises(EndpointError) as caught:
            client(server, retries=2).complete(ASKED)
        assert len(server.requests) == requests
    assert caught.value.kind == kind
    assert str(status) in caught.value.detail and "'no such model'" in caught.value.detail


@pytest.mark.parametrize(
    "data",
    [
        b"", b"<html>hello</html>", b'{"choices": []}', b'{"choices": [{}]}', b"[1, 2]",
        b"\xff\xfe", b'data: {"choices"', b'{"choices": [{"message": {"content": "\\ud800"}}]}',
        b'{"choices": [{"message": {}}], "usage": ' + b"[" * 200_000,
    ],
)  # fmt: skip
def test_garbage_is_no_reply(data: bytes) -> None:
    with serving(lambda _, __, handler: send(handler, 200, data)) as server:
        with pytest.raises(EndpointError) as caught:
            client(server, retries=1).complete(ASKED)
        assert len(server.requests) == 2
    assert caught.value.kind == "garbage"
    assert len(caught.value.detail) < 500 and "\n" not in caught.value.detail


def test_garbage_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_client, "MAX_BYTES", 1 << 16)

    def script(_, __, handler):
        handler.send_response(200)
        handler.end_headers()
        while not server.release.is_set():
            handler.wfile.write(b"data: nonsense\n\n" * 1000)

    with serving(script) as server, pytest.raises(EndpointError) as caught:
        client(server, retries=0).complete(ASKED)
    assert caught.value.kind == "garbage"


def test_what_is_no_http_at_all() -> None:
    def script(_, __, handler):
        handler.wfile.write(b"\x00\x01 nothing that a browser would like\r\n\r\n")

    with serving(script) as server, pytest.raises(EndpointError) as caught:
        client(server, retries=0).complete(ASKED)
    assert caught.value.kind == "garbage"


@pytest.mark.parametrize("header", [None, ("Content-Length", "1000000"), ("Connection", "close")])
def test_an_endpoint_that_hangs_is_given_up(header: tuple[str, str] | None) -> None:
    """Also one that sends a byte now and then, so that no single read takes long."""

    def script(_, __, handler):
        if header is not None:
            handler.send_response(200)
            handler.send_header(*header)
            handler.end_headers()
        while not server.release.wait(0.005):
            if header is not None:
                handler.wfile.write(b" ")
                handler.wfile.flush()

    with serving(script) as server, pytest.raises(EndpointError) as caught:
        client(server, retries=1, timeout=0.05).complete(ASKED)
    assert (caught.value.kind, caught.value.detail) == ("timeout", "no reply within 0.05 s")


def test_nobody_is_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(EndpointError) as caught:
            ChatClient(ChatModel(f"http://127.0.0.1:{port}", "m", retries=1)).complete(ASKED)
    assert (caught.value.kind, caught.value.detail) == (
        "no connection",
        "no connection: connection refused",
    )


def test_a_connection_that_breaks_off_is_tried_again() -> None:
    def script(number, _, handler):
        if number:
            return "[crane]"
        handler.connection.shutdown(socket.SHUT_RDWR)
        return None

    with serving(script) as server:
        assert client(server).complete(ASKED).retries == 1


def test_a_stop_ends_requests_that_wait() -> None:
    asked = threading.Event()

    def script(*_):
        asked.set()
        server.release.wait()

    with serving(script) as server:
        waiting = client(server)
        found: list[BaseException] = []

        def ask() -> None:
            try:
                waiting.complete(ASKED)
            except BaseException as error:
                found.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        asked.wait()
        waiting.stop()
        thread.join()
    assert [type(error) for error in found] == [StoppedError]


def test_nested_errors_are_refusals() -> None:
    nested = b"[" * 200_000
    with (
        serving(lambda _, __, handler: send(handler, 400, nested)) as server,
        pytest.raises(EndpointError, match="400") as caught,
    ):
        client(server).complete(ASKED)
    assert caught.value.kind == "refused" and len(caught.value.detail) < 500


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "ftp://host/", "http://", "", "http://a:b/", "http://a:99999/", "http://[::1/",
     f"http://{'a' * 70}.test/", "http://host/v 1", "http://host/é"],
)  # fmt: skip
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(InputError, match="--model"):
        ChatModel(url, "m")


def test_a_name_is_needed_and_the_key_is_shown_nowhere() -> None:
    with pytest.raises(InputError, match="--name is empty"):
        ChatModel("http://localhost", " ")
    with pytest.raises(InputError, match="is not text"):
        ChatModel("http://localhost", "m\udcff")
    for key in ("sesame\nopen", "sesamé"):
        with pytest.raises(InputError, match="key has a line break") as caught:
            ChatModel("http://localhost", "m", key=key)
        assert "sesam" not in str(caught.value)
    with pytest.raises(InputError, match="a user or a password") as caught:
        ChatModel("http://me:sesame@localhost/v1", "m")
    assert "sesame" not in str(caught.value)
    model = ChatModel("http://localhost/v1", "m", key="sesame", temperature=0.0)
    assert "sesame" not in repr(model) + model.describe()
    assert model.describe() == "m at http://localhost/v1 temperature=0.0"
