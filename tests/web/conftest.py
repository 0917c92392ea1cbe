"""The page under test: in this process through a client, and as a real server for browsers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from needs import needs

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="session")
def make_client() -> Iterator[Callable[..., TestClient]]:
    """Makes a client of an application with these settings."""
    from starlette.testclient import TestClient

    from salet.web.app import create_app
    from salet.web.settings import Settings

    opened: list[TestClient] = []

    def make(**settings: Any) -> TestClient:
        app = create_app(Settings(**settings))
        client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=True)
        opened.append(client.__enter__())
        return client

    yield make
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def client(make_client) -> TestClient:
    """A client of an application as it comes."""
    return make_client()


class Server:
    """A running `salet web`."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "salet", "web", "--no-browser", "--json", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            line = self.process.stdout.readline()
            if not line:
                self.stop()
                raise AssertionError(f"the server did not start: {self.errors}")
            text += line
        told = json.loads(text)
        self.address: str = told["address"]
        self.token: str | None = told["token"]

    def stop(self) -> int:
        """End it as Ctrl-C does; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, self.errors = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, self.errors = self.process.communicate()
        return self.process.returncode


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a running server that has met its first question."""
    running = Server()
    try:
        warm = {"game": "original", "rows": [{"guess": "salet", "feedback": "BBBBG"}]}
        httpx.post(f"{running.address}api/suggest", json=warm, timeout=300).raise_for_status()
        yield running.address
    finally:
        running.stop()


@pytest.fixture
def run_server() -> Iterator[Callable[..., Server]]:
    """Starts servers with options; they end with the test."""
    started: list[Server] = []

    def run(*options: str) -> Server:
        started.append(Server(*options))
        return started[-1]

    yield run
    for running in started:
        running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium. It ends with its module: Playwright's event loop runs in this thread, and
    other tests run loops of their own."""
    needs(CHROMIUM.exists(), "chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()
