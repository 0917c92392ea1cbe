"""From tables to what the kernels see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.numeric.array_cache import Arrays, cached_arrays
from salet.numeric.jit import kernel, plain
from salet.numeric.simd import LANES
from salet.search.exact.legality import NONE
from salet.search.exact.model import (
    ALIKE,
    COUNTERS,
    FIELDS,
    HARD,
    INF,
    LEGAL,
    NORMAL,
    Game,
    Legality,
    Stack,
)
from salet.search.exact.scan import MARKED, PAIRWISE

_FORM = 1
"""counted up when `_laid_out` makes something else"""
_TINY = 16


def _draw(rng: np.random.Generator, *shape: int) -> NDArray[np.uint64]:
    return rng.integers(0, 1 << 64, shape, np.uint64)


def no_legality() -> Legality:
    """Normal mode: every guess is always legal."""
    byte, word = np.zeros((1, 1), np.uint8), np.zeros((1, 2), np.uint64)
    return Legality(byte, byte, word, word, word, word, byte, word, 1)


def hard_legality(
    codes: NDArray[np.uint8], digits: NDArray[np.uint8], *, most: int, seed: int = 2
) -> Legality:
    """The real game's hard mode. Hints ask for up to `most` of a letter: the word length, or 1
    where feedback does not count letters."""
    guesses, length = codes.shape
    letters = int(codes.max()) + 1
    rng = np.random.default_rng(seed)
    words = (guesses + 63) // 64

    def pack(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
        padded = np.zeros((rows.shape[0], words * 64), np.bool_)
        padded[:, :guesses] = rows
        return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)

    letter = np.arange(letters)
    green = np.concatenate([codes[:, i] == letter[:, None] for i in range(length)])
    times = np.stack([(codes == x).sum(1) for x in letter])
    need = np.concatenate([[times[x] >= c for c in range(1, length + 1)] for x in letter])
    byte, word = np.zeros((1, 1), np.uint8), np.zeros((1, 2), np.uint64)
    return Legality(
        codes,
        digits,
        pack(green),
        pack(need),
        _draw(rng, len(green), 2),
        _draw(rng, len(need), 2),
        byte,
        word,
        most,
    )


def strict_legality(full: NDArray[np.uint8], seed: int = 2) -> Legality:
    """A guess must be a possible answer. full[g, h] is the pattern of g if h were the answer."""
    rng = np.random.default_rng(seed)
    byte, word = np.zeros((1, 1), np.uint8), np.zeros((1, 2), np.uint64)
    return Legality(byte, byte, word, word, word, word, full, _draw(rng, full.shape[0], 2), 1)


def build_game(
    table: NDArray[np.uint8],
    patterns: int,
    *,
    weights: NDArray[np.int64] | None = None,
    mode: int = NORMAL,
    legality: Legality | None = None,
    name: str | None = None,
    seed: int = 1,
) -> Game:
    """What the kernels see of a game: exact search, every answer to be found. What depends on the
    table alone is kept on disk where the table has a name."""
    answers = table.shape[1]
    weights = np.ones(answers, np.int64) if weights is None else weights
    rng = np.random.default_rng(seed)
    keys, depth_keys = _draw(rng, answers, 2), _draw(rng, answers + 2, 2)
    laid = (
        _laid_out(table, patterns)
        if name is None
        else cached_arrays("layouts", f"{name}-{_FORM}.layout", lambda: _laid_out(table, patterns))
    )
    for array in laid.values():
        array.setflags(write=False)  # as they are when they come from disk: one kind of kernel
    names, rows = laid["names"], laid["rows"]
    place = np.empty(len(names), np.int32)
    place[names] = np.arange(len(names))
    own = place[:answers].copy()
    rule = permuted(legality, names) if legality is not None else no_legality()
    return Game(
        laid["table"],
        rows,
        rows.view(np.uint64),
        laid["reach"],
        own,
        names,
        weights,
        keys,
        depth_keys,
        rule,
        mode,
        int((weights == 1).all()),
        patterns - 1,
        loss=INF,
        width=0,
        feasible=0,
        without=0,
    )


def _laid_out(table: NDArray[np.uint8], patterns: int) -> Arrays:
    """The table in the order of guesses that the search likes, and turned, with that order.

    Guesses that split well come first: chunks of guesses are then alike, and a scan can stop
    early [partition.py].
    """
    count, turn = parts_of_all, _turn
    if table.size <= _TINY:  # the game of a warm-up: done before the kernels would be loaded
        count, turn = plain(count), plain(turn)
    reach = count(table, patterns)
    names = np.argsort(-reach, kind="stable").astype(np.int32)
    ordered = np.ascontiguousarray(table[names])
    rows = np.zeros((table.shape[1], (len(names) + 63) // 64 * 64), table.dtype)
    turn(ordered, rows)
    return {"names": names, "reach": reach[names], "table": ordered, "rows": rows}


def permuted(rule: Legality, names: NDArray[np.int32]) -> Legality:
    """The same rule with guesses in another order."""
    if rule.full.shape[0] > 1:
        return rule._replace(full=np.ascontiguousarray(rule.full[names][:, names]))
    return hard_legality(np.ascontiguousarray(rule.codes[names]), rule.digits, most=rule.most)


@kernel
def _turn(table, rows):
    """Transpose, in blocks that fit the first cache."""
    guesses, answers = table.shape
    for top in range(0, guesses, 64):
        for left in range(0, answers, 64):
            for g in range(top, min(top + 64, guesses)):
                for a in range(left, min(left + 64, answers)):
                    rows[a, g] = table[g, a]


@kernel
def parts_of_all(table, patterns):
    """Into how many parts each guess splits all answers."""
    out = np.empty(table.shape[0], np.int32)
    seen = np.zeros(patterns, np.int32)
    for g in range(table.shape[0]):
        parts = 0
        for a in range(table.shape[1]):
            p = table[g, a]
            if seen[p] != g + 1:
                seen[p] = g + 1
                parts += 1
        out[g] = parts
    return out


def scan_memory(game: Game) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """What `fewest_repeats` writes to: counts (whole vectors of guesses) and scratch."""
    scratch = max(PAIRWISE * LANES * game.table.itemsize, 256 * MARKED)
    return np.empty(game.rows.shape[1], np.uint16), np.empty(scratch, np.uint8)


def build_stack(game: Game, depth: int) -> Stack:
    """Memory for a search of so many guesses in a row."""
    guesses, answers = game.table.shape
    levels, patterns = depth + 2, game.win + 1
    legal_levels = levels if game.mode != NORMAL else 1
    length = game.legality.codes.shape[1] if game.mode == HARD else 1
    letters = game.legality.need_keys.shape[0] // length if game.mode == HARD else 1
    local = np.zeros(
        (min(answers, 256), (guesses + 63) // 64 * 64 if game.mode != NORMAL else 64),
        game.table.dtype,
    )
    counts, scratch = scan_memory(game)
    stack = Stack(
        frame=np.zeros((levels, FIELDS), np.int64),
        key=np.zeros((levels, 2), np.uint64),
        legal_key=np.zeros((levels, 2), np.uint64),
        answers=np.empty((levels, answers), np.int32),
        narrow=np.empty((levels, game.rows.shape[1]), np.uint8),
        wide=np.empty((levels, guesses), np.int64),
        order=np.empty((levels, guesses), np.int32),
        noted=np.empty((levels, guesses if game.without & ALIKE else 1), np.uint64),
        legal=np.empty((legal_levels, guesses), np.int32),
        bits=np.empty((legal_levels, (guesses + 63) // 64), np.uint64),
        green=np.full((legal_levels, length), NONE, np.uint8),
        need=np.zeros((legal_levels, letters), np.uint8),
        part_pattern=np.empty((levels, patterns), np.int32),
        part_start=np.empty((levels, patterns), np.int32),
        part_size=np.empty((levels, patterns), np.int32),
        part_weight=np.empty((levels, patterns), np.int64),
        part_lower=np.empty((levels, patterns), np.int64),
        part_nodes=np.zeros(patterns, np.int64),
        todo=np.empty((levels, patterns), np.int32),
        tally=np.zeros(max(patterns, 256), np.int32),
        sort_key=np.empty(guesses, np.int64),
        seen=scratch,
        hint=np.zeros(length, np.int64),
        member=np.zeros(guesses, np.uint8),
        natural=np.arange(answers, dtype=np.int32),
        local_reach=np.empty(guesses, np.int32),
        local_member=np.zeros(guesses, np.uint8),
        counts=counts,
        local=local,
        local_packed=local.view(np.uint64),
        stats=np.zeros(COUNTERS, np.int64),
    )
    stack.legal[0] = np.arange(stack.legal.shape[1])
    stack.frame[0, LEGAL] = guesses
    return stack
