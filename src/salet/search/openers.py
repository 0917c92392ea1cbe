"""Proven values of first guesses: the call behind `salet openers`.

Games with a shipped table (opener_table.py) need no search. In other games values are computed
within a budget; those that are not exact by then are bounds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.search.budget import Budget
from salet.search.opener_search import OpenerSearch, group_by_symmetry
from salet.search.opener_table import Opener, OpenerTable, make_table, shipped_openers
from salet.search.splits import splits
from salet.search.value import INF, Evaluator, check_table_memory

_SECONDS = 60.0
"""Default time limit for a game without a table."""
_TABLE_MB = 256.0
DEFAULT_TOP = 10
"""Default number of openers that are valued exactly."""

Progress = Callable[[int, int], None]
"""called with (openers decided, number of openers)"""


def openers(
    game: Game,
    words: Sequence[str] | None = None,
    *,
    top: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    memory: float = 3.0,
    progress: Progress | None = None,
) -> list[Opener]:
    """The proven values of all openers of a game, or of `words`, best first.

    A game without a shipped table is searched for at most `seconds`, for the `words` or for the
    `top` openers. A game with one is searched only if `seconds` is given and a value is not exact.

    >>> [opener.guess for opener in openers(Game.named("mastermind:2x3"), top=2)][:2]
    ['12', '13']
    """
    asked = _checked(game, words, top)
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds {seconds}: give more than 0")
    check_table_memory(memory)
    table = shipped_openers(game)
    shown = _shown(table, game, asked, top) if table is not None else []
    if table is None or (seconds is not None and not all(opener.exact for opener in shown)):
        budget = Budget(_SECONDS if seconds is None else seconds)
        found = _compute(game, table, asked, top, budget, threads, memory, progress)
        shown = _shown(found, game, asked, top)
    return shown


def _checked(game: Game, words: Sequence[str] | None, top: int | None) -> list[int] | None:
    """The indices of `words`; None for all openers."""
    if top is not None and not 1 <= top <= len(game.guesses):
        count = len(game.guesses)
        raise InputError(f"top {top}: {game.name} has {count} openers; give 1 to {count}")
    return None if not words else list(dict.fromkeys(game.index(word) for word in words))


def _shown(
    table: OpenerTable, game: Game, asked: list[int] | None, top: int | None
) -> list[Opener]:
    if asked is None:
        return table.openers[:top]
    wanted = {game.guesses[guess] for guess in asked}
    return [opener for opener in table.openers if opener.guess in wanted][:top]


def _compute(
    game: Game,
    table: OpenerTable | None,
    asked: list[int] | None,
    top: int | None,
    budget: Budget,
    threads: int | None,
    memory: float,
    progress: Progress | None,
) -> OpenerTable:
    """A table in which the requested openers are exact, as far as the budget allows."""
    start = game.start()
    shape = splits(start)
    columns = {name: np.zeros(len(game.guesses), np.int64) for name in ("upper", "losses", "worst")}
    columns["groups"] = shape.parts.astype(np.int64)
    columns["largest"] = shape.largest.astype(np.int64)
    known = {} if table is None else {game.index(row.guess): row for row in table.openers}
    for guess, row in known.items():
        columns["upper"][guess] = -1 if row.keeps_cap is False else row.upper or 0
        columns["worst"][guess] = row.worst or 0
        columns["losses"][guess] = row.losses or 0
    groups = group_by_symmetry(start, range(len(game.guesses)))
    first = {guess: head for head, group in groups.items() for guess in group}
    evaluator = Evaluator(game, megabytes=min(memory * 1024 / 3, _TABLE_MB))
    evaluator.warm_up()
    wanted = groups if asked is None else dict.fromkeys(first[guess] for guess in asked)
    count = (DEFAULT_TOP if asked is None else len(wanted)) if top is None else top
    search = OpenerSearch(
        evaluator,
        start,
        wanted,
        ranking=min(count, len(wanted)),
        threads=threads or os.cpu_count() or 1,
    )
    search.warm_up()
    for guess in set(search.queue) & known.keys():
        search.lower[guess] = max(search.lower[guess], known[guess].lower)
        if known[guess].exact:
            search.decide(guess, "exact", known[guess].lower)

    def report() -> None:
        if progress is not None:
            progress(len(search.decided), len(search.queue))

    search.run(progress=report, clock=budget.start() if budget.seconds < math.inf else None)
    lower = np.array([search.bounds[guess] for guess in range(len(game.guesses))], np.int64)
    for guess, row in known.items():
        lower[guess] = max(lower[guess], row.lower)
    for head, bound in search.lower.items():
        for guess in groups[head]:
            if bound >= INF:
                columns["upper"][guess] = -1
            elif columns["upper"][guess] >= 0:
                lower[guess] = max(lower[guess], bound)
            if search.decided.get(head) == "exact":
                columns["upper"][guess] = bound
    return make_table(game, lower=lower, **columns)
