"""Speed of the core: tables, simulations, start-up. `python benchmarks/core.py`, 1 minute.

Ratios are relative to a plain compiled loop (the rule, pair by pair) in the same run.
"""

from __future__ import annotations

import json
import sys

import numba
import numpy as np
from record import SHARED, best_of, median_of, run_python, store

from salet.game.game import Game
from salet.game.table import build_table
from salet.process_memory import peak_memory_mb
from salet.strategies.simulate import simulate

ROMANIAN = SHARED / "data" / "romanian-11454.txt"


@numba.njit
def plain_loop(guesses, answers, out):  # type: ignore[no-untyped-def]
    """Wordle's rule, written in the most obvious way."""
    length = guesses.shape[1]
    for g in range(len(guesses)):
        for a in range(len(answers)):
            left = np.zeros(32, np.int64)
            code, weight = 0, 1
            for i in range(length):
                if guesses[g, i] != answers[a, i]:
                    left[answers[a, i]] += 1
            for i in range(length):
                letter = guesses[g, i]
                if letter == answers[a, i]:
                    code += 2 * weight
                elif left[letter] > 0:
                    left[letter] -= 1
                    code += weight
                weight *= 3
            out[g, a] = code


def table_speed() -> dict[str, float]:
    game = Game.named("original")
    lexicon, n = game.lexicon, game.answer_count
    pairs = len(lexicon) * n
    ours = build_table(lexicon, n, game.rule).ids
    plain = np.zeros((len(lexicon), n), np.uint8)
    plain_loop(lexicon.codes, lexicon.codes[:n], plain)
    assert (plain == ours).all()
    seconds = best_of(7, lambda: build_table(lexicon, n, game.rule))
    slow = best_of(3, lambda: plain_loop(lexicon.codes, lexicon.codes[:n], plain))
    return {
        "table_ns_per_pair": round(seconds / pairs * 1e9, 3),
        "plain_loop_ns_per_pair": round(slow / pairs * 1e9, 3),
        "times_faster_than_plain_loop": round(slow / seconds, 1),
    }


def original() -> dict[str, float]:
    game = Game.named("original")
    game.table  # noqa: B018
    result = simulate(game, "entropy", opener="soare")
    assert result.total == 8018
    again = best_of(3, lambda: simulate(game, "entropy", opener="soare"))
    return {"original_entropy_seconds": round(again, 3), "original_entropy_total": result.total}


def romanian() -> dict[str, float]:
    """Measure in a process of its own, so that the peak memory is its own."""
    return dict(json.loads(run_python(__file__, "--romanian")))


def romanian_here() -> dict[str, float]:
    words = ROMANIAN.read_text().split()
    game = Game(words, rule="present", name="romanian-11454")
    simulate(Game(words[:40], rule="present"), "entropy", ties="first-candidate")  # compiled
    game.table  # noqa: B018
    result = simulate(game, "entropy", ties="first-candidate", jobs=2)
    return {
        "romanian_seconds": result.seconds,
        "romanian_total": result.total,
        "romanian_peak_mb": round(peak_memory_mb()),
    }


def start_up() -> dict[str, float]:
    bare = median_of(9, lambda: run_python("-c", "pass"))
    return {
        "python_seconds": round(bare, 3),
        "import_salet_seconds": round(median_of(9, lambda: run_python("-c", "import salet")), 3),
        "help_seconds": round(median_of(9, lambda: run_python("-m", "salet", "--help")), 3),
    }


if __name__ == "__main__":
    if "--romanian" in sys.argv:
        print(json.dumps(romanian_here()))
    else:
        figures = {**table_speed(), **original(), **start_up()}
        if ROMANIAN.exists():
            figures |= romanian()
        store("core", "python benchmarks/core.py", figures)
