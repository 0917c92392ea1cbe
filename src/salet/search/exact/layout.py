"""A game as the kernels see it: its table in two memory orders, its keys and its legality rule."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import tiles
from salet.numeric.array_cache import Arrays, cached_arrays
from salet.numeric.jit import lean_kernel, plain

NORMAL, HARD, STRICT = 0, 1, 2
"""Codes of the modes."""
INF = 1 << 60
"""The total of a state in which no plan keeps the cap. Sums of totals are clamped to it."""

_VERSION = 2
"""Version of what `_sorted_by_parts` stores."""
_CACHE_FROM = 1 << 18
"""Pairs of guess and answer from which reading a layout from disk is faster than making it."""
_TINY = 16
"""Largest table of a warm-up, built before the kernels are loaded."""
_LARGE = 80
"""Size of the smallest state whose guesses are bounded by scans of their parts; in smaller states a
search of the smallest parts is faster."""
_MAX_ALPHABET = 250
"""Letters of an alphabet in hard mode; 255 stands for an unknown green."""


class Legality(NamedTuple):
    """Which guesses stay legal after a hint. Arrays that the mode does not need have one row."""

    letters: NDArray[np.uint8]
    """[guess, position], for hard mode."""
    tiles: NDArray[np.uint8]
    """[pattern, position], for hard mode: 0 grey, 1 yellow, 2 green."""
    green_bits: NDArray[np.uint64]
    """[position * alphabet + letter, word]: one bit for each guess with this letter there."""
    need_bits: NDArray[np.uint64]
    """[letter * length + c - 1, word]: one bit for each guess with this letter at least c times."""
    green_keys: NDArray[np.uint64]
    """[position * alphabet + letter, 2]: Zobrist keys of the known greens."""
    need_keys: NDArray[np.uint64]
    """[letter * length + c - 1, 2]: Zobrist keys of the known letter counts."""
    between: NDArray[np.uint8]
    """[guess, guess], for strict mode: the pattern if the second were the answer."""
    guess_keys: NDArray[np.uint64]
    """[guess, 2], for strict mode: Zobrist keys of the legal guesses."""
    max_count: int
    """The highest letter count that a hint reveals: the word length, or 1 under rule `present`."""


class Layout(NamedTuple):
    """A game as the kernels see it.

    Guesses are sorted by `max_parts`, descending: neighbouring guesses then split alike, and a scan
    of all guesses can stop early.
    """

    table: NDArray[np.uint8]
    """[guess, answer] -> pattern; the last pattern wins."""
    columns: NDArray[np.uint8]
    """[answer, guess]: the transposed table, padded with zeros to a multiple of 64 guesses."""
    packed: NDArray[np.uint64]
    """The memory of `columns`, eight one-byte patterns to a word."""
    max_parts: NDArray[np.int32]
    """[guess]: the number of parts it makes of all answers, hence of any set at most."""
    guess_of: NDArray[np.int32]
    """[answer]: the guess that is this answer."""
    original: NDArray[np.int32]
    """[guess]: its index in the game's own order."""
    index_of: NDArray[np.int32]
    """[index in the game's own order]: the guess here."""
    weights: NDArray[np.int64]
    """[answer]"""
    answer_keys: NDArray[np.uint64]
    """[answer, 2]: Zobrist keys."""
    depth_keys: NDArray[np.uint64]
    """[guesses left, 2]: Zobrist keys."""
    legality: Legality
    mode: int
    """NORMAL, HARD or STRICT."""
    unit: int
    """1 if all weights are 1."""
    win: int
    """The winning pattern."""
    loss: int
    """The price of never finding an answer of weight one; INF where every answer must be found."""
    width: int
    """The number of guesses tried in each state (a beam search); 0: all of them."""
    large: int
    """The size of a state from which its guesses are bounded by scans of their parts."""
    feasible: int
    """1: stop at the first plan that keeps within the cap; 0: find the best one."""


