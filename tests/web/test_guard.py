"""Who may ask, and how much may be sent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from salet.web.guard import COOKIE, Guard
from salet.web.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8420", "localhost:1", "[::1]:8420"])
def test_the_own_names_are_known(client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8420", ""]
)
def test_a_foreign_name_is_refused(client, host: str) -> None:
    """Or a page could reach this server through a name that it points at 127.0.0.1."""
    found = client.get("/api/games", headers={"host": host})
    assert found.status_code == 421
    assert "open it as 127.0.0.1" in found.json()["detail"]


def test_other_sites_may_link_but_not_ask(client) -> None:
    foreign = {"sec-fetch-site": "cross-site"}
    assert client.get("/", headers=foreign).status_code == 200
    assert client.get("/api/games", headers=foreign).status_code == 403
    assert client.get("/api/games", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_a_body_may_be_so_large(make_client) -> None:
    client = make_client(body_bytes=1000)
    headers = {"content-type": "application/json"}
    for content in (b"x" * 1001, (part for part in [b"x" * 600, b"x" * 600])):
        found = client.post("/api/play", content=content, headers=headers)
        assert found.status_code == 413
        assert "kB" in found.json()["detail"]
    assert client.post("/api/play", json={"number": 1, "game": "original"}).status_code == 200


def test_ten_megabytes_are_refused_by_their_length(client) -> None:
    found = client.post("/api/analyse", json={"text": "crane " * 1_700_000})
    assert found.status_code == 413


def test_a_body_that_does_not_come(make_client) -> None:
    """A client that promises a body and sends none keeps nothing waiting."""
    settings = Settings(body_seconds=0.05)
    sent: list[dict[str, Any]] = []

    async def app(*_: object) -> None:
        raise AssertionError("the request is not whole")

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "path": "/api/play",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-length", b"5")],
    }
    asyncio.run(Guard(app, settings)(scope, receive, send))
    assert sent[0]["status"] == 408


@pytest.fixture(scope="module")
def guarded(make_client):
    return make_client(token="secret-token")


def test_without_the_token_nothing_is_told(guarded) -> None:
    for path in ("/", "/main.js", "/api/games", "/api/openapi.json", "/?token=wrong"):
        found = guarded.get(path)
        assert found.status_code == 401
        assert "salet web --lan" in found.json()["detail"]
        assert "default-src 'none'" in found.headers["content-security-policy"]
    for value in ("wrong", "", "ü", '"'):
        cookie = f"{COOKIE}={value}".encode()
        assert guarded.get("/", headers={"cookie": cookie}).status_code == 401


def test_the_link_leaves_a_cookie_and_a_clean_address(guarded) -> None:
    found = guarded.get("/?token=secret-token", follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, "/")
    cookie = found.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=secret-token;")
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    guarded.cookies.clear()
    kept = {"cookie": f"other=1; {COOKIE}=secret-token"}
    assert guarded.get("/", headers=kept).status_code == 200
    assert guarded.get("/api/games?token=secret-token").status_code == 401


def test_programs_send_the_token_in_a_header(guarded) -> None:
    guarded.cookies.clear()
    headers = {"authorization": "Bearer secret-token"}
    assert guarded.get("/api/games", headers=headers).status_code == 200
