"""`salet web`: the site from this machine, with the standard library alone."""

from __future__ import annotations

import contextlib
import errno
import gzip
import importlib.util
import io
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

from salet.errors import InputError
from salet.site.files import digest

FIRST_PORT = 8420
TRIED_PORTS = 20

TYPES: Mapping[str, str] = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".tsv": "text/plain; charset=utf-8",
        ".svg": "image/svg+xml",
        ".png": "image/png",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
        ".webmanifest": "application/manifest+json",
    }
)
PACKED = frozenset({".png", ".woff2"})
"""what gzip would not make smaller"""
SECONDS = 30.0
"""a connection that says nothing for so long is closed"""


@dataclass(frozen=True)
class Asset:
    """One file as it is sent."""

    content: bytes
    zipped: bytes | None
    type: str
    tag: str
    """changes with the content: a browser that has this version need not load it again"""


def assets(files: Mapping[str, bytes]) -> Mapping[str, Asset]:
    """The files of a site, ready to be sent, by path; the page is also at the empty path."""
    found = {path: _asset(path, content) for path, content in files.items()}
    return MappingProxyType({"": found["index.html"], **found})


def _asset(path: str, content: bytes) -> Asset:
    suffix = PurePosixPath(path).suffix
    zipped = None if suffix in PACKED else gzip.compress(content, mtime=0)
    return Asset(content, zipped, TYPES[suffix], f'"{digest(content)}"')


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with a file; a request names a key of a dict, never a path on disk."""

    protocol_version = "HTTP/1.1"
    server_version = "salet"
    sys_version = ""
    timeout = SECONDS
    server: SiteServer

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if not self._is_for_us():
            return self._refuse(HTTPStatus.MISDIRECTED_REQUEST, body)
        path = unquote(urlsplit(self.path).path).removeprefix("/")
        asset = self.server.assets.get(path)
        if asset is None:
            return self._refuse(HTTPStatus.NOT_FOUND, body)
        if self.headers.get("If-None-Match") == asset.tag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self._common(asset)
            return self.end_headers()
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        content = asset.zipped if accepts and asset.zipped is not None else asset.content
        self.send_response(HTTPStatus.OK)
        self._common(asset)
        self.send_header("Content-Type", asset.type)
        self.send_header("Content-Length", str(len(content)))
        if content is asset.zipped:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if body:
            self.wfile.write(content)
        return None

    def _common(self, asset: Asset) -> None:
        self.send_header("ETag", asset.tag)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")

    def _refuse(self, status: HTTPStatus, body: bool) -> None:
        content = f"{status.phrase}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _is_for_us(self) -> bool:
        """Whether the request names this server: a page elsewhere must not read a list of one's own
        through a name that it has pointed here."""
        host = self.headers.get("Host", "")
        return urlsplit(f"//{host}").hostname in self.server.names

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing about who asks for what."""


class SiteServer(ThreadingHTTPServer):
    """Serves the files of a site until it is shut down."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, endpoint: Endpoint, files: Mapping[str, bytes]) -> None:
        super().__init__(endpoint.socket.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = endpoint.socket
        self.names = endpoint.names
        self.assets = assets(files)
        self._open: set[socket.socket] = set()

    def get_request(self) -> tuple[socket.socket, Any]:
        """The next connection."""
        request, client = super().get_request()
        self._open.add(request)
        return request, client

    def shutdown_request(self, request: Any) -> None:
        """End one connection."""
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Close the port, and the connections that browsers keep open."""
        super().server_close()
        for request in list(self._open):
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that close their connection."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


@dataclass(frozen=True)
class Endpoint:
    """Where the server listens, and what it is called."""

    socket: socket.socket
    address: str
    """as a browser takes it"""
    names: frozenset[str]
    """host names under which it may be asked"""


def listen(host: str = "127.0.0.1", port: int | None = None, lan: bool = False) -> Endpoint:
    """Take a port: the given one, or the first free one; with `lan` on all addresses."""
    everywhere = lan or host in ("0.0.0.0", "::")
    own = lan_address() if everywhere else host
    bound = _bind("0.0.0.0" if lan else host, port)
    number = bound.getsockname()[1]
    shown = f"[{own}]" if ":" in own else own
    machine = socket.gethostname().lower()
    names = {"127.0.0.1", "localhost", "::1", own.lower(), machine, f"{machine}.local"}
    return Endpoint(bound, f"http://{shown}:{number}/", frozenset(names))


def _bind(host: str, port: int | None) -> socket.socket:
    tried = range(FIRST_PORT, FIRST_PORT + TRIED_PORTS) if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in tried:
        bound = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # there it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, number))
            bound.listen(64)  # from here on the port is taken
            return bound
        except OSError as error:
            bound.close()
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot listen on {host}, port {number}: {reason}") from None
    raise InputError(f"ports {FIRST_PORT} to {tried[-1]} are all in use; give another with --port")


def lan_address() -> str:
    """This machine's address on its network. Nothing is sent: connecting a datagram socket only
    looks up the route."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for documentation, beyond any home
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def qr_code(text: str) -> str | None:
    """A QR code to print in a terminal; None without the extra `qr`."""
    if importlib.util.find_spec("segno") is None:
        return None
    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()
