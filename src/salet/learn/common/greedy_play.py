"""Playing every answer of a list greedily, all games at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from salet.array_types import Indices, Ints
from salet.game.table import Table
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.splitting import split_sets


def play_greedily(
    choose: Callable[[AnswerSets, int], Indices], table: Table, answers: Indices, cap: int
) -> Ints:
    """Guesses taken for each of the answers, columns of the table; a loss is cap + 1.

    `choose` is given sets of remaining answers and the number of guesses left.
    """
    taken = np.full(table.ids.shape[1], cap + 1, np.int64)
    sets = AnswerSets.of([answers], [0])
    for turn in range(cap):
        guesses = choose(sets, cap - turn)[:, None]
        taken[sets.words[sets.words == guesses[sets.owners, 0]]] = turn + 1
        sets, _ = split_sets(table, sets, guesses)
        if not len(sets):
            break
    return taken[answers]
