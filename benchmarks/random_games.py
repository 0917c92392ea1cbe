"""What salet claims of 100,000 adversarial games, against brute force: `python
benchmarks/random_games.py`.

Games come from tests/random_games.py: few patterns, families of words, weights, lost answers, tight
caps, wasted guesses, every rule, mode and objective, each drawn anew from its number. What `solve`
says (total, worst case, every equally good guess, or that the cap cannot be kept) must be what
trying everything says (tests/naive.py, which imports nothing of salet), and its bounds when it is
cancelled early must hold. It stops at the first game that differs, and prints it.

An interrupted run is resumed; `--games N` checks fewer, `--game NUMBER` shows one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from record import RESULTS, commit, store

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import naive
import random_games
from salet.search.solve import Solution, solve

PART = RESULTS / "random-games.part"
SAVE_EVERY = 500


def difference(case: random_games.Case) -> str | None:
    """What salet says differently from brute force; None if nothing."""
    oracle = naive.solve(case.game, case.objective, case.turns, case.opener)
    state = random_games.state_of(case)
    options: dict[str, Any] = {"objective": case.objective, "opener": case.opener, "threads": 1}
    found = solve(state, **options)
    early = solve(state, cancel=lambda: True, **options)
    if oracle is None:
        said = (found.guess, found.total, found.proven)
        return None if said == (None, None, True) else f"a plan exists: {said}"
    candidates = set(state.candidates.tolist())
    order = sorted(oracle.guesses, key=lambda guess: (guess not in candidates, guess))
    right = ([case.game.guesses[guess] for guess in order], oracle.total)
    if not found.proven or (found.ties, found.total) != right:
        return f"{found.ties}, total {found.total}; right is {right}"
    if oracle.worst is not None and found.worst != oracle.worst:
        return f"worst case {found.worst}; right is {oracle.worst}"
    return _wrong_bounds(early, oracle)


def _wrong_bounds(early: Solution, oracle: naive.Optimum) -> str | None:
    """Whether the bounds of a cancelled search exclude the optimum."""
    if oracle.losses or "worst" in early.objective:
        return None  # bounds are those of plans that find every answer, in any number of guesses
    upper = early.upper
    if early.lower <= oracle.total and (upper is None or upper >= oracle.total):
        return None
    return f"bounds {early.lower} to {upper} when cancelled; right is {oracle.total}"


def resumed(state: dict[str, Any]) -> dict[str, Any]:
    """The state of an interrupted run of the same commit."""
    try:
        saved: dict[str, Any] = json.loads(PART.read_text())
    except (OSError, ValueError):
        return state
    same = all(saved.get(name) == state[name] for name in ("seed", "commit"))
    return saved if same else state


def check(games: int) -> dict[str, Any]:
    """Compare until all are done; the counts say what was covered."""
    begun = {
        "seed": random_games.SEED,
        "commit": commit(),
        "games": 0,
        "seconds": 0.0,
        "counts": {},
    }
    state = resumed(begun)
    counts = Counter(state["counts"])
    start = time.perf_counter() - state["seconds"]
    for number in range(state["games"], games):
        case = random_games.case(number)
        wrong = difference(case)
        if wrong:
            sys.exit(f"{case}\nsalet says {wrong}")
        game = case.game
        counts.update(
            (
                f"words: {case.kind}",
                f"mode {game.mode}",
                f"rule {game.rule}",
                f"objective {case.objective}",
                f"cap {game.cap or 'none'}",
                "weights" if game.weights else "no weights",
                f"{len(case.history)} guesses made before",
                "an opener is fixed" if case.opener is not None else "all openers",
            )
        )
        if (number + 1) % SAVE_EVERY == 0 or number + 1 == games:
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
        "seed": random_games.SEED,
        "games": games,
        "all_equal": True,
        "seconds": state["seconds"],
        "covered": dict(sorted(counts.items())),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000, metavar="N")
    parser.add_argument("--game", type=int, metavar="NUMBER")
    options = parser.parse_args()
    if options.game is not None:
        shown = random_games.case(options.game)
        print(shown)
        print(difference(shown) or "salet says the same as brute force")
    else:
        figures = check(options.games)
        store("random-games", f"python benchmarks/random_games.py --games {options.games}", figures)
        PART.unlink(missing_ok=True)
