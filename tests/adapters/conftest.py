"""Adapters are tested where their packages are installed: `make adapters`."""

from __future__ import annotations

from importlib.util import find_spec

PACKAGES = ("openenv", "textarena", "trl", "verifiers")
collect_ignore = [f"test_{name}.py" for name in PACKAGES if find_spec(name) is None]
