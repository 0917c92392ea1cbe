"""Compare the exact search of two versions: `python benchmarks/versions.py REVISION`, minutes.

The revision is checked out beside the working tree; both value the same openers in turns, each turn
in a process of its own on one core. Ratios are CPU seconds of the revision / ours, each the minimum
of the turns: above 1 means that the working tree is faster.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from record import run_python, store

CASES = {
    "normal": "salet raise crane soare tears slate adieu roate",
    "hard": "salet raise crane soare tears slate adieu roate",
}
TURNS = 5
PROGRAM = """
import json, sys, time
from salet import Game, solve
mode, words = sys.argv[1], sys.argv[2].split()
game = Game.named("original", mode=mode)
solve(game, opener="salet")  # tables and kernels are loaded, not measured
found = {}
for word in words:
    begin = time.process_time()
    solution = solve(game, opener=word)
    found[word] = time.process_time() - begin, solution.total
print(json.dumps(found))
"""


def measure(source: Path, mode: str, words: str) -> dict[str, tuple[float, int | None]]:
    """CPU seconds and total of every opener, in a process that imports salet from `source`."""
    text = run_python("-c", PROGRAM, mode, words, PYTHONPATH=str(source))
    return {word: (seconds, total) for word, (seconds, total) in json.loads(text).items()}


def compare(old: Path, new: Path, mode: str, words: str) -> dict[str, Any]:
    """Seconds of both versions for every opener, and their ratios."""
    turns = [(measure(old, mode, words), measure(new, mode, words)) for _ in range(TURNS)]
    rows: dict[str, Any] = {}
    for word in words.split():
        totals = {side[word][1] for turn in turns for side in turn}
        assert len(totals) == 1, f"{word}: the versions disagree: {totals}"
        before, after = (min(turn[side][word][0] for turn in turns) for side in (0, 1))
        rows[word] = {
            "total": totals.pop(),
            "revision_seconds": round(before, 4),
            "our_seconds": round(after, 4),
            "ratio": round(before / after, 2),
        }
    logs = [math.log(row["ratio"]) for row in rows.values()]
    return {"geometric_mean_ratio": round(math.exp(sum(logs) / len(logs)), 2), "openers": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    revision = parser.parse_args().revision
    here = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        git = ["git", "-C", str(here), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(old), revision], check=True)
        try:
            figures = {
                mode: compare(old / "src", here / "src", mode, words)
                for mode, words in CASES.items()
            }
        finally:
            subprocess.run([*git, "remove", "--force", str(old)], check=True)
    store("versions", f"python benchmarks/versions.py {revision}", figures)


if __name__ == "__main__":
    main()
