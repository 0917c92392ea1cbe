"""The command: an address, a port, the home network, and an end."""

from __future__ import annotations

import socket

import httpx
import pytest

from salet.cli import main
from salet.errors import InputError
from salet.web.server import FIRST_PORT, lan_address, listen, qr_code


def test_a_free_port_is_found() -> None:
    with listen().socket as one, listen().socket as another:
        ports = [bound.getsockname()[1] for bound in (one, another)]
        assert FIRST_PORT <= ports[0] < ports[1]


def test_a_port_in_use_is_said() -> None:
    place = listen(port=0)
    with place.socket as bound:
        port = bound.getsockname()[1]
        assert place.address == f"http://127.0.0.1:{port}/"
        bound.listen()
        with pytest.raises(InputError, match=f"port {port}: address already in use"):
            listen(port=port)


def test_an_address_that_is_not_ours() -> None:
    with pytest.raises(InputError, match=r"192\.0\.2\.1"):
        listen("192.0.2.1", 0)


def test_loopback_needs_no_token_and_knows_its_names_only() -> None:
    place = listen(port=0)
    with place.socket:
        assert place.settings.token is None
        assert place.socket.getsockname()[0] == "127.0.0.1"


def test_the_home_network_gets_a_random_token() -> None:
    places = [listen(port=0, lan=True) for _ in range(2)]
    for place in places:
        place.socket.close()
        assert place.settings.token and len(place.settings.token) >= 20
        assert place.address.endswith(f"/?token={place.settings.token}")
        assert lan_address() in place.settings.hosts
    assert places[0].settings.token != places[1].settings.token


def test_the_code_for_the_phone_reads_back() -> None:
    """Two rows of modules a line, in half blocks, with the quiet border that readers need."""
    drawn = qr_code("http://192.168.1.5:8420/?token=abc")
    lines = drawn.rstrip("\n").splitlines()
    assert len(lines) > 12
    assert set(drawn) <= set("█▀▄ \n\x1b[0123456789;m")


@pytest.mark.slow
def test_served_to_the_home_network_behind_the_token(run_server) -> None:
    server = run_server("--lan")
    assert server.token is not None
    port = server.address.split(":")[2].split("/")[0]
    plain = f"http://127.0.0.1:{port}/"
    assert httpx.get(plain, timeout=60).status_code == 401
    with httpx.Client(timeout=60, follow_redirects=True) as phone:
        page = phone.get(f"{plain}?token={server.token}")
        assert page.status_code == 200 and "<title>salet" in page.text
        assert phone.get(f"{plain}api/games").status_code == 200
    assert server.stop() == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(port))) != 0


def test_wrong_options_are_one_line(capsys) -> None:
    with listen(port=0).socket as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["web", "--no-browser", "--port", port]) == 2
    assert capsys.readouterr().err.startswith("salet: cannot listen on 127.0.0.1")
    assert main(["web", "--port", "70000"]) == 2
    assert main(["web", "--host", "no such host", "--no-browser"]) == 2
    assert "no such host" in capsys.readouterr().err


def test_a_missing_extra_is_named(capsys, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert main(["web", "--no-browser"]) == 2
    assert "pip install 'salet[web]'" in capsys.readouterr().err
