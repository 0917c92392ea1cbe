"""Scans of all guesses count what sets count."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from random_tables import trials
from salet.numeric.simd import LANES
from salet.search.exact import scan

pytestmark = pytest.mark.tiny


def columns_of(rng, kind, answers, guesses, patterns):
    """[answer, guess], padded to 64 guesses: of every quality, from all alike to mostly apart."""
    columns = np.zeros((answers, -(-guesses // 64) * 64), kind)
    for guess in range(guesses):
        shown = rng.randint(1, patterns)
        first = rng.randint(0, patterns - shown)
        for answer in range(answers):
            columns[answer, guess] = first + rng.randrange(shown)
    return columns


def draw_members(rng, answers, n):
    return np.array(rng.sample(range(answers), n), np.int32)


def parts_of(columns, members, guess):
    return Counter(columns[members, guess].tolist())


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_count_repeats_is_exact_below_its_limit(kind):
    rng = random.Random(1)
    for _ in range(trials(40)):
        n = rng.choice([1, 2, 3, 4, 5, 8, 31, 254])
        answers, guesses = n + rng.randint(0, 6), rng.choice([1, 31, 32, 33, 70])
        columns = columns_of(rng, kind, answers, guesses, rng.choice([1, 2, 4, 250]))
        members = draw_members(rng, answers, n)
        scratch = np.zeros(n * LANES * columns.itemsize, np.uint8)
        for limit in (255, 0, 1, 3, n // 2, n):
            out = np.zeros(columns.shape[1], np.uint8)
            scan.count_repeats(columns, members, n, guesses, out, scratch, limit)
            for guess in range(guesses):
                exact = 1 + n - len(parts_of(columns, members, guess))
                assert out[guess] == exact or limit <= out[guess] <= exact


def test_marks_count_what_pairs_count():
    rng = random.Random(2)
    for _ in range(trials(12)):
        n, guesses = rng.choice([1, 7, 201, 254]), rng.choice([1, 64, 65, 100])
        columns = columns_of(rng, np.uint8, n + 3, guesses, rng.choice([2, 4, 256]))
        members = draw_members(rng, n + 3, n)
        marks = np.full(scan.MARKED * 256, 1, np.uint8)  # what a scan before this one left
        out = np.zeros(columns.shape[1], np.uint8)
        scan.mark_repeats(columns.view(np.uint64), members, n, guesses, out, marks)
        for guess in range(guesses):
            assert out[guess] == 1 + n - len(parts_of(columns, members, guess))


def test_mark_block_marks_each_pattern_shown():
    rng = random.Random(3)
    for first in (0, 64):
        columns = columns_of(rng, np.uint8, 9, 128, 256)
        columns[:, 70] = 255
        members = draw_members(rng, 9, 5)
        marks = np.full(scan.MARKED * 256, 1, np.uint8)
        scan.mark_block(columns.view(np.uint64), members, 5, first // 8, marks)
        for lane in range(scan.MARKED):
            shown = set(parts_of(columns, members, first + lane))
            assert set(np.flatnonzero(marks[256 * lane : 256 * (lane + 1)])) == shown
            assert scan.count_marks(marks, lane) == len(shown)


@pytest.mark.parametrize("count", [0, 1, 255, 256])
def test_count_marks_does_not_overflow(count):
    marks = np.zeros(scan.MARKED * 256, np.uint8)
    marks[512 : 512 + count] = 1
    assert scan.count_marks(marks, 2) == count
    assert scan.count_marks(marks, 1) == scan.count_marks(marks, 4) == 0


@pytest.mark.parametrize("n", [1, 2, 3, 40, 200, scan.MAX_PAIRWISE, scan.MAX_PAIRWISE + 1])
def test_fewest_repeats_is_the_least_over_all_guesses(n):
    rng = random.Random(n)
    for patterns in (2, 4, 250):
        guesses = rng.choice([1, 33, 100, 130])
        columns = columns_of(rng, np.uint8, n + 5, guesses, patterns)
        reach = np.array([len(set(columns[:, g].tolist())) for g in range(guesses)], np.int32)
        order = np.argsort(-reach, kind="stable")
        columns[:, :guesses] = columns[:, order]
        members = draw_members(rng, n + 5, n)
        is_candidate = np.array([rng.random() < 0.1 for _ in range(guesses)], np.uint8)
        wanted = min(
            1 + n - len(parts_of(columns, members, g)) - int(is_candidate[g])
            for g in range(guesses)
        )
        assert fewest(columns, members, n, reach[order], guesses, is_candidate)[0] == wanted


def fewest(columns, members, n, max_parts, guesses, is_candidate):
    out = np.zeros(columns.shape[1], np.uint16)
    scratch = np.zeros(max(scan.MAX_PAIRWISE * LANES, scan.MARKED * 256), np.uint8)
    found = scan.fewest_repeats(
        columns,
        columns.view(np.uint64),
        members,
        n,
        max_parts,
        guesses,
        is_candidate,
        out,
        scratch,
    )
    return found, out


@pytest.mark.parametrize("n", [20, scan.MAX_PAIRWISE + 4])
def test_fewest_repeats_leaves_as_soon_as_no_guess_can_be_better(n):
    """The first guess tells eight answers apart, those after the first block three at most."""
    columns = np.zeros((n, 256), np.uint8)
    columns[:, 0] = np.arange(n) % 8
    columns[:, 64:] = np.arange(n)[:, None] % 3
    max_parts = np.array([8] * 64 + [3] * 192, np.int32)
    members, nobody = np.arange(n, dtype=np.int32), np.zeros(256, np.uint8)
    found, out = fewest(columns, members, n, max_parts, 256, nobody)
    assert found == 1 + n - 8
    assert not out[64:].any()  # never looked at


def test_a_candidate_wins_a_tie_just_behind_the_limit():
    """Blocks after the first are left early: a count of best + 1 must still be exact enough to
    become best when the guess is a candidate."""
    n = 8
    columns = np.zeros((n, 64), np.uint8)
    columns[:, 0] = np.arange(n) % 4
    columns[:, 40] = np.arange(n) % 4
    max_parts, is_candidate = np.full(64, 4, np.int32), np.zeros(64, np.uint8)
    is_candidate[40] = 1
    members = np.arange(n, dtype=np.int32)
    assert fewest(columns, members, n, max_parts, 64, is_candidate)[0] == 1 + n - 4 - 1


def test_a_candidate_in_a_block_left_early_does_not_become_best():
    """After four of eight answers its count is that of the best so far: no reason to stop."""
    n = 8
    columns = np.zeros((n, 64), np.uint8)
    columns[:, 0] = np.minimum(np.arange(n), 4)
    max_parts, is_candidate = np.full(64, 5, np.int32), np.zeros(64, np.uint8)
    is_candidate[40] = 1
    members = np.arange(n, dtype=np.int32)
    assert fewest(columns, members, n, max_parts, 64, is_candidate)[0] == 1 + n - 5


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_gather_copies_the_columns_of_some_guesses(kind):
    rng = random.Random(5)
    columns = columns_of(rng, kind, 20, 70, 4)
    members = draw_members(rng, 20, 6)
    guesses = np.array(sorted(rng.sample(range(70), 9)), np.int32)
    out = np.zeros((8, 64), kind)
    scan.gather(columns, members, 6, guesses, 9, out)
    assert np.array_equal(out[:6, :9], columns[members][:, guesses])
    assert not out[6:].any()
    assert not out[:, 9:].any()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_histograms_of_one_guess(kind):
    rng = random.Random(6)
    for _ in range(trials(60)):
        answers = rng.randint(1, 40)
        row = np.array([rng.randrange(rng.randint(1, 9)) for _ in range(answers)], kind)
        members = draw_members(rng, answers, rng.randint(1, answers))
        sizes = Counter(row[members].tolist()).values()
        tally = np.zeros(256, np.int32)
        squares = scan.sum_of_squares(row, members, len(members), tally)
        assert squares == sum(size * size for size in sizes)
        assert scan.largest_part(row, members, len(members), tally) == max(sizes)
        assert not tally.any()
