"""What the browser's engine must answer, as Python answers it: `python tests/site/make_golden.py`.

Every line of tests/golden/site.jsonl.gz is a question of static/engine/service.js with Python's
answer or refusal; tests/site/replay.mjs asks them again. With `--late` it writes late positions of
whole games to site-late.jsonl.gz instead, which takes minutes.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import golden_coach
import golden_kernels
import golden_words
from golden_words import Case

from salet.coach import adviser
from salet.errors import InputError

GOLDEN = Path(__file__).parents[1] / "golden"


def cases() -> Iterator[Case]:
    """Every question, in the order in which it is asked."""
    rng = random.Random(14)
    yield from golden_words.words_and_scores(rng)
    yield from golden_words.row_refusals(rng)
    yield from golden_words.grids(rng)
    yield from golden_words.games_played(rng)
    yield from golden_coach.likelihoods(rng)
    yield from golden_coach.small_games()
    yield from golden_coach.replies(random.Random(16))
    yield from golden_kernels.node_counts()
    yield from golden_kernels.stack_shapes()


def late_cases() -> Iterator[Case]:
    """Late positions of whole games."""
    rng = random.Random(15)
    yield from golden_coach.code_games(rng)
    yield from golden_coach.word_games(rng)
    yield from golden_coach.openers_played(rng)


def answered(case: Case) -> dict[str, Any]:
    """A line of the file."""
    call, args, answer = case
    line: dict[str, Any] = {"call": call, "args": args}
    try:
        return {**line, "result": answer()}
    except InputError as error:
        row = getattr(error, "row", None)
        return {
            **line,
            "problem": {"message": str(error), "row": row, "kind": type(error).__name__},
        }


def main() -> None:
    """Write a file; what it holds depends on the code alone."""
    adviser.MIN_PAUSE = 0.0  # where a question ends early, it must not depend on the clock
    is_late = "--late" in sys.argv
    golden = GOLDEN / ("site-late.jsonl.gz" if is_late else "site.jsonl.gz")
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        lines = []
        for number, case in enumerate(late_cases() if is_late else cases(), 1):
            lines.append(json.dumps(answered(case), ensure_ascii=False, separators=(",", ":")))
            if number % 50 == 0:
                print(f"\r{number} cases", end="", flush=True)
        os.chdir(home)
    text = "\n".join(lines) + "\n"
    golden.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"\r{len(lines)} cases, {len(text):,} characters, {golden.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
