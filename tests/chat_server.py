"""A chat endpoint on loopback that says what a test tells it to, and records what it is asked."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Messages = list[dict[str, str]]


class _Server(ThreadingHTTPServer):
    """Closing it waits for all replies; players that hang up are not worth a message."""

    daemon_threads = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class ChatServer:
    """`script` is called with (number of the request, messages) and returns a reply as text, or
    does something else with the handler."""

    def __init__(self, script: Callable[[int, Messages, Any], str | None]) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.lock = threading.Lock()
        self.release = threading.Event()
        """set when the test is over: hanging replies end"""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    number = len(outer.requests)
                    outer.requests.append(body)
                    outer.keys.append(self.headers.get("Authorization"))
                self.close_connection = True
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    reply = outer.script(number, body["messages"], self)
                    if reply is not None:
                        outer.answer(self, reply)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def answer(self, handler: Any, content: Any) -> None:
        """Send a completion with this content."""
        message = {"role": "assistant", "content": content}
        fields = {
            "id": "c1",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13},
        }
        send(handler, 200, json.dumps(fields).encode())


def send(handler: Any, status: int, data: bytes, **headers: str) -> None:
    """Send a whole response."""
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(data)


@contextlib.contextmanager
def serving(script: Callable[[int, Messages, Any], str | None]) -> Iterator[ChatServer]:
    """A server that ends with the block."""
    found = ChatServer(script)
    thread = threading.Thread(target=found.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield found
    finally:
        found.release.set()
        found.server.shutdown()
        thread.join()
        found.server.server_close()