_layouts: weakref.WeakKeyDictionary[Game, Layout] = weakref.WeakKeyDictionary()


def layout_of(game: Game) -> Layout:
    """The layout of a game, made once for as long as the game lives."""
    found = _layouts.get(game)
    if found is None:
        _check_one_answer_a_win(game)
        table = game.compiled
        found = _layouts[game] = build_layout(
            np.ascontiguousarray(table.ids),
            table.patterns,
            weights=game.weights,
            mode={"normal": NORMAL, "hard": HARD, "strict": STRICT}[game.mode],
            legality=_legality(game),
            name=table.name if table.ids.size >= _CACHE_FROM else None,
        )
    return found


def _check_one_answer_a_win(game: Game) -> None:
    """Refuse games for which the bounds of exact search do not hold."""
    if game.host != "secret":
        raise InputError(
            f"host {game.host!r} draws no answer, so guesses have no mean; `solve` and `assist` "
            "find the shortest way to force it"
        )
    if game.commuted:
        raise InputError(
            f"in {game.name} a guess may win against several answers, for which exact search is "
            "not made; leave commuted=win out"
        )


def build_layout(
    table: NDArray[np.uint8],
    patterns: int,
    *,
    weights: NDArray[np.int64] | None = None,
    mode: int = NORMAL,
    legality: Legality | None = None,
    name: str | None = None,
    seed: int = 1,
) -> Layout:
    """Lay out a table [guess, answer] -> pattern, in which guess i is answer i and the last pattern
    wins.

    With a `name`, what depends on the table alone is cached on disk. `seed` draws the keys.
    """
    answers = table.shape[1]
    weights = np.ones(answers, np.int64) if weights is None else weights
    arrays = (
        _sorted_by_parts(table, patterns)
        if name is None
        else cached_arrays(
            "layouts", f"{name}-{_VERSION}.layout", lambda: _sorted_by_parts(table, patterns)
        )
    )
    for array in arrays.values():
        array.setflags(write=False)  # as if read from disk: one specialisation of each kernel
    original, columns = arrays["original"], arrays["columns"]
    index = np.empty(len(original), np.int32)
    index[original] = np.arange(len(original))
    rng = np.random.default_rng(seed)
    return Layout(
        table=arrays["table"],
        columns=columns,
        packed=columns.view(np.uint64),
        max_parts=arrays["max_parts"],
        guess_of=index[:answers].copy(),
        original=original,
        index_of=index,
        weights=weights,
        answer_keys=_random_keys(rng, answers),
        depth_keys=_random_keys(rng, answers + 2),
        legality=_no_legality() if legality is None else _reordered(legality, original),
        mode=mode,
        unit=int((weights == 1).all()),
        win=patterns - 1,
        loss=INF,
        width=0,
        large=_LARGE,
        feasible=0,
    )


