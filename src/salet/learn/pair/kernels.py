"""Compiled loops of the pair network.

A guess sees an answer as a point: the learned `place` of each relation, position after position, or
their sum where the feedback only counts (`pooled`). Two answers whose points coincide look alike
after that guess; `likeness` falls from 1 to 0 with the squared distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Floats, Indices, Ints
from salet.learn.pair.relations import SIMILARITIES, relation, similarity
from salet.numeric.jit import kernel, lean_kernel

Singles = NDArray[np.float32]

RANGE = 8.0
"""squared distance from which two answers do not look alike at all"""
ALIKE = 0.66
"""squared distance below which the likeness is over one half"""
FEATURES = 8
"""features of a set, besides its similarities"""
_CHUNK = 512
"""pairs compared together, so that all their distances stay in the L2 cache"""


class PairParameters(NamedTuple):
    """What the loops need of a network."""

    places: Singles
    """places[relation]: points; all of one colour coincide once this is learned"""
    share: Floats
    """share[n]: guesses to come for one of n answers that look alike, by n; the last for more"""
    bonus: float
    """guesses saved if a guess is itself one of the remaining answers"""
    pooled: bool


class LetterGroups(NamedTuple):
    """The letters of guesses with all positions of each: what two answers are compared by."""

    letters: Ints
    """letter of each group"""
    masks: Ints
    """its positions, as bits"""
    of_guess: Indices
    """of_guess[guess, k]: groups of a guess; group 0 is empty"""


@lean_kernel
def likeness(distance: np.float32) -> np.float32:
    """1 at distance 0, 0 from RANGE on."""
    x = np.float32(1) - distance * np.float32(1 / RANGE)
    x = max(x, np.float32(0))
    x *= x
    x *= x
    return x * x


def letter_groups(codes: Codes) -> LetterGroups:
    """The letter groups of all guesses."""
    guesses, length = codes.shape
    equal = codes[:, :, None] == codes[:, None, :]
    masks = (equal << np.arange(length)).sum(2)
    is_first = (masks & -masks) == 1 << np.arange(length)
    names = np.where(is_first, (codes.astype(np.int64) << length) | masks, 0)
    distinct, numbers = np.unique(names, return_inverse=True)
    if distinct[0] != 0:  # no letter is repeated anywhere
        distinct, numbers = np.concatenate([[0], distinct]), numbers + 1
    of_guess = -np.sort(-numbers.reshape(guesses, length), axis=1)  # the empty ones last
    return LetterGroups(
        distinct >> length, distinct & ((1 << length) - 1), of_guess.astype(np.int32)
    )


@kernel
def sum_soft_sizes(
    codes: Codes,
    words: Indices,
    groups: LetterGroups,
    learned: PairParameters,
    scale: float,
    out: Floats,
) -> None:
    """out[g]: guesses to come, if every answer shares its group with all that look like it.

    `words` are the remaining answers or a sample of them, of which each stands for `scale` others.
    """
    n, length = len(words), codes.shape[1]
    count, guesses = len(groups.letters), len(groups.of_guess)
    relations = np.zeros((length, n), np.int64)
    guess = np.empty(length, np.int64)
    apart = _squared_distances(learned.places)
    rows = max(1, min(n, _CHUNK // n))
    distances = np.zeros((count, rows * n), np.float32)
    sums = np.zeros(n, np.float32)
    sizes = np.zeros((guesses, n), np.float32)
    for top in range(0, n, rows):
        height = min(rows, n - top)
        distances[:] = 0
        for k in range(1, count):
            for p in range(length):  # -1, which is no letter, marks the other positions
                guess[p] = groups.letters[k] if groups.masks[k] >> p & 1 else -1
            for p in range(length):
                if groups.masks[k] >> p & 1:
                    for j in range(n):
                        relations[p, j] = relation(guess, codes[words[j]], p)
                    for i in range(height):
                        row = apart[relations[p, top + i]]
                        for j in range(n):
                            distances[k, i * n + j] += row[relations[p, j]]
        for g in range(guesses):
            _add_likeness(distances, groups.of_guess[g], height, sums, sizes[g])
    for g in range(guesses):
        total = 0.0
        for j in range(n):
            total += _share(learned.share, 1 + scale * (sizes[g, j] - 1))
        out[g] = total


@lean_kernel
def _add_likeness(
    distances: Singles, groups: Indices, height: int, sums: Singles, sizes: Singles
) -> None:
    """Add to sizes[j] how much answer j looks like each of `height` others."""
    n = sizes.shape[0]
    for i in range(height):
        sums[:] = 0
        for k in range(groups.shape[0]):
            if groups[k] == 0:
                break
            row = distances[groups[k]]
            for j in range(n):
                sums[j] += row[i * n + j]
        for j in range(n):
            sizes[j] += likeness(sums[j])


@kernel
def _squared_distances(places: Singles) -> Singles:
    """The squared distance of every two places."""
    count = places.shape[0]
    found = np.zeros((count, count), np.float32)
    for i in range(count):
        for j in range(count):
            for k in range(places.shape[1]):
                found[i, j] += (places[i, k] - places[j, k]) ** 2
    return found


@lean_kernel
def _share(share: Floats, size: float) -> float:
    """Interpolate share[size]."""
    low = min(int(size), share.shape[0] - 2)
    part = min(size - low, 1.0)
    found: float = share[low] + part * (share[low + 1] - share[low])
    return found


@kernel
def sum_pooled_sizes(
    codes: Codes, words: Indices, learned: PairParameters, scale: float, out: Floats
) -> None:
    """As `sum_soft_sizes`, for feedback that only counts."""
    n = len(words)
    points = np.empty((n, learned.places.shape[1]), np.float32)
    for g in range(codes.shape[0]):
        _fill_points(codes, codes[g], words, learned, points)
        total = 0.0
        for i in range(n):
            size = 0.0
            for j in range(n):
                distance = np.float32(0)
                for k in range(points.shape[1]):
                    distance += (points[i, k] - points[j, k]) ** 2
                size += float(likeness(distance))
            total += _share(learned.share, 1 + scale * (size - 1))
        out[g] = total


@lean_kernel
def _fill_points(
    codes: Codes, guess: Codes, words: Indices, learned: PairParameters, points: Singles
) -> None:
    """points[j]: how the guess sees answer j."""
    depth = learned.places.shape[1]
    for j in range(words.shape[0]):
        if learned.pooled:
            points[j, :] = 0
        for p in range(codes.shape[1]):
            place = learned.places[relation(guess, codes[words[j]], p)]
            start = 0 if learned.pooled else p * depth
            for k in range(depth):
                if learned.pooled:
                    points[j, k] += place[k]
                else:
                    points[j, start + k] = place[k]


@lean_kernel
def _look_alike(one: Singles, other: Singles) -> bool:
    distance = np.float32(0)
    for k in range(one.shape[0]):
        distance += (one[k] - other[k]) ** 2
        if distance >= np.float32(ALIKE):
            return False
    return True


@lean_kernel
def _group_alike(points: Singles, n: int, first: Ints, sizes: Ints, labels: Ints) -> int:
    """Group the first n points that look alike; returns the number of groups.

    Group i has sizes[i] members, of which first[i] is the first; labels[j] is the group of j.
    """
    count = 0
    for j in range(n):
        label = 0
        while label < count and not _look_alike(points[first[label]], points[j]):
            label += 1
        if label == count:
            first[count] = j
            sizes[count] = 0
            count += 1
        sizes[label] += 1
        labels[j] = label
    return count


@kernel
def sum_believed_sizes(
    codes: Codes, words: Indices, guesses: Indices, learned: PairParameters, out: Floats
) -> None:
    """out[i]: guesses to come after guesses[i], by the sizes of the groups it seems to make."""
    n = len(words)
    points = np.empty((n, _point_size(codes, learned)), np.float32)
    first = np.empty(n, np.int64)
    sizes, labels = np.empty_like(first), np.empty_like(first)
    for i in range(len(guesses)):
        _fill_points(codes, codes[guesses[i]], words, learned, points)
        out[i] = 0
        for label in range(_group_alike(points, n, first, sizes, labels)):
            out[i] += sizes[label] * _share(learned.share, float(sizes[label]))


@lean_kernel
def _point_size(codes: Codes, learned: PairParameters) -> int:
    depth: int = learned.places.shape[1]
    return depth if learned.pooled else depth * codes.shape[1]


@kernel
def split_as_believed(
    codes: Codes,
    words: Indices,
    starts: Ints,
    guesses: Indices,
    learned: PairParameters,
    out: Indices,
    group_starts: Ints,
    parents: Ints,
) -> int:
    """Split set s by each `guesses[s, k]` into groups that look alike; returns their number.

    Groups are laid out as by `salet.learn.common.splitting.split_by_pattern`. A guess that is
    itself a remaining answer is left out, since it would have won.
    """
    largest = 0
    for s in range(len(starts) - 1):
        largest = max(largest, starts[s + 1] - starts[s])
    points = np.empty((largest, _point_size(codes, learned)), np.float32)
    first = np.empty(largest, np.int64)
    sizes, labels = np.empty_like(first), np.empty_like(first)
    groups, written = 0, 0
    for s in range(len(starts) - 1):
        inside = words[starts[s] : starts[s + 1]]
        for k in range(guesses.shape[1]):
            guess = guesses[s, k]
            _fill_points(codes, codes[guess], inside, learned, points)
            count = _group_alike(points, len(inside), first, sizes, labels)
            for label in range(count):
                begin = written
                for j in range(first[label], len(inside)):
                    if labels[j] == label and inside[j] != guess:
                        out[written] = inside[j]
                        written += 1
                if written > begin:
                    group_starts[groups] = begin
                    parents[groups] = s * guesses.shape[1] + k
                    groups += 1
    group_starts[groups] = written
    return groups


@kernel
def fill_finest(
    codes: Codes,
    words: Indices,
    starts: Ints,
    outside: Indices,
    learned: PairParameters,
    max_members: int,
    out: Indices,
) -> None:
    """out[s]: the guess that seems to make the most groups of set s, of its own words (at most
    about `max_members` of them) and those `outside`."""
    largest = 0
    for s in range(len(starts) - 1):
        largest = max(largest, starts[s + 1] - starts[s])
    points = np.empty((largest, _point_size(codes, learned)), np.float32)
    first = np.empty(largest, np.int64)
    sizes, labels = np.empty_like(first), np.empty_like(first)
    for s in range(len(starts) - 1):
        inside = words[starts[s] : starts[s + 1]]
        n = len(inside)
        step = max(1, n // max_members)
        own = (n + step - 1) // step
        most = 0
        for k in range(own + len(outside)):
            guess = inside[k * step] if k < own else outside[k - own]
            _fill_points(codes, codes[guess], inside, learned, points)
            count = _group_alike(points, n, first, sizes, labels)
            if count > most:
                most = count
                out[s] = guess


@kernel
def fill_set_features(
    codes: Codes,
    words: Indices,
    starts: Ints,
    learned: PairParameters,
    max_members: int,
    out: Singles,
) -> None:
    """Fill the features of each set of at least two words, as documented in `network.PairNetwork`.

    At most about `max_members` of its own words, evenly spaced, are imagined as the next guess.
    """
    largest = 0
    for s in range(len(starts) - 1):
        largest = max(largest, starts[s + 1] - starts[s])
    points = np.empty((largest, _point_size(codes, learned)), np.float32)
    first = np.empty(largest, np.int64)
    sizes, labels = np.empty_like(first), np.empty_like(first)
    for s in range(len(starts) - 1):
        inside = words[starts[s] : starts[s + 1]]
        n = len(inside)
        row = out[s]
        row[:] = 0
        for i in range(n):
            for j in range(i):
                row[FEATURES + similarity(codes[inside[i]], codes[inside[j]])] += 1
        for k in range(SIMILARITIES):
            row[FEATURES + k] *= 2 / (n * (1 + n / 10))
        lowest, second, total, tried = np.inf, np.inf, 0.0, 0
        for c in range(0, n, max(1, n // max_members)):
            _fill_points(codes, codes[inside[c]], inside, learned, points)
            cost = 1.0 - n - learned.bonus  # compared with the best conceivable, 2 n - 1
            for label in range(_group_alike(points, n, first, sizes, labels)):
                cost += sizes[label] * _share(learned.share, float(sizes[label]))
            if cost < lowest:
                lowest, second = cost, lowest
            elif cost < second:
                second = cost
            total += cost
            tried += 1
        row[0] = np.log(n)
        row[1] = 1 / n
        row[2] = lowest / n
        row[3] = second / n if tried > 1 else 0.0
        row[4] = total / tried / n
        row[5] = lowest
        row[6] = np.sqrt(n) / 10
        row[7] = lowest / np.sqrt(n)
