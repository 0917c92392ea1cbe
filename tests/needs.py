"""What a test needs and a machine may lack."""

from __future__ import annotations

import os

import pytest


def needs(condition: object, what: str) -> None:
    """Skip the test where `what` is missing; with CI=true that is a failure."""
    if condition:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"with CI=true every check must run, but this machine has no {what}")
    pytest.skip(f"no {what}")
