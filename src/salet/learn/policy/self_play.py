"""Self-play: examples from following the network's own proposals to the end of every game.

In each set it meets, the network proposes a few guesses. In the first turns one proposal is the
guess that looks best one ply ahead, so that values which are too optimistic are exposed; another is
the best guess of earlier self-play, if that is remembered. Every group of every proposal is met
next, and so on to the cap. Totals are then backed up: a set is worth what its best proposal took.
No guess is tried that the network did not propose or that was not drawn at random, and nothing is
bounded or proven. These are results of play, better than the network's own only because it could
choose again with hindsight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from salet.array_types import Bools, Indices, Ints
from salet.game.table import Table
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.splitting import known_totals, one_ply_totals, split_sets
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.examples import Example, Examples
from salet.learn.policy.player import PolicyPlayer

SIDE_SHARE = 1 / 3
"""share of the sets off the main lines of play that become examples, and their weight"""
EARLY_TURNS = 2
"""first turns of which every set becomes an example: they are few, and decide the opener"""


@dataclass(frozen=True, eq=False)
class Level:
    """The sets met at one turn, the proposals there, and the sets they lead to."""

    sets: AnswerSets
    """sets of at least three answers, with at least two guesses left"""
    proposals: Indices
    """proposals[set, k], the network's own choice first"""
    known: Ints
    """known[set * k]: guesses known without the next level: this one, and those of small groups"""
    parents: Ints
    """the proposal (set * k) that each edge to the next level comes from"""
    children: Ints
    """the set of the next level that each edge leads to"""


def explore(
    player: PolicyPlayer,
    table: Table,
    answers: Indices,
    config: PolicyConfig,
    remembered: Mapping[bytes, int],
    generator: np.random.Generator,
) -> list[Level]:
    """Play all games with these answers, following several proposals in every set.

    `remembered` has the best known guess of sets of earlier self-play, by `AnswerSets.key`.
    """
    widths, ahead = config.play_widths, config.play_ahead
    levels: list[Level] = []
    sets = AnswerSets.of([answers], [0])
    while len(sets):
        turn, left = len(levels), config.cap - len(levels)
        proposals = propose(player, sets, widths[min(turn, len(widths) - 1)], generator)
        if turn < len(ahead) and proposals.shape[1] > 1 and left > 2:
            guesses = player.top(sets, ahead[turn])
            best = one_ply_totals(player.totals, table, sets, guesses, left).argmin(1)
            proposals[:, 1] = guesses[np.arange(len(sets)), best]
        column = 2 if turn < len(ahead) else 1
        if remembered and column < proposals.shape[1]:
            for s in range(len(sets)):
                proposals[s, column] = remembered.get(sets.key(s), proposals[s, column])
        level, sets = expand(table, sets, proposals, left)
        levels.append(level)
    return levels


def propose(
    player: PolicyPlayer, sets: AnswerSets, width: int, generator: np.random.Generator
) -> Indices:
    """`width` guesses for each set: the network's best, the last two of them replaced by random
    ones (a remaining answer, and one of the network's next best), to find what it does not know."""
    top = player.top(sets, 4 * width)
    if width < 4 or top.shape[1] < 4 * width:
        return top[:, :width]
    proposals = top[:, :width].copy()
    random = generator.random((2, len(sets)))
    proposals[:, -2] = sets.words[sets.starts[:-1] + (random[0] * sets.sizes).astype(np.int64)]
    next_best = (width + random[1] * 3 * width).astype(np.int64)
    proposals[:, -1] = np.take_along_axis(top, next_best[:, None], 1)[:, 0]
    return proposals


def expand(
    table: Table, sets: AnswerSets, proposals: Indices, left: int
) -> tuple[Level, AnswerSets]:
    """Split each set by its proposals; returns the level and the distinct sets that follow."""
    groups, parents = split_sets(table, sets, proposals)
    sizes = groups.sizes
    known = np.repeat(sets.sizes, proposals.shape[1])
    np.add.at(known, parents, known_totals(sizes, left - 1))
    open_groups = np.flatnonzero((sizes > 2) & (left > 2))
    numbers: dict[bytes, int] = {}
    first_seen: list[int] = []
    children = np.empty(len(open_groups), np.int64)
    for k, group in enumerate(open_groups.tolist()):
        number = numbers.setdefault(groups[group].tobytes(), len(numbers))
        if number == len(first_seen):
            first_seen.append(group)
        children[k] = number
    level = Level(sets, proposals, known, parents[open_groups], children)
    return level, groups.take(np.array(first_seen, np.int64))


def back_up(levels: list[Level]) -> list[Ints]:
    """totals[set, k] of each level: what each proposal took, with the best choices below it."""
    results: list[Ints] = []
    best_below = np.empty(0, np.int64)
    for level in reversed(levels):
        totals = level.known.copy()
        np.add.at(totals, level.parents, best_below[level.children])
        totals = totals.reshape(level.proposals.shape)
        best_below = totals.min(1)
        results.append(totals)
    return results[::-1]


def main_lines(levels: list[Level], totals: list[Ints]) -> list[Bools]:
    """Whether each set is met by following the network's own choice or the best proposal."""
    marks = [np.ones(1, bool)]
    for level, each in zip(levels, totals, strict=True):
        is_played = np.zeros(each.shape, bool)
        is_played[:, 0] = True
        is_played[np.arange(len(each)), each.argmin(1)] = True
        is_played &= marks[-1][:, None]
        is_followed = is_played.ravel()[level.parents]
        mark = np.zeros(1 + int(level.children.max(initial=-1)), bool)
        mark[level.children[is_followed]] = True
        marks.append(mark)
    return marks[:-1]


def self_play_examples(levels: list[Level], generator: np.random.Generator) -> tuple[Examples, int]:
    """The examples of self-play, and the total of its first set with hindsight."""
    totals = back_up(levels)
    marks = main_lines(levels, totals)
    examples = []
    for turn, (level, took, is_main) in enumerate(zip(levels, totals, marks, strict=True)):
        is_main |= turn < EARLY_TURNS
        is_example = is_main | (generator.random(len(is_main)) < SIDE_SHARE)
        best = took.min(1)
        for s in np.flatnonzero(is_example).tolist():
            guesses, first = np.unique(level.proposals[s], return_index=True)
            losses = (took[s, first] - best[s]).astype(np.int32)
            weight = 1.0 if is_main[s] else SIDE_SHARE
            set_turn = int(level.sets.turns[s])
            examples.append(Example(level.sets[s], set_turn, int(best[s]), guesses, losses, weight))
    return Examples.of(examples), int(totals[0].min())