def _sorted_by_parts(table: NDArray[np.uint8], patterns: int) -> Arrays:
    """The table sorted by number of parts, that order, and the transposed table."""
    count, turn = count_parts, transpose
    if table.size <= _TINY:
        count, turn = plain(count), plain(turn)
    parts = np.empty(table.shape[0], np.int32)
    count(table, np.zeros(patterns, np.int32), parts)
    original = np.argsort(-parts, kind="stable").astype(np.int32)
    ordered = np.ascontiguousarray(table[original])
    columns = np.zeros((table.shape[1], (len(original) + 63) // 64 * 64), table.dtype)
    turn(ordered, columns)
    return {
        "original": original,
        "max_parts": parts[original],
        "table": ordered,
        "columns": columns,
    }


@lean_kernel
def transpose(table: Any, out: Any) -> None:
    """out[a, g] = table[g, a], in blocks that fit the first-level cache."""
    guesses, answers = table.shape
    for top in range(0, guesses, 64):
        for left in range(0, answers, 64):
            for g in range(top, min(top + 64, guesses)):
                for a in range(left, min(left + 64, answers)):
                    out[a, g] = table[g, a]


@lean_kernel
def count_parts(table: Any, seen: Any, out: Any) -> None:
    """out[g] = the number of parts that guess g makes of all answers. `seen` is zeroed scratch."""
    for g in range(table.shape[0]):
        parts = 0
        for a in range(table.shape[1]):
            p = table[g, a]
            if seen[p] != g + 1:
                seen[p] = g + 1
                parts += 1
        out[g] = parts


# ---- legality


def _legality(game: Game) -> Legality | None:
    if game.mode == "normal":
        return None
    if game.mode == "strict":
        return strict_legality(_patterns_between_guesses(game))
    if len(game.lexicon.alphabet) > _MAX_ALPHABET:
        raise InputError(
            f"the alphabet of {game.name} has {len(game.lexicon.alphabet)} letters; exact search "
            f"in hard mode takes up to {_MAX_ALPHABET}"
        )
    table = game.compiled
    rows = [tiles(table.code(pattern), game.length) for pattern in range(table.patterns)]
    max_count = game.length if game.rule.counts_letters else 1
    return _hard_legality(game.lexicon.codes, np.array(rows, np.uint8), max_count)


def _no_legality() -> Legality:
    """Normal mode: every guess is always legal."""
    byte, word = np.zeros((1, 1), np.uint8), np.zeros((1, 2), np.uint64)
    return Legality(byte, byte, word, word, word, word, byte, word, 1)


def _hard_legality(letters: Any, pattern_tiles: NDArray[np.uint8], max_count: int) -> Legality:
    """Hard mode: greens stay, and revealed letters are used as often as they were revealed."""
    guesses, length = letters.shape
    alphabet = np.arange(int(letters.max()) + 1)
    words = (guesses + 63) // 64

    def pack(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
        padded = np.zeros((rows.shape[0], words * 64), np.bool_)
        padded[:, :guesses] = rows
        return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)

    green = np.concatenate([letters[:, i] == alphabet[:, None] for i in range(length)])
    counts = np.stack([(letters == x).sum(1) for x in alphabet])
    need = np.concatenate([[counts[x] >= c for c in range(1, length + 1)] for x in alphabet])
    rng = np.random.default_rng(2)
    return _no_legality()._replace(
        letters=letters.astype(np.uint8),
        tiles=pattern_tiles,
        green_bits=pack(green),
        need_bits=pack(need),
        green_keys=_random_keys(rng, len(green)),
        need_keys=_random_keys(rng, len(need)),
        max_count=max_count,
    )


def strict_legality(between: NDArray[Any]) -> Legality:
    """Strict mode: a guess must fit all feedback so far."""
    keys = _random_keys(np.random.default_rng(2), len(between))
    return _no_legality()._replace(between=between, guess_keys=keys)


def _reordered(rule: Legality, order: Indices) -> Legality:
    """The same rule with guesses in another order."""
    if rule.between.shape[0] > 1:
        return rule._replace(between=np.ascontiguousarray(rule.between[order][:, order]))
    return _hard_legality(rule.letters[order], rule.tiles, rule.max_count)


def _patterns_between_guesses(game: Game) -> NDArray[Any]:
    """[guess, guess] -> pattern id as if the second were the answer; no id where none exists."""
    lexicon, table = game.lexicon, game.compiled
    codes = np.zeros((len(lexicon), len(lexicon)), np.uint32)
    game.rule.fill(lexicon.codes, lexicon.by_position, lexicon.counts, codes)
    if table.dense_codes is None:
        return codes.astype(table.ids.dtype)
    index = np.minimum(np.searchsorted(table.dense_codes, codes), table.patterns - 1)
    between = np.where(table.dense_codes[index] == codes, index, table.patterns)
    # Of the table's own type if that has room: for each other type kernels are compiled again.
    has_room = table.patterns <= np.iinfo(table.ids.dtype).max
    return between.astype(table.ids.dtype if has_room else np.uint32)


def _random_keys(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    return rng.integers(0, 1 << 64, (count, 2), np.uint64)
