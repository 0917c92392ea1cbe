"""Games and histories in the terms of the exact engine, which never meets a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import tiles
from salet.game.state import State
from salet.search.exact.model import INF
from salet.search.exact.solver import Hint, Mode, Rules, Solver

WORTH_KEEPING = 1 << 18
"""pairs of guess and answer from which on a layout is sooner read from disk than made"""


def rules_of(game: Game) -> Rules:
    """A game in the engine's terms."""
    table = game.compiled
    mode = Mode[game.mode.upper()]
    codes = digits = full = None
    if mode is Mode.HARD:
        if len(game.lexicon.alphabet) > 250:
            raise InputError("exact search in hard mode: the most letters of an alphabet are 250")
        codes = game.lexicon.codes
        digits = np.array(
            [tiles(table.code(pattern), game.length) for pattern in range(table.patterns)], np.uint8
        )
    elif mode is Mode.STRICT:
        full = _between_guesses(game)
    return Rules(
        np.ascontiguousarray(table.ids),
        table.patterns,
        mode,
        codes,
        digits,
        not game.rule.counts_letters,
        full,
        game.weights,
        game.cap,
        table.name if table.ids.size >= WORTH_KEEPING else None,
    )


def _between_guesses(game: Game) -> Any:
    """[guess, guess] -> pattern id as if the second were the answer; no id where none exists."""
    lexicon, table = game.lexicon, game.compiled
    codes = np.zeros((len(lexicon), len(lexicon)), np.uint32)
    game.rule.fill(lexicon.codes, lexicon.by_position, lexicon.counts, codes)
    if table.dense_codes is None:
        return codes.astype(table.ids.dtype)
    place = np.minimum(np.searchsorted(table.dense_codes, codes), table.patterns - 1)
    return np.where(table.dense_codes[place] == codes, place, table.patterns).astype(np.uint32)


def hints_of(state: State) -> tuple[Hint, ...]:
    """A history in the engine's terms."""
    hints = []
    for guess, code in state.history:
        pattern = state.game.compiled.pattern(code)
        if pattern is None:
            raise InputError("no answer gives this feedback")
        hints.append((guess, pattern))
    return tuple(hints)


def tiny(rules: Rules) -> Rules:
    """A game of the same kind with the first few words: it needs the same kernels."""
    n = min(4, rules.table.shape[1])
    return Rules(
        np.ascontiguousarray(rules.table[:n, :n]),
        rules.patterns,
        rules.mode,
        None if rules.codes is None else rules.codes[:n],
        rules.digits,
        rules.presence_only,
        None if rules.full is None else np.ascontiguousarray(rules.full[:n, :n]),
        None if rules.weights is None else rules.weights[:n],
        rules.cap,
    )


def warm_up(rules: Rules) -> None:
    """Load (or compile) the kernels on a tiny game of the same kind, before the clock starts."""
    rules.layout  # noqa: B018 -- made before the clock starts, too
    solver = Solver(tiny(rules), megabytes=0.01)
    value = solver.value()
    if value < INF:
        solver.equal((), value)
