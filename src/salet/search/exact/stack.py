"""The memory of one searching thread: an explicit stack of frames, one for each guess deep.

Fields of a frame are named in FRAME, counters in COUNTERS: both are NumPy record types, so that
kernels read `frame.beta` and other languages can take the offsets from the same definition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel
from salet.numeric.simd import LANES
from salet.search.exact.layout import HARD, NORMAL, Layout
from salet.search.exact.scan import MARKED, MAX_PAIRWISE
from salet.search.exact.scan_order import MAX_SORTED, ScanOrder, empty_scan_order
from salet.search.exact.similar_sets import SimilarSets, empty_similar_sets

UNKNOWN = 255
"""No green is known at this position."""

ALL_GUESSES, ONE_GUESS, ONE_GUESS_IN_ROUNDS = 0, 1, 2
"""Kinds of frames: the best of all guesses is wanted; or the value of one given guess, its parts
searched one after the other, or each for a little more at a time."""

SIZES = 400
"""All parts larger than this share one estimate of what a scan gains."""

FRAME = np.dtype(
    [
        # The state.
        ("start", np.int64),  # its answers are answers[level, start : start + count]
        ("count", np.int64),
        ("weight", np.int64),  # of its answers
        ("depth", np.int64),  # guesses left
        ("legal", np.int64),  # number of legal guesses (hard and strict mode)
        ("played", np.int64),  # the guess that led here, and its pattern
        ("pattern", np.int64),
        # What is asked.
        ("kind", np.int64),
        ("beta", np.int64),  # only values below this are of interest
        # What is known.
        ("best", np.int64),  # the minimum total of the guesses tried so far
        ("best_guess", np.int64),  # which has it; -1 if none has been tried to its end
        ("lower", np.int64),  # a lower bound of the state
        ("max_parts", np.int64),  # no legal guess makes more parts of the state
        ("max_peel", np.int64),  # no legal guess cuts more answers off its largest part
        # The queue of guesses.
        ("is_sorted", np.int64),  # 1: all guesses are queued, sorted; 0: queued bound by bound
        ("next_bound", np.int64),  # the minimum bound (repeats) of guesses not queued yet
        ("queued", np.int64),
        ("taken", np.int64),  # from the queue
        ("tried", np.int64),  # guesses of this state in all
        ("unsorted_scans", np.int64),  # of its parts, in the order of the whole game
        # The current guess.
        ("guess", np.int64),
        ("parts", np.int64),
        ("open_parts", np.int64),  # parts whose value is not known yet
        ("next_part", np.int64),  # index into them
        ("total", np.int64),  # a lower bound of the guess: the sum over its parts
    ]
)

COUNTERS = np.dtype(
    [
        ("level", np.int64),  # of the frame at work, so that a search can pause
        ("nodes", np.int64),  # states expanded
        ("guesses", np.int64),  # guesses tried
        ("probes", np.int64),  # of the transposition table
        ("exact_hits", np.int64),
        ("bound_hits", np.int64),
        ("scans", np.int64),  # parts scanned for a bound of an opener
        ("logged", np.int64),  # rows of the log in use
    ]
)


class Stack(NamedTuple):
    """One row for each level. Rows are touched when a level is first reached, so the operating
    system provides their memory only then."""

    frames: np.recarray
    """[level]: see FRAME."""
    counters: np.recarray
    """[0]: see COUNTERS."""
    keys: NDArray[np.uint64]
    """[level, 2]: keys of the states in the transposition table."""
    answers: NDArray[np.int32]
    """[level]: the parts of the current guess of level - 1, one after the other, each sorted by
    weight, descending."""
    # Guesses of a state.
    repeats: NDArray[np.uint8]
    """[level, x]: 1 + n - k - w of the x-th legal guess (see bounds.py), for small states."""
    bounds: NDArray[np.int64]
    """[level, guess]: its guess bound, for large states."""
    queue: NDArray[np.int32]
    """[level]: guesses to be tried, most promising first."""
    # Legal guesses (hard and strict mode; one row in normal mode).
    legal: NDArray[np.int32]
    """[level]: the legal guesses, ascending."""
    legal_keys: NDArray[np.uint64]
    """[level, 2]: the key of the legal guesses (hard mode)."""
    greens: NDArray[np.uint8]
    """[level, position]: the letter known to stand there, or UNKNOWN."""
    needs: NDArray[np.uint8]
    """[level, letter]: the number of times it is known to occur."""
    # Parts of the current guess.
    part_pattern: NDArray[np.int32]
    part_start: NDArray[np.int32]
    part_count: NDArray[np.int32]
    part_weight: NDArray[np.int64]
    part_lower: NDArray[np.int64]
    open_parts: NDArray[np.int32]
    """[level]: parts whose value is not known yet, in the order of search."""
    part_nodes: NDArray[np.int64]
    """[part]: states expanded when it was searched last (bottom level, in rounds)."""
    part_gain: NDArray[np.int64]
    """[part]: what similar sets add to its lower bound (opener_bound.py)."""
    log: NDArray[np.int64]
    """[row]: number of steps, lower bound, then guess and pattern of each step: what was proven of
    which state below the bottom one, for a certificate. Without rows nothing is logged."""
    # What scans have taught.
    similar: SimilarSets
    """Sets that were scanned (not in strict mode)."""
    gains: NDArray[np.float64]
    """[size]: the mean of r / m over parts of m answers scanned (opener_bound.py)."""
    scan_order: ScanOrder
    """The guesses in the best order for scans of parts of a large state."""
    # Scratch.
    tally: NDArray[np.int32]
    """[pattern]: zero between uses."""
    is_candidate: NDArray[np.uint8]
    """[guess]: zero between uses."""
    sort_keys: NDArray[np.int64]
    hint: NDArray[np.int64]
    """[position]: the tiles of a pattern."""
    legal_bits: NDArray[np.uint64]
    """One bit for each guess."""
    block: NDArray[np.uint8]
    """What a scan writes to."""
    counts: NDArray[np.uint16]
    """[guess]: what a scan for a minimum writes to."""
    natural: NDArray[np.int32]
    """0, 1, 2, …: the rows of `gathered`."""
    gathered: NDArray[np.uint8]
    """[answer, x]: columns of the table for the legal guesses of hard and strict mode."""
    gathered_packed: NDArray[np.uint64]
    gathered_max_parts: NDArray[np.int32]
    gathered_candidate: NDArray[np.uint8]


def scan_memory(layout: Layout) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """What `fewest_repeats` writes to: counts for all guesses, and scratch for one block."""
    block = max(MAX_PAIRWISE * LANES * layout.table.itemsize, 256 * MARKED)
    return np.empty(layout.columns.shape[1], np.uint16), np.empty(block, np.uint8)


def build_stack(
    layout: Layout,
    depth: int,
    log_rows: int = 0,
    similar_mb: float = 0.0,
    max_sorted: int = MAX_SORTED,
) -> Stack:
    """Memory for a search of `depth` guesses in a row, with room for sets that were scanned, and
    for the columns of a state of up to `max_sorted` answers."""
    guesses, answers = layout.table.shape
    levels, patterns = depth + 2, layout.win + 1
    restricted = layout.mode != NORMAL
    legal_levels = levels if restricted else 1
    hard = layout.mode == HARD
    length = layout.legality.letters.shape[1] if hard else 1
    alphabet = layout.legality.need_keys.shape[0] // length if hard else 1
    gathered = np.zeros(
        (min(answers, 256), (guesses + 63) // 64 * 64 if restricted else 64), layout.table.dtype
    )
    counts, block = scan_memory(layout)
    stack = Stack(
        frames=np.zeros(levels, FRAME).view(np.recarray),
        counters=np.zeros(1, COUNTERS).view(np.recarray),
        keys=np.zeros((levels, 2), np.uint64),
        answers=np.empty((levels, answers), np.int32),
        repeats=np.empty((levels, layout.columns.shape[1]), np.uint8),
        bounds=np.empty((levels, guesses), np.int64),
        queue=np.empty((levels, guesses), np.int32),
        legal=np.empty((legal_levels, guesses), np.int32),
        legal_keys=np.zeros((levels, 2), np.uint64),
        greens=np.full((legal_levels, length), UNKNOWN, np.uint8),
        needs=np.zeros((legal_levels, alphabet), np.uint8),
        part_pattern=np.empty((levels, patterns), np.int32),
        part_start=np.empty((levels, patterns), np.int32),
        part_count=np.empty((levels, patterns), np.int32),
        part_weight=np.empty((levels, patterns), np.int64),
        part_lower=np.empty((levels, patterns), np.int64),
        open_parts=np.empty((levels, patterns), np.int32),
        part_nodes=np.zeros(patterns, np.int64),
        part_gain=np.zeros(patterns, np.int64),
        log=np.empty((log_rows, 2 + 2 * levels), np.int64),
        similar=empty_similar_sets(answers, similar_mb),
        gains=np.full(SIZES, 0.5),
        scan_order=empty_scan_order(layout, max_sorted),
        tally=np.zeros(max(patterns, 256), np.int32),
        is_candidate=np.zeros(guesses, np.uint8),
        sort_keys=np.empty(guesses, np.int64),
        hint=np.zeros(length, np.int64),
        legal_bits=np.empty((guesses + 63) // 64, np.uint64),
        block=block,
        counts=counts,
        natural=np.arange(answers, dtype=np.int32),
        gathered=gathered,
        gathered_packed=gathered.view(np.uint64),
        gathered_max_parts=np.empty(guesses, np.int32),
        gathered_candidate=np.zeros(guesses, np.uint8),
    )
    stack.legal[0] = np.arange(stack.legal.shape[1])
    stack.frames[0].legal = guesses
    return stack


@lean_kernel
def log_bound(stack, level, lower):
    """Log a proven lower bound of the state on a level, if there is a log."""
    counters = stack.counters[0]
    if stack.log.shape[0] == 0:
        return
    row = stack.log[counters.logged]
    counters.logged += 1
    row[0], row[1] = level, lower
    for i in range(level):
        row[2 + 2 * i] = stack.frames[i + 1].played
        row[3 + 2 * i] = stack.frames[i + 1].pattern


@lean_kernel
def is_log_full(stack):
    """Whether the log has no room for what may be logged before the next state is expanded."""
    rows = stack.log.shape[0]
    return rows > 0 and stack.counters[0].logged + stack.frames.shape[0] > rows
