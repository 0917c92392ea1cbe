"""The Lab shows what was stored, and nothing that was typed."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

from salet.web.lab import STORED


def test_it_is_generated_from_the_stored_results(top: Path) -> None:
    publish = runpy.run_path(str(top / "benchmarks" / "publish.py"), run_name="publish")
    fields = json.loads(publish["STORED"].read_text())
    watched = json.loads(publish["CONVERGENCE"].read_text())
    assert STORED.read_text() == publish["lab"](fields, watched)


def test_bounds_close(client) -> None:
    found = client.get("/api/lab").json()
    assert found["bench"]["entries"]
    for curve in found["convergence"]["curves"]:
        lowers = [point[1] for point in curve["points"]]
        uppers = [point[2] for point in curve["points"]]
        assert lowers == sorted(lowers)
        assert uppers == sorted(uppers, reverse=True)
        assert lowers[-1] == uppers[-1] == curve["total"]
        assert all(low <= high for low, high in zip(lowers, uppers, strict=True))
