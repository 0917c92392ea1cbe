"""Hosts: who answers the guesses.

secret      draws an answer before the first guess
adversary   has no answer: of the groups into which a guess splits the possible answers it keeps the
            largest. Ties go to the pattern with the fewest greens (blacks), then the fewest yellows
            (whites), then the smallest id. So it loses only when the single answer left is guessed.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from salet.errors import UnknownNameError
from salet.game.notation import GREEN, TILES, YELLOW, tiles

if TYPE_CHECKING:
    from salet.game.feedback import Rule
    from salet.game.state import State

HOSTS: Mapping[str, str] = MappingProxyType(
    {
        "secret": "draws an answer before the first guess",
        "adversary": "has no answer and always keeps the largest group",
    }
)


def check_host(host: str) -> str:
    """A known host; raises an error for any other."""
    if host not in HOSTS:
        raise UnknownNameError("host", host, HOSTS)
    return host


@functools.lru_cache(maxsize=16)
def tie_ranks(rule: Rule, length: int) -> NDArray[np.int64]:
    """[code] -> the order in which the adversary prefers groups of one size, 0 first."""
    notation = rule.notation
    keys = []
    for code in range(notation.patterns(length)):
        if notation is TILES:
            colours = tiles(code, length)
            keys.append((colours.count(GREEN), colours.count(YELLOW), code))
        else:
            black, white = map(int, notation.format(code, length).split(","))
            keys.append((black, white, code))
    ranks = np.empty(len(keys), np.int64)
    ranks[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return ranks


def adversary_pattern(state: State, guess: int) -> int:
    """The id of the pattern with which the adversary answers a guess.

    >>> from salet.game.game import Game
    >>> game = Game(["aa", "ab", "ba", "cc"], host="adversary")
    >>> game.show(adversary_pattern(game.start(), game.index("ab")))
    'BB'
    """
    table = state.game.compiled
    ids, counts = np.unique(table.ids[guess, state.candidates], return_counts=True)
    largest = ids[counts == counts.max()].tolist()
    ranks = tie_ranks(state.game.rule, state.game.length)
    return int(min(largest, key=lambda id_: ranks[table.code(id_)]))
