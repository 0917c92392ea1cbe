"""Whatever is sent to the API, it answers as its document says, and never with a 500."""

from __future__ import annotations

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
def api() -> Any:
    """The document of an application with short searches and small games."""
    from salet.web.app import create_app
    from salet.web.settings import Settings

    app = create_app(Settings(hosts=("testserver",), seconds=0.05, pairs=3_000_000))
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


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
