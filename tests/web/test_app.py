"""The application: files of the page, headers, and errors that say what is right."""

from __future__ import annotations

import pytest

from salet.web.guard import HEADERS


def test_the_page_and_its_files_are_served(client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    for path, kind in [
        ("main.js", "text/javascript"),
        ("css/base.css", "text/css"),
        ("vendor/preact.js", "text/javascript"),
        ("fonts/figtree-latin.woff2", "font/woff2"),
        ("icon.svg", "image/svg+xml"),
    ]:
        found = client.get(f"/{path}")
        assert found.status_code == 200
        assert found.headers["content-type"].startswith(kind)


def test_a_browser_that_has_a_file_need_not_load_it_again(client) -> None:
    first = client.get("/main.js")
    again = client.get("/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head("/main.js").content == b""


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/SOURCES.toml",  # in the folder, but nothing of the page
        "/../app.py",
        "/..%2fapp.py",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/static/main.js",
        "/css",
        "/main.js%00.html",
    ],
)
def test_no_path_reaches_the_file_system(client, path: str) -> None:
    found = client.get(path)
    assert found.status_code == 404
    assert "there is no page" in found.json()["detail"]


@pytest.mark.parametrize("path", ["/", "/main.js", "/nothing", "/api/games", "/api/nothing"])
def test_every_answer_has_the_security_headers(client, path: str) -> None:
    found = client.get(path)
    for name, value in HEADERS.items():
        assert found.headers[name] == value
    assert "server" not in found.headers


def test_the_policy_allows_no_inline_script_and_no_other_origin(client) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    html = client.get("/").text
    assert "<script>" not in html and "style=" not in html and "onclick" not in html


def test_the_document_of_the_api(client) -> None:
    document = client.get("/api/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/games",
        "/api/game",
        "/api/play",
        "/api/suggest",
        "/api/suggest/stream",
        "/api/analyse",
        "/api/what-if",
        "/api/plans",
        "/api/plans/node",
        "/api/plans/path",
        "/api/openers",
        "/api/lab",
    }
    for operations in document["paths"].values():
        for operation in operations.values():
            assert "422" in operation["responses"]
            assert operation["description"]
    assert client.get("/docs").status_code == 404  # it would load scripts from elsewhere


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"number": 1, "game": "orignal"}, 404, "did you mean 'original'?"),
        ({"number": 1, "game": "../../etc/passwd"}, 404, "unknown game"),
        ({"number": 1, "game": "mastermind:4"}, 422, "mastermind:4x6"),
        ({"number": 1, "game": "mastermind:5x8"}, 422, "pairs of guess and answer"),
        ({"number": 1, "game": "mastermind:16x36"}, 422, "codes; the maximum is"),
        ({"number": 1, "game": "mastermind:4x6", "mode": "hard"}, 422, "'strict'"),
        ({"number": 1, "mode": "harder"}, 422, "mode: Input should be 'normal', 'hard'"),
        ({"number": -1}, 422, "number: "),
        ({"number": 1, "guesses": ["crane"] * 100}, 422, "guesses: "),
        ({"number": 1, "guesses": ["x" * 100]}, 422, "guesses.0: "),
        ({"number": 1, "unknown": 1}, 422, "unknown: "),
        ({}, 422, "number: "),
    ],
)
def test_wrong_requests_are_told_what_is_right(client, body, status: int, said: str) -> None:
    found = client.post("/api/play", json=body)
    assert found.status_code == status
    assert said in found.json()["detail"]


def test_broken_json_is_no_500(client) -> None:
    headers = {"content-type": "application/json"}
    for content in (b"{", b"\xff\xfe", b"[]", b"null", b"1e999", b'{"number": NaN}'):
        found = client.post("/api/play", content=content, headers=headers)
        assert found.status_code == 422
        assert found.json()["detail"]
    plain = client.post("/api/play", content=b"number=1", headers={"content-type": "text/plain"})
    assert plain.status_code == 422
