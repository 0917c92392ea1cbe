"""The server: files by name, nothing else, on an address that is said."""

from __future__ import annotations

import gzip
import http.client
import json
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from salet.cli import main
from salet.errors import InputError
from salet.site import server as server_module
from salet.site.server import FIRST_PORT, lan_address, listen, qr_code


def ask(address: str, path: str = "/", method: str = "GET", **headers: str):
    """(status, headers, body) of one request."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_every_file_is_served_as_what_it_is(server, files) -> None:
    status, headers, body = ask(server)
    assert (status, body) == (200, files["index.html"])
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"
    for path, content in files.items():
        status, headers, body = ask(server, f"/{path}")
        assert (status, body) == (200, content), path
    assert ask(server, "/engine/kernels.wasm")[1]["Content-Type"] == "application/wasm"


def test_sent_small_and_only_once(server, files) -> None:
    _, headers, body = ask(server, "/app.js?anything", **{"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == files["app.js"]
    assert len(body) < len(files["app.js"]) / 2
    again = ask(server, "/app.js", **{"If-None-Match": headers["ETag"]})
    assert (again[0], again[2]) == (304, b"")
    head = ask(server, "/app.js", "HEAD")
    assert (head[0], head[2]) == (200, b"")
    assert int(head[1]["Content-Length"]) == len(files["app.js"])


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/data/",
        "/api",
    ],
)
def test_nothing_else_is_served(server, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_only_reading_and_only_by_its_own_names(server) -> None:
    assert ask(server, "/", "POST")[0] == 501
    assert ask(server, "/", "DELETE")[0] == 501
    port = urlsplit(server).port
    assert ask(server, Host=f"localhost:{port}")[0] == 200
    for stranger in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", ""):
        assert ask(server, Host=stranger)[0] == 421


def test_a_free_port_is_found() -> None:
    with listen().socket as one, listen().socket as another:
        ports = [bound.getsockname()[1] for bound in (one, another)]
        assert FIRST_PORT <= ports[0] < ports[1]


def test_this_machine_has_an_address_on_its_network() -> None:
    assert len(socket.inet_aton(lan_address())) == 4


def test_a_port_in_use_is_said() -> None:
    place = listen(port=0)
    with place.socket as bound:
        port = bound.getsockname()[1]
        assert place.address == f"http://127.0.0.1:{port}/"
        with pytest.raises(InputError, match=f"port {port}: address already in use"):
            listen(port=port)


def test_an_address_that_is_not_ours() -> None:
    with pytest.raises(InputError, match=r"192\.0\.2\.1"):
        listen("192.0.2.1", 0)


def test_the_code_for_the_phone() -> None:
    """Two rows of modules a line, in half blocks, with the quiet border that readers need."""
    drawn = qr_code("http://192.168.1.5:8420/")
    assert drawn is not None
    assert len(drawn.rstrip("\n").splitlines()) > 12
    assert set(drawn) <= set("█▀▄ \n\x1b[0123456789;m")


def test_without_the_extra_there_is_no_code(monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert qr_code("http://192.168.1.5:8420/") is None


def test_the_home_network_is_served_under_this_machine_s_address(monkeypatch) -> None:
    bound = []

    def bind(host: str, port: int | None) -> socket.socket:
        bound.append(host)
        return real("127.0.0.1", port)  # a test stays on this machine

    real = server_module._bind
    monkeypatch.setattr(server_module, "_bind", bind)
    monkeypatch.setattr(server_module, "lan_address", lambda: "192.168.1.5")
    place = listen(port=0, lan=True)
    with place.socket:
        assert bound == ["0.0.0.0"]
        assert place.address.startswith("http://192.168.1.5:")
        assert {"192.168.1.5", "localhost"} <= place.names


def test_the_command_serves_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "salet", "web", "--no-browser", "--json", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server did not start"
            text += line
        address = json.loads(text)["address"]
        assert ask(address)[0] == 200
        host, port = urlsplit(address).hostname, urlsplit(address).port
        assert host == "127.0.0.1"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_wrong_options_are_one_line(capsys) -> None:
    with listen(port=0).socket as taken:
        port = str(taken.getsockname()[1])
        assert main(["web", "--no-browser", "--port", port]) == 2
    assert capsys.readouterr().err.startswith("salet: cannot listen on 127.0.0.1")
    assert main(["web", "--port", "70000"]) == 2
    assert main(["web", "--host", "no such host", "--no-browser"]) == 2
    assert "no such host" in capsys.readouterr().err
