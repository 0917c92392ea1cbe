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

from salet.web.app import create_app
from salet.web.settings import Settings

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

APP = create_app(Settings(seconds=0.05, pairs=3_000_000))  # small games, short searches
schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP, base_url="http://127.0.0.1")


@schema.parametrize()
@hypothesis.settings(max_examples=25)
def test_the_api_keeps_its_word(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)
