"""The version of salet that is recorded in every result."""

from __future__ import annotations

import functools
import subprocess
from importlib import metadata
from pathlib import Path


@functools.cache
def version() -> str:
    """The version of the installed package."""
    try:
        return metadata.version("salet")
    except metadata.PackageNotFoundError:  # imported straight from a source tree
        return "0+source"


@functools.cache
def commit() -> str | None:
    """The git commit of the checkout that this code runs from; None outside a checkout."""
    top = Path(__file__).resolve().parents[2]
    if not (top / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(top), "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None
