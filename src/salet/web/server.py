"""Running the page: a socket, an address, and the server behind it."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import importlib.util
import secrets
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass

from salet.errors import InputError, MissingExtraError
from salet.web.settings import Settings

FIRST_PORT = 8420
TRIED_PORTS = 20
PREPARED = ("nyt",)
"""what the page opens with"""


@dataclass(frozen=True)
class Place:
    """Where the server listens, and what it is called."""

    socket: socket.socket
    address: str
    """as a browser takes it, with the token where there is one"""
    settings: Settings


def check_extra() -> None:
    """Refuse to begin without the extra `web`."""
    if not all(importlib.util.find_spec(name) for name in ("fastapi", "uvicorn", "segno")):
        raise MissingExtraError("the web page", "web")


def listen(host: str = "127.0.0.1", port: int | None = None, lan: bool = False) -> Place:
    """Take a port (the first free one from 8420 unless one is asked for).

    With `lan` the page is served to the home network, behind a random token.
    """
    bound = _bind("0.0.0.0" if lan else host, port)
    number = bound.getsockname()[1]
    if lan:
        name = lan_address()
        token = secrets.token_urlsafe(16)
        hosts = _names(name, socket.gethostname().lower())
        address = f"http://{name}:{number}/?token={token}"
        return Place(bound, address, Settings(hosts=hosts, token=token, prepared=PREPARED))
    shown = f"[{host}]" if ":" in host else host
    settings = Settings(hosts=_names(shown.lower()), prepared=PREPARED)
    return Place(bound, f"http://{shown}:{number}/", settings)


def _names(*own: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*own, *Settings().hosts]))


def _bind(host: str, port: int | None) -> socket.socket:
    tried = range(FIRST_PORT, FIRST_PORT + TRIED_PORTS) if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in tried:
        bound = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # there it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, number))
            bound.listen()  # from here on the port is taken
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


def qr_code(text: str) -> str:
    """A QR code to print in a terminal."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def _give_memory_back() -> None:
    """Let glibc return what a search has freed: by default every thread keeps its own heap, and the
    memory of many short searches adds up. Other systems do without."""
    arenas, threshold = -8, -3  # M_ARENA_MAX, M_MMAP_THRESHOLD
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(arenas, 2)
        libc.mallopt(threshold, 128 * 1024)


def serve(place: Place, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C; calls `ready` when connections are taken."""
    import uvicorn

    from salet.web.app import create_app

    _give_memory_back()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        create_app(place.settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=place.settings.connections,
        timeout_graceful_shutdown=2,
    )
    with contextlib.suppress(KeyboardInterrupt), place.socket:
        Server(config).run([place.socket])
