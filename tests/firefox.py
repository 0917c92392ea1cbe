"""Debian's Firefox, driven through Marionette: what Firefox itself speaks, JSON over a socket.

Playwright drives Firefox only in a build of its own, and Debian has no geckodriver.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

FIREFOX = Path("/usr/bin/firefox-esr")
PATIENCE = 120.0
"""Seconds until a busy machine has shown what is waited for."""
_SETTINGS: dict[str, Any] = {
    "marionette.port": 0,  # any that is free; Firefox writes which
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "security.fileuri.strict_origin_policy": True,
}


class Firefox:
    """One window of a Firefox that knows nothing yet."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._stream = self._socket.makefile("rb")
        self._count = 0
        self._receive()  # its greeting
        self.send(
            "WebDriver:NewSession",
            capabilities={"alwaysMatch": {"unhandledPromptBehavior": "ignore"}},
        )

    def send(self, command: str, **parameters: Any) -> Any:
        """The result of a command."""
        self._count += 1
        message = json.dumps([0, self._count, command, parameters])
        self._socket.sendall(f"{len(message)}:{message}".encode("ascii"))
        _, _, error, result = self._receive()
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result

    def _receive(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self._stream.read(1)
        return json.loads(self._stream.read(int(size[:-1])))

    def size(self, width: int, height: int) -> None:
        """Resize the window."""
        self.send("WebDriver:SetWindowRect", width=width, height=height)

    def go(self, address: str) -> None:
        """Open an address."""
        self.send("WebDriver:Navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression of JavaScript in the page."""
        return self.send("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]

    def wait(self, script: str) -> Any:
        """The value of an expression as soon as it is not empty."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < end, (
                f"never true: {script}; the page shows {self.text()[:800]}"
            )
            time.sleep(0.05)
        return value

    def text(self) -> str:
        """What the page shows."""
        return str(self.run("document.body.innerText"))

    def keys(self, text: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.send(
            "WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def close(self) -> None:
        """End Firefox."""
        with suppress(OSError, AssertionError):
            self.send("Marionette:Quit", flags=["eForceQuit"])
        self._socket.close()


@contextmanager
def launched(folder: Path) -> Iterator[Firefox]:
    """A Firefox whose profile and home are in this folder, while the block lasts."""
    profile = folder / "profile"
    profile.mkdir(parents=True)
    lines = [f'user_pref("{name}", {json.dumps(value)});\n' for name, value in _SETTINGS.items()]
    (profile / "user.js").write_text("".join(lines), "utf-8")
    environment = {**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1", "TMPDIR": str(folder)}
    command = [str(FIREFOX), "--marionette", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            browser = Firefox(_port(profile / "MarionetteActivePort", process))
            try:
                yield browser
            finally:
                browser.close()
        finally:
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    """The port that Firefox chose, once it has."""
    end = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, ValueError):
            return int(file.read_text("ascii"))
        assert process.poll() is None, f"Firefox ended with status {process.returncode}"
        assert time.monotonic() < end, "Firefox does not start"
        time.sleep(0.05)
