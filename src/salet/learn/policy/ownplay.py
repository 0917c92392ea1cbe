"""Lessons from own play: the agent's proposals, followed to the end of every game.

From the first state on, the network proposes a few guesses in each set it meets (in the first
turns also the one that looks best one guess ahead, so that a value which is too good to be true is
found out; and what was best in earlier play, if that is remembered), every group of each proposal
is a set to meet next, and so on to the cap. Then, backwards, a set is worth what its best proposal
turned out to take. No guess is tried that the network did not propose or that was not drawn at
random, and nothing is bounded or proven: these are results of play, better than the network's own
because it could choose again in hindsight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from salet.array_types import Bools, Floats, Indices, Ints
from salet.game.table import Table
from salet.learn.policy.kernels import split
from salet.learn.policy.lessons import Lesson, Lessons
from salet.learn.policy.seat import Seat
from salet.learn.policy.sets import Sets

LOSS = 12
"""what a lost answer costs beyond the guesses made, so that winning comes first"""
ASIDE = 1 / 3
"""share of the sets that neither the network nor hindsight would meet that is told of, and the
weight of each"""
EARLY = 2
"""of the first so many turns every set is told of: they are few, and decide the first guess"""


@dataclass(frozen=True, eq=False)
class Level:
    """The sets met at one turn, what was proposed there, and where that led."""

    sets: Sets
    """three answers or more, and at least two guesses left"""
    proposals: Indices
    """[set, k], the network's own choice first"""
    constant: Ints
    """[set * k]: guesses known without the next level: own, and those of small groups"""
    parents: Ints
    """which proposal (set * k) each edge to the next level comes from"""
    children: Ints
    """and which set of the next level it goes to"""


def explore(
    seat: Seat,
    table: Table,
    answers: Indices,
    cap: int,
    widths: tuple[int, ...],
    ahead: tuple[int, ...],
    known: Mapping[bytes, int],
    generator: np.random.Generator,
) -> list[Level]:
    """Follow `widths[turn]` proposals in every set, one of them chosen by looking one guess ahead
    from `ahead[turn]`, one of them what is `known` (by `Sets.key`) from earlier play."""
    levels: list[Level] = []
    sets = Sets.of([answers], [0])
    while len(sets):
        turn, left = len(levels), cap - len(levels)
        proposals = propose(seat, sets, widths[min(turn, len(widths) - 1)], generator)
        if turn < len(ahead) and proposals.shape[1] > 1 and left > 2:
            guesses = seat.top(sets, ahead[turn])
            best = one_ahead(seat, table, sets, guesses, left).argmin(1)
            proposals[:, 1] = guesses[np.arange(len(sets)), best]
        column = 2 if turn < len(ahead) else 1
        if known and column < proposals.shape[1]:
            for place in range(len(sets)):
                proposals[place, column] = known.get(sets.key(place), proposals[place, column])
        level, sets = expand(table, sets, proposals, left)
        levels.append(level)
    return levels


def expand(table: Table, sets: Sets, proposals: Indices, left: int) -> tuple[Level, Sets]:
    """Split each set by its proposals; returns the distinct sets that follow, too."""
    edges, parents = groups_of(table, sets, proposals)
    sizes = edges.sizes
    constant = np.repeat(sets.sizes, proposals.shape[1])
    np.add.at(constant, parents, small_totals(sizes, left - 1))
    goes_on = np.flatnonzero((sizes > 2) & (left > 2))
    numbers: dict[bytes, int] = {}
    fresh: list[int] = []
    children = np.empty(len(goes_on), np.int64)
    for k, edge in enumerate(goes_on.tolist()):
        key = edges[edge].tobytes()
        number = numbers.setdefault(key, len(numbers))
        if number == len(fresh):
            fresh.append(edge)
        children[k] = number
    level = Level(sets, proposals, constant, parents[goes_on], children)
    return level, edges.take(np.array(fresh, np.int64))


def propose(seat: Seat, sets: Sets, width: int, generator: np.random.Generator) -> Indices:
    """The network's best guesses; the last two of them are replaced by an answer and by one of the
    network's next best, both at random, so that play can find what the network does not know."""
    top = seat.top(sets, 4 * width)
    if width < 4 or top.shape[1] < 4 * width:
        return top[:, :width]
    proposals = top[:, :width].copy()
    luck = generator.random((2, len(sets)))
    proposals[:, -2] = sets.words[sets.starts[:-1] + (luck[0] * sets.sizes).astype(np.int64)]
    proposals[:, -1] = np.take_along_axis(
        top, (width + luck[1] * 3 * width).astype(np.int64)[:, None], 1
    )[:, 0]
    return proposals


