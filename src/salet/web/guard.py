"""What stands before every request: who may ask, how much may be sent, which headers go out.

Plain ASGI, so that it sees a request before anything has read it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from types import MappingProxyType
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from salet.web.settings import Settings

COOKIE = "salet-token"

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
)
_OUT = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class RefusedError(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Guard:
    """Middleware: refuses what may not pass, and adds the security headers to all that goes out."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}

        async def send_out(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_OUT]
            await send(message)

        try:
            self._check_host(_text(headers, "host"))
            self._check_origin(scope["path"], headers)
            if self.settings.token is not None:
                if _has_token(scope, self.settings.token):
                    await _welcome(self.settings.token, send_out)
                    return
                self._check_token(headers, self.settings.token)
            whole = await self._body(receive, headers)
        except RefusedError as refused:
            await _refuse(refused, send_out)
            return
        await self.app(scope, whole, send_out)

    def _check_host(self, host: str) -> None:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name.lower() not in self.settings.hosts:
            known = " or ".join(self.settings.hosts)
            raise RefusedError(421, f"this server is not {name!r}; open it as {known}")

    def _check_origin(self, path: str, headers: Mapping[str, bytes]) -> None:
        """Other sites may link to the page, but not set its solver to work."""
        if path.startswith("/api/") and _text(headers, "sec-fetch-site") == "cross-site":
            raise RefusedError(
                403, "the API answers to its own page and to programs, not to others"
            )

    def _check_token(self, headers: Mapping[str, bytes], token: str) -> None:
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(_text(headers, "cookie"))
        except CookieError:
            cookies.clear()
        given = [_text(headers, "authorization").removeprefix("Bearer ")]
        if COOKIE in cookies:
            given.append(cookies[COOKIE].value)
        if not any(_same(text, token) for text in given):
            raise RefusedError(401, "open the link or the QR code that `salet web --lan` printed")

    async def _body(self, receive: Receive, headers: Mapping[str, bytes]) -> Receive:
        """Read the request whole, within its limits; what comes after is passed on."""
        limit = self.settings.body_bytes
        too_much = f"the request has over {limit // 1024} kB; a game is a few hundred characters"
        length = _text(headers, "content-length")
        if length.isdigit() and int(length) > limit:
            raise RefusedError(413, too_much)
        chunks: list[bytes] = []
        size = 0
        more = True
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        break  # the client has gone; the app will be told so
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > limit:
                        raise RefusedError(413, too_much)
                    more = message.get("more_body", False)
        except TimeoutError:
            seconds = self.settings.body_seconds
            raise RefusedError(408, f"the request did not arrive within {seconds:.0f} s") from None
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": b"".join(chunks), "more_body": False}

        return replay


def _text(headers: Mapping[str, bytes], name: str) -> str:
    return headers.get(name, b"").decode("latin-1")


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _has_token(scope: Scope, token: str) -> bool:
    """Is this the link that the QR code holds?"""
    given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
    return scope["path"] == "/" and any(_same(text, token) for text in given)


async def _welcome(token: str, send: Send) -> None:
    """Keep the token in a cookie, and take it out of the address."""
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"
    headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(refused: RefusedError, send: Send) -> None:
    body = json.dumps({"detail": refused.detail}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
