"""Exact play against brute force on 10,000 random small games. `python benchmarks/random_games.py`

Every game is drawn anew from the seed and its number: two to 60 words, all rules, modes, caps,
objectives and weights. What `salet solve` says of it (total, worst case, losses, every equally good
guess, or that the cap cannot be kept) must be what trying everything says (tests/naive.py, which
imports nothing of salet). Stops at the first that differs, and says which.

Killed, it goes on where it was; `--games N` checks fewer, `--game NUMBER` shows one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from record import RESULTS, commit, store

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import naive
from salet.game.game import Game
from salet.search.solve import OBJECTIVES, solve

SEED = 20221
PART = RESULTS / "random-games.part"
EVERY = 100
"""games between two notes of how far it is"""
MODES = [
    *(("standard", mode) for mode in ("normal", "hard", "strict")),
    *(("present", mode) for mode in ("normal", "hard", "strict")),
    *(("pegs", mode) for mode in ("normal", "strict")),
]
SIZES = [
    ((2, 12), 12, (2, 4), (2, 5), 75),
    ((13, 30), 18, (4, 6), (5, 9), 20),
    ((31, 60), 20, (5, 7), (8, 14), 5),
]
"""(words, most answers, letters in a word, alphabet, how often): brute force stays feasible where
words are long enough for small groups"""


def drawn(number: int) -> tuple[naive.Tiny, str]:
    """A game and an objective."""
    rng = random.Random(f"{SEED}/{number}")
    ((sizes, most, lengths, alphabets, _),) = rng.choices(SIZES, [often for *_, often in SIZES])
    count, length, alphabet = (rng.randint(*bounds) for bounds in (sizes, lengths, alphabets))
    letters = "abcdefghijklmnopqrstuvwxyz"[:alphabet]
    count = min(count, alphabet**length)
    words: dict[tuple[str, ...], None] = {}
    while len(words) < count:
        words[tuple(rng.choices(letters, k=length))] = None
    guesses = tuple(words)
    answers = guesses[: rng.randint(max(1, count // 4), min(count, most))]
    rule, mode = rng.choice(MODES)
    cap = rng.choice([None, 1, 2, 3, 4, 5, 6])
    heaviest = rng.choice([None, None, 9, 1000])
    weights = None if heaviest is None else tuple(rng.randint(1, heaviest) for _ in answers)
    return naive.Tiny(answers, guesses, rule, mode, cap, weights), rng.choice(list(OBJECTIVES))


def expected(tiny: naive.Tiny, objective: str) -> dict[str, Any]:
    """What brute force says."""
    best = naive.solve(tiny, objective)
    if best is None:
        return {"guesses": []}
    guesses = sorted(best.guesses, key=lambda guess: (guess >= len(tiny.answers), guess))
    said: dict[str, Any] = {"guesses": ["".join(map(str, tiny.guesses[g])) for g in guesses]}
    if objective != "worst":
        said["total"] = best.total
    if "worst" in objective:
        said["worst"] = best.worst
    if objective == "win-then-mean" and tiny.weights is None:
        said["losses"] = best.losses
    return said


def found(tiny: naive.Tiny, objective: str) -> dict[str, Any]:
    """What salet says, of the same things."""
    guesses = ["".join(map(str, word)) for word in tiny.guesses]
    game = Game(
        guesses[: len(tiny.answers)],
        guesses,
        rule=tiny.rule,
        mode=tiny.mode,
        cap=tiny.cap,
        weights=tiny.weights,
    )
    solution = solve(game, objective=objective, threads=1)
    if solution.guess is None:
        return {"guesses": []}
    assert solution.proven and solution.guess == solution.ties[0]
    said: dict[str, Any] = {"guesses": solution.ties}
    if objective != "worst":
        said["total"] = solution.total
    if "worst" in objective:
        said["worst"] = solution.worst
    if objective == "win-then-mean" and tiny.weights is None:
        said["losses"] = solution.losses
    return said


def described(number: int) -> str:
    tiny, objective = drawn(number)
    return f"game {number}: {objective}, {tiny}"


def resumed(state: dict[str, Any]) -> dict[str, Any]:
    """What an earlier run of the same commit and seed had come to."""
    try:
        kept: dict[str, Any] = json.loads(PART.read_text())
    except (OSError, ValueError):
        return state
    same = all(kept.get(name) == state[name] for name in ("seed", "commit"))
    return kept if same else state


def check(games: int) -> dict[str, Any]:
    """Compare until all are done; the counts say what was covered."""
    begun = {"seed": SEED, "commit": commit(), "games": 0, "seconds": 0.0, "counts": {}}
    state = resumed(begun)
    counts = Counter(state["counts"])
    start = time.perf_counter() - state["seconds"]
    for number in range(state["games"], games):
        tiny, objective = drawn(number)
        said, right = found(tiny, objective), expected(tiny, objective)
        if said != right:
            sys.exit(f"{described(number)}\nsalet says {said}\nbrute force says {right}")
        size = len(tiny.guesses)
        counts.update(
            (
                f"mode {tiny.mode}",
                f"rule {tiny.rule}",
                f"objective {objective}",
                f"cap {tiny.cap or 'none'}",
                "weights" if tiny.weights else "no weights",
                "words " + ("2-12" if size <= 12 else "13-30" if size <= 30 else "31-60"),
                "solved" if right["guesses"] else "cap cannot be kept",
            )
        )
        if (number + 1) % EVERY == 0 or number + 1 == games:
            state |= {"games": number + 1, "counts": counts}
            state["seconds"] = round(time.perf_counter() - start, 1)
            fresh = PART.with_suffix(".new")
            fresh.write_text(json.dumps(state))
            fresh.replace(PART)
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {games} games, all equal", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return {
        "seed": SEED,
        "games": games,
        "all_equal": True,
        "seconds": state["seconds"],
        "load_before": os.getloadavg()[0],
        "covered": dict(sorted(counts.items())),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000, metavar="N")
    parser.add_argument("--game", type=int, metavar="NUMBER")
    options = parser.parse_args()
    if options.game is not None:
        print(described(options.game))
        print("salet:      ", found(*drawn(options.game)))
        print("brute force:", expected(*drawn(options.game)))
    else:
        figures = check(options.games)
        store("random-games", f"python benchmarks/random_games.py --games {options.games}", figures)
        PART.unlink(missing_ok=True)
