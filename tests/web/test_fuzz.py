"""Whatever is sent to the API, it answers as its document says, and never with a 500."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


OPERATIONS = [
    *(("GET", f"/api/{path}") for path in ("games", "game", "plans", "openers", "lab")),
    *(("GET", f"/api/plans/{path}") for path in ("node", "path")),
    *(("POST", f"/api/{path}") for path in ("play", "suggest", "analyse", "what-if")),
]
"""every operation that answers with JSON; the stream is a suggestion in parts"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server whose searches are short."""
    import uvicorn

    from salet.web.app import create_app
    from salet.web.server import listen
    from salet.web.settings import Settings

    with listen(port=0).socket as bound:
        config = uvicorn.Config(create_app(Settings(seconds=0.05)), log_level="error")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def api(address: str) -> Any:
    """The document that the server hands out."""
    return schemathesis.openapi.from_url(f"{address}/api/openapi.json", timeout=120)


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda part: part.strip("/"))
def test_the_api_keeps_its_word(api: Any, method: str, path: str) -> None:
    cases = api[path][method].as_strategy()

    @hypothesis.settings(max_examples=20, phases=[hypothesis.Phase.generate])
    @hypothesis.given(case=cases)
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, timeout=120)

    ask()


def test_every_operation_is_asked(api: Any) -> None:
    known = {
        (method.upper(), path)
        for path, operations in api.raw_schema["paths"].items()
        for method in operations
    }
    assert known == {*OPERATIONS, ("POST", "/api/suggest/stream")}
