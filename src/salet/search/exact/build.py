"""From tables to what the kernels see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.jit import kernel
from salet.search.exact.legality import NONE
from salet.search.exact.model import FIELDS, HARD, INF, LEGAL, NORMAL, Game, Legality, Stack
from salet.search.exact.scan import MARKED, PAIRWISE
from salet.vector import LANES


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
    seed: int = 1,
) -> Game:
    """What the kernels see of a game: exact search, every answer to be found."""
    answers = table.shape[1]
    weights = np.ones(answers, np.int64) if weights is None else weights
    rng = np.random.default_rng(seed)
    keys, depth_keys = _draw(rng, answers, 2), _draw(rng, answers + 2, 2)
    # Guesses that split well come first: chunks of guesses are then alike, and a scan can stop
    # early [partition.py].
    reach = parts_of_all(table, patterns)
    names = np.argsort(-reach, kind="stable").astype(np.int32)
    own = np.empty(answers, np.int32)
    place = np.empty(len(names), np.int32)
    place[names] = np.arange(len(names))
    own[:] = place[:answers]
    table = np.ascontiguousarray(table[names])
    rule = permuted(legality, names) if legality is not None else no_legality()
    rows = np.zeros((answers, (len(names) + 63) // 64 * 64), table.dtype)
    _turn(table, rows)
    return Game(
        table,
        rows,
        rows.view(np.uint64),
        reach[names],
        own,
        names,
        weights,
        keys,
        depth_keys,
        rule,
        mode,
        int((weights == 1).all()),
        patterns - 1,
        INF,
        0,
        0,
    )


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
    padded = (guesses + 63) // 64 * 64  # whole vectors
    stack = Stack(
        frame=np.zeros((levels, FIELDS), np.int64),
        key=np.zeros((levels, 2), np.uint64),
        legal_key=np.zeros((levels, 2), np.uint64),
        answers=np.empty((levels, answers), np.int32),
        narrow=np.empty((levels, padded), np.uint8),
        wide=np.empty((levels, guesses), np.int64),
        order=np.empty((levels, guesses), np.int32),
        legal=np.empty((legal_levels, guesses), np.int32),
        bits=np.empty((legal_levels, (guesses + 63) // 64), np.uint64),
        green=np.full((legal_levels, length), NONE, np.uint8),
        need=np.zeros((legal_levels, letters), np.uint8),
        part_pattern=np.empty((levels, patterns), np.int32),
        part_start=np.empty((levels, patterns), np.int32),
        part_size=np.empty((levels, patterns), np.int32),
        part_lower=np.empty((levels, patterns), np.int64),
        todo=np.empty((levels, patterns), np.int32),
        tally=np.zeros(max(patterns, 256), np.int32),
        sort_key=np.empty(guesses, np.int64),
        seen=np.empty(max(PAIRWISE * LANES * game.table.itemsize, 256 * MARKED), np.uint8),
        hint=np.zeros(length, np.int64),
        member=np.zeros(guesses, np.uint8),
        natural=np.arange(answers, dtype=np.int32),
        local_reach=np.empty(guesses, np.int32),
        local_member=np.zeros(guesses, np.uint8),
        counts=np.empty(padded, np.uint16),
        local=local,
        local_packed=local.view(np.uint64),
        stats=np.zeros(16, np.int64),
    )
    stack.legal[0] = np.arange(stack.legal.shape[1])
    stack.frame[0, LEGAL] = guesses
    return stack
