"""The version of salet."""

from __future__ import annotations

import subprocess
import tomllib
from importlib import metadata

from salet.version import commit, version


def test_version_is_that_of_the_project_file(top):
    project = tomllib.loads((top / "pyproject.toml").read_text("utf-8"))["project"]
    assert version() == metadata.version("salet") == project["version"]


def test_commit(top):
    found = commit()
    if (top / ".git").exists():
        head = subprocess.run(
            ["git", "-C", str(top), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        assert found is not None
        assert len(found) >= 7
        assert head.startswith(found)
    else:
        assert found is None
