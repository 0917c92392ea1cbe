"""What the kernels see of a game, and the memory of one searching thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NORMAL, HARD, STRICT = 0, 1, 2
INF = 1 << 60
"""No plan keeps the cap. Sums of totals are clamped to it."""


class Legality(NamedTuple):
    """Which guesses stay legal after a hint (arrays of one dummy row where the mode does not need
    them).
    """

    codes: NDArray[np.uint8]
    """[guess, position]: letters, for hard mode."""
    digits: NDArray[np.uint8]
    """[pattern, position]: the tiles of a pattern, for hard mode."""
    green_bits: NDArray[np.uint64]
    """[position * alphabet + letter, word]: the guesses with this letter there, one bit each."""
    need_bits: NDArray[np.uint64]
    """[letter * length + c - 1, word]: the guesses with this letter at least c times."""
    green_keys: NDArray[np.uint64]
    """[position * alphabet + letter, 2]: random numbers that identify the hints known (see
    transpositions).
    """
    need_keys: NDArray[np.uint64]
    full: NDArray[np.uint8]
    """[guess, guess]: the pattern of a guess if the other guess were the answer, for strict mode.
    """
    guess_keys: NDArray[np.uint64]
    """[guess, 2]: random numbers that identify a set of legal guesses, for strict mode."""
    most: int
    """Hints tell how often a letter occurs up to this number: the word length, or 1 where feedback
    shows presence only.
    """


class Game(NamedTuple):
    """A game as the kernels see it: a table, weights, a legality rule."""

    table: NDArray[np.uint8]
    """[guess, answer] -> pattern; the last pattern wins. Guesses are sorted by `reach`, descending
    (see build).
    """
    rows: NDArray[np.uint8]
    """The transposed table, contiguous, padded with zeros to a multiple of 64 guesses."""
    packed: NDArray[np.uint64]
    """The same memory, eight patterns to a word (of one dummy word for more than 256 patterns)."""
    reach: NDArray[np.int32]
    """[guess]: into how many parts it splits all answers, hence an upper bound for any set of
    answers.
    """
    own: NDArray[np.int32]
    """[answer]: the guess that is this answer."""
    names: NDArray[np.int32]
    """[guess]: its number in the game's own order."""
    weights: NDArray[np.int64]
    keys: NDArray[np.uint64]
    """[answer, 2]: random numbers that identify a set of answers."""
    depth_keys: NDArray[np.uint64]
    """[remaining guesses, 2]."""
    legality: Legality
    mode: int
    unit: int
    """1 if all weights are 1."""
    win: int
    """The winning pattern."""
    loss: int
    """The price of one answer (of weight one) never found; INF if that is not allowed."""
    width: int
    """Try only so many guesses of each state (a beam); 0: all, the exact search."""
    feasible: int
    """1: only whether the cap can be kept is asked, so the first plan that keeps it will do."""
    without: int
    """Optimisations that are switched off, one bit each (to measure what each is worth)."""


CACHE, SMALL_FIRST, CANDIDATES, DEPTH_BOUND, LIMIT, ORDER, ALIKE = (1 << bit for bit in range(7))
"""What `Game.without` can switch off: the table of bounds, small parts first, the bound by
candidates only, the bound for one guess to tell apart, leaving scans early, the order of guesses
by sums of squares. The last one, ALIKE, is an idea of others that is off unless its bit is set:
leaving out a guess that splits like an earlier one."""


# Counters of a search; LEVEL_NOW is where it paused.
NODES, BEGUN, PROBES, EXACT_HITS, BOUND_HITS, SCANS, LEVEL_NOW, COUNTERS = range(8)

# Fields of a frame.
(
    START,
    SIZE,
    WEIGHT,
    DEPTH,
    BETA,
    BEST,
    GUESS,
    LOWER,
    POS,
    COUNT,
    LEVEL,
    PARTS,
    TODO,
    NEXT,
    SUM,
    LEGAL,
    TRIED,
    PLAYED,
    PATTERN,
    FORCED,
    MOST,
    FIELDS,
) = range(22)

# Kinds of a FORCED frame: one guess alone is valued, its parts one after the other or in rounds.
ONE_GUESS, IN_ROUNDS = 1, 2


class Stack(NamedTuple):
    """The explicit stack: one row a level. Rows are touched only when a level is reached, so memory
    is committed lazily.
    """

    frame: NDArray[np.int64]
    key: NDArray[np.uint64]
    legal_key: NDArray[np.uint64]
    answers: NDArray[np.int32]
    """[level]: the parts of the current guess of level - 1, one after the other, each by weight
    descending.
    """
    narrow: NDArray[np.uint8]
    wide: NDArray[np.int64]
    order: NDArray[np.int32]
    """Guesses still to be tried, best looking first."""
    noted: NDArray[np.uint64]
    """What guesses already tried looked like (for ALIKE only)."""
    legal: NDArray[np.int32]
    bits: NDArray[np.uint64]
    green: NDArray[np.uint8]
    need: NDArray[np.uint8]
    part_pattern: NDArray[np.int32]
    part_start: NDArray[np.int32]
    part_size: NDArray[np.int32]
    part_weight: NDArray[np.int64]
    part_lower: NDArray[np.int64]
    part_nodes: NDArray[np.int64]
    """[part]: states opened for it when it was searched last (of a guess tried in rounds)."""
    todo: NDArray[np.int32]
    """Parts not yet exact, small ones first."""
    tally: NDArray[np.int32]
    """Scratch by pattern, zero between uses."""
    sort_key: NDArray[np.int64]
    seen: NDArray[np.uint8]
    hint: NDArray[np.int64]
    member: NDArray[np.uint8]
    """[answer]: 1 for the answers of the state being opened, zero between uses."""
    natural: NDArray[np.int32]
    """0, 1, 2...: the rows of `local`."""
    local: NDArray[np.uint8]
    """Rows gathered for the legal guesses of hard and strict mode."""
    counts: NDArray[np.uint16]
    """[guess]: scratch of the proof."""
    local_reach: NDArray[np.int32]
    local_member: NDArray[np.uint8]
    local_packed: NDArray[np.uint64]
    stats: NDArray[np.int64]
    """NODES opened, guesses BEGUN, the table's PROBES and hits..."""