def one_ahead(seat: Seat, table: Table, sets: Sets, guesses: Indices, left: int) -> Floats:
    """[set, k]: guesses to come over all answers of each set after each of its `guesses`, the next
    of `left`, as the network expects them."""
    groups, parents = groups_of(table, sets, guesses)
    if left <= 2:
        totals = small_totals(groups.sizes, left - 1).astype(np.float64)
    else:
        totals = seat.totals(groups)
    summed: Floats = np.bincount(parents, totals, guesses.size).astype(np.float64)
    return summed.reshape(guesses.shape)


def groups_of(table: Table, sets: Sets, proposals: Indices) -> tuple[Sets, Ints]:
    """The groups that each proposal makes of its set, and which proposal (set * k) made them."""
    width = proposals.shape[1]
    owners = np.repeat(np.arange(len(sets)), width)
    most = int(sets.sizes.sum()) * width
    out = np.empty(most, np.int32)
    starts = np.empty(most + 1, np.int64)
    parents = np.empty(most, np.int64)
    count = split(
        table.ids, table.patterns, sets.words, sets.starts, owners, proposals.ravel(),
        out, starts, parents,
    )  # fmt: skip
    parents = parents[:count]
    turns = sets.turns[parents // width] + 1
    return Sets(out[: starts[count]], starts[: count + 1], turns), parents


def small_totals(sizes: Ints, left: int) -> Ints:
    """Guesses to come in groups that are not followed any further: one answer is guessed, two are
    guessed one after the other, and with one guess left all others are lost. Zero for the rest."""
    if left == 0:
        return sizes * LOSS
    if left == 1:
        return sizes + (sizes - 1) * LOSS
    return np.where(sizes <= 2, 2 * sizes - 1, 0)


def hindsight(levels: list[Level]) -> list[tuple[Ints, Ints]]:
    """Backwards: what each proposal took, and each set with its best proposal, level by level."""
    results: list[tuple[Ints, Ints]] = []
    below = np.empty(0, np.int64)
    for level in reversed(levels):
        took = level.constant.copy()
        np.add.at(took, level.parents, below[level.children])
        took = took.reshape(level.proposals.shape)
        below = took.min(1)
        results.append((took, below))
    return results[::-1]


def met(levels: list[Level], took: list[Ints]) -> list[Bools]:
    """Which sets are met by the network's own play or by play with hindsight."""
    marks = [np.ones(1, bool)]
    for level, each in zip(levels, took, strict=True):
        is_played = np.zeros(each.shape, bool)
        is_played[:, 0] = True
        is_played[np.arange(len(each)), each.argmin(1)] = True
        is_played &= marks[-1][:, None]
        following = is_played.ravel()[level.parents]
        mark = np.zeros(1 + int(level.children.max(initial=-1)), bool)
        mark[level.children[following]] = True
        marks.append(mark)
    return marks[:-1]


def own_lessons(levels: list[Level], generator: np.random.Generator) -> tuple[Lessons, int]:
    """What play taught, and what the first set took with hindsight."""
    results = hindsight(levels)
    lessons = []
    marks = met(levels, [took for took, _ in results])
    for turn, (level, (took, totals), mark) in enumerate(zip(levels, results, marks, strict=True)):
        mark |= turn < EARLY
        told = mark | (generator.random(len(mark)) < ASIDE)
        for place in np.flatnonzero(told).tolist():
            guesses, first = np.unique(level.proposals[place], return_index=True)
            losses = took[place, first] - totals[place]
            weight = 1.0 if mark[place] else ASIDE
            lessons.append(
                Lesson(level.sets[place], int(level.sets.turns[place]), int(totals[place]),
                       guesses, losses.astype(np.int32), weight)
            )  # fmt: skip
    return Lessons.of(lessons), int(results[0][1][0])


def played_alone(seat: Seat, table: Table, cap: int) -> Ints:
    """Guesses of the network alone for each answer (the table's columns); a loss counts cap + 1."""
    charges = np.full(table.ids.shape[1], cap + 1, np.int64)
    sets = Sets.of([np.arange(len(charges), dtype=np.int32)], [0])
    for turn in range(cap):
        guesses = seat.best(sets)[:, None]
        owners = np.repeat(np.arange(len(sets)), sets.sizes)
        charges[sets.words[sets.words == guesses[owners, 0]]] = turn + 1
        sets, _ = groups_of(table, sets, guesses)
        if not len(sets):
            break
    return charges
