"""Lower bounds on the totals of large games whose guesses are their answers: two guesses ahead.

    python benchmarks/two_guess_bounds.py primel --openers 25693
    python benchmarks/two_guess_bounds.py primel --target 28795

The first line bounds some first guesses, in about a second each. The second bounds all of them and
so the game: 40 CPU minutes for primel, some hours for nerdle:8, less with a smaller target.

For n answers of which a guess leaves the groups S, a plan costs at least n plus the sum over the
groups of their costs. A group of m answers, of which a second guess makes k groups (w = 1 if it is
one of the m, else 0), costs at least 3m - k - w = 2m - 1 + r with r = 1 + m - k - w: every answer
counts that guess, all but w the next one, and in each further group all answers but one yet
another. So a first guess is bounded by the sum over its groups of the minimum of r over all second
guesses.

r is 0 or more, and 1 or more for guesses outside the group. k is at most the number of groups that
the guess makes of all answers. The largest groups are looked at first, and only until a first guess
reaches the target: then it is at least as large. The game's total is at least the smallest of these
numbers over all first guesses.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numba
import numpy as np
from record import store

from salet import Game
from salet.array_types import Bools, Indices, Ints, Patterns


@numba.njit(nogil=True)
def fewest_repeats(
    table: Patterns, members: Ints, is_member: Bools, groups: Ints, order: Ints, seen: Indices
) -> int:
    """The minimum over all guesses of r; seen[-1] counts the calls that used `seen`."""
    m = len(members)
    if m <= 2:
        return 0
    best = m
    for outside in range(2):
        for at in range(len(order) if outside else m):
            guess = order[at] if outside else members[at]
            if outside and (best <= 1 or 1 + m - groups[guess] >= best):
                return best  # guesses with the most groups come first
            if outside and is_member[guess]:
                continue
            seen[-1] += 1
            stamp, repeats, row = seen[-1], outside, table[guess]
            for answer in members:
                if seen[row[answer]] == stamp:
                    repeats += 1
                    if repeats >= best:
                        break
                seen[row[answer]] = stamp
            best = min(best, repeats)
            if best == 0:
                return 0
    return best


@numba.njit(nogil=True)
def opener_bound(
    table: Patterns, opener: int, target: int, groups: Ints, order: Ints, seen: Indices
) -> int:
    """A lower bound on the total of plans that begin with `opener`, computed up to the target."""
    n, win = table.shape[1], len(seen) - 2
    row = table[opener]
    sizes = np.zeros(win + 1, np.int64)
    for answer in range(n):
        sizes[row[answer]] += 1
    sizes[win] = 0
    by_size = np.argsort(-sizes)
    by_size = by_size[: np.count_nonzero(sizes)]
    most = groups[order[0]]
    total = n
    for pattern in by_size:
        total += 2 * sizes[pattern] - 1 + max(0, sizes[pattern] - most)
    is_member = np.zeros(n, np.bool_)
    for pattern in by_size:
        if total >= target:
            break
        members = np.flatnonzero(row == pattern)
        is_member[members] = True
        total += fewest_repeats(table, members, is_member, groups, order, seen)
        total -= max(0, len(members) - most)
        is_member[members] = False
    return int(total)


def bounds(game: Game, target: int, openers: list[str]) -> dict[str, Any]:
    """Bounds of these first guesses; if none are given, the smallest of all, up to the target."""
    if game.guesses != game.answers:
        raise SystemExit(f"{game.name}: its guesses are not its answers")
    table = game.compiled.ids
    groups = np.array([len(np.unique(row)) for row in table])
    order = np.argsort(-groups, kind="stable")
    seen = np.zeros(game.compiled.patterns + 1, np.int32)
    if openers:
        return {
            word: int(opener_bound(table, game.index(word), target, groups, order, seen))
            for word in openers
        }
    started, least, below = time.process_time(), target, []
    for number, opener in enumerate(order.tolist()):
        found = int(opener_bound(table, opener, target, groups, order, seen))
        least = min(least, found)
        if found < target:
            below.append((found, game.guesses[opener]))
        if number % 500 == 0:
            seconds = round(time.process_time() - started)
            print(
                f"{number} of {len(order)} first guesses, {least} so far, {seconds} s", flush=True
            )
    return {
        "target": target,
        "lower": least,
        "lower_mean": least / game.answer_count,
        "below_target": sorted(below)[:20],
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--target", type=int, default=1 << 40, help="no bound is larger")
    parser.add_argument("--openers", nargs="+", default=[], help="bound these only")
    options = parser.parse_args()
    found = bounds(Game.named(options.game), options.target, options.openers)
    words = " ".join(["--openers", *options.openers] if options.openers else [])
    command = f"python benchmarks/two_guess_bounds.py {options.game} {words}"
    if not options.openers:
        command += f"--target {options.target}"
    name = options.game.replace(":", "-")
    store(f"two-guess-{'openers' if options.openers else 'bounds'}-{name}", command, found)


if __name__ == "__main__":
    main()
