"""How proofs close: lower and upper bound by time. `python benchmarks/convergence.py`, minutes.

Each curve is a proof over all openers, sampled as it reports; the web page's Lab draws them.
"""

from __future__ import annotations

from typing import Any

from record import store

from salet.game.game import Game
from salet.search.prove import Progress, prove

PROOFS = (("original", "normal"), ("original", "hard"))
LEAST_STEP = 1.02
"""of two reports closer than this factor in time, with the same bounds, the earlier is enough"""


def curve(name: str, mode: str) -> dict[str, Any]:
    """The bounds of one proof, where they move."""
    points: list[Progress] = []

    def note(progress: Progress) -> None:
        if points:
            last = points[-1]
            moved = (last.lower, last.upper) != (progress.lower, progress.upper)
            if not moved and progress.seconds < LEAST_STEP * last.seconds:
                return
        points.append(progress)

    proof = prove(Game.named(name, mode=mode), report=note)
    return {
        "name": f"{proof.game}, {proof.mode} mode",
        "answers": Game.named(name).answer_count,
        "best": proof.best,
        "total": proof.total,
        "openers": points[-1].openers,
        "seconds": proof.seconds,
        "nodes": proof.nodes,
        "points": [
            [round(p.seconds, 2), p.lower, p.upper, p.openers - p.left]
            for p in points
            if p.upper is not None
        ]
        + [[proof.seconds, proof.total, proof.total, points[-1].openers]],
    }


if __name__ == "__main__":
    curves = [curve(name, mode) for name, mode in PROOFS]
    store("convergence", "python benchmarks/convergence.py", {"curves": curves})
