"""What tests of the benchmark share."""

from __future__ import annotations

from leaks import no_leaks  # noqa: F401
