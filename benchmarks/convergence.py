"""How proofs close: lower and upper bound by time. `python benchmarks/convergence.py`, minutes.

Each curve is a proof over all openers, sampled as it reports; the web page's Lab draws them. Time
is that of all threads together, so that it does not depend on what else the machine does.
"""

from __future__ import annotations

import time
from typing import Any

from record import store

from salet.game.game import Game
from salet.search.prove import ProofProgress, prove

PROOFS = (("original", "normal"), ("original", "hard"))
MIN_STEP = 1.05
"""of reports closer than this factor in time the first is enough"""


def curve(name: str, mode: str) -> dict[str, Any]:
    """The bounds of one proof, where they move."""
    points: list[tuple[float, ProofProgress]] = []
    begin = time.process_time()

    def note(progress: ProofProgress) -> None:
        now = time.process_time() - begin
        if progress.upper is None or (points and now < MIN_STEP * points[-1][0]):
            return
        points.append((now, progress))

    proof = prove(Game.named(name, mode=mode), progress=note)
    openers = sum(proof.openers.values())
    end = time.process_time() - begin
    return {
        "name": f"{proof.game}, {proof.mode} mode",
        "answers": Game.named(name).answer_count,
        "best": proof.best,
        "total": proof.total,
        "nodes": proof.nodes,
        "points": [
            *([round(at, 2), p.lower, p.upper, p.openers - p.left] for at, p in points),
            [round(end, 2), proof.lower, proof.upper, openers],
        ],
    }


if __name__ == "__main__":
    curves = [curve(name, mode) for name, mode in PROOFS]
    store("convergence", "python benchmarks/convergence.py", {"curves": curves})
