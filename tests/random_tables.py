"""Random tables that aim at what breaks kernels, and their value by trying everything.

Few patterns, interchangeable answers, weights, tight depths, losses; normal, hard and strict mode;
one- and two-byte patterns. Only `layout` and `enter` know salet.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import NDArray

import naive

if TYPE_CHECKING:
    from salet.search.exact.layout import Layout
    from salet.search.exact.solver import Root, Solver

INF = 1 << 60
"""What the kernels call infinite."""

Narrow = Callable[[frozenset[int], int, int], frozenset[int]]
"""(legal guesses, guess, pattern) -> the guesses that stay legal"""


def trials(count: int) -> int:
    """How many of `count` random cases to try: fewer where kernels are not compiled."""
    settings: Any = numba.config
    return max(3, count // 4) if settings.DISABLE_JIT else count


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A game given by its table [guess, answer] -> pattern. Guess i is answer i; the last pattern
    wins."""

    table: NDArray[Any]
    patterns: int
    weights: tuple[int, ...]
    mode: str = "normal"
    narrow: Narrow = lambda legal, _guess, _pattern: legal
    legality: Any = None
    """an argument for `build_layout`: the patterns between guesses, or a Game"""
    _known: dict[Any, int] = field(default_factory=dict)

    @property
    def win(self) -> int:
        return self.patterns - 1

    @property
    def answers(self) -> tuple[int, ...]:
        return tuple(range(self.table.shape[1]))

    @property
    def guesses(self) -> frozenset[int]:
        return frozenset(range(self.table.shape[0]))

    def weight(self, members: Sequence[int]) -> int:
        return sum(self.weights[a] for a in members)

    def heaviest(self, members: Sequence[int]) -> int:
        return max(self.weights[a] for a in members)

    def by_weight(self, members: Sequence[int]) -> list[int]:
        """Descending, as the kernels want them."""
        return sorted(members, key=lambda a: -self.weights[a])

    def split(self, members: Sequence[int], guess: int) -> dict[int, tuple[int, ...]]:
        """The parts by pattern."""
        row, parts = self._rows[guess], dict[int, tuple[int, ...]]()
        for a in members:
            parts[row[a]] = (*parts.get(row[a], ()), a)
        return parts

    @functools.cached_property
    def _rows(self) -> list[list[int]]:
        """The table as lists, which are faster to read one by one."""
        rows: list[list[int]] = self.table.tolist()
        return rows

    # ---- brute force

    def value(
        self,
        members: Sequence[int],
        depth: int,
        loss: int = INF,
        legal: frozenset[int] | None = None,
    ) -> int:
        """V(S, d) as bounds.py defines it, by trying everything."""
        if depth == 0:
            return min(loss * self.weight(members), INF)
        legal = self.guesses if legal is None else legal
        key = (tuple(sorted(members)), depth, loss, legal)
        if key not in self._known:
            self._known[key] = min(
                self.value_of_guess(members, guess, depth, loss, legal) for guess in legal
            )
        return self._known[key]

    def value_of_guess(
        self,
        members: Sequence[int],
        guess: int,
        depth: int,
        loss: int = INF,
        legal: frozenset[int] | None = None,
    ) -> int:
        """W + the sum over losing parts of V(c, d - 1)."""
        legal = self.guesses if legal is None else legal
        total = self.weight(members)
        for pattern, part in self.split(members, guess).items():
            if pattern != self.win:
                total += self.value(part, depth - 1, loss, self.narrow(legal, guess, pattern))
        return min(total, INF)

    # ---- as salet sees it

    @functools.cached_property
    def layout(self) -> Layout:
        from salet.search.exact import layout

        if self.mode == "hard":
            return layout.layout_of(self.legality)
        rule = None if self.mode == "normal" else layout.strict_legality(self.legality)
        return layout.build_layout(
            self.table,
            self.patterns,
            weights=np.array(self.weights, np.int64),
            mode=layout.NORMAL if self.mode == "normal" else layout.STRICT,
            legality=rule,
        )

    def solver(self, loss: int = INF, **options: Any) -> Solver:
        from salet.search.exact.solver import Solver

        return Solver(self.layout, loss=loss, **{"megabytes": 0.01, **options})

    def root(self, members: Sequence[int], depth: int) -> Root:
        """The state with these answers, all guesses legal."""
        from salet.search.exact.solver import Root

        legal = None if self.mode == "normal" else np.arange(len(self.table), dtype=np.int32)
        return Root(np.array(sorted(members), np.int32), depth, legal)


def kinds_of_answers(rng: random.Random, answers: int) -> list[int]:
    """To each answer its kind: answers of one kind are told apart by no guess but themselves."""
    kinds = rng.choice([1, 2, 3, answers, answers])
    return [rng.randrange(kinds) for _ in range(answers)]


def random_puzzle(
    rng: random.Random,
    *,
    answers: int | None = None,
    others: int | None = None,
    mode: str | None = None,
    unit: bool | None = None,
    wide: bool = False,
) -> Puzzle:
    """A table of two to four patterns, `wide` ones with ids beyond a byte; what is not given is
    drawn."""
    mode = rng.choice(["normal", "normal", "hard", "strict"]) if mode is None else mode
    unit = rng.random() < 0.5 if unit is None else unit
    answers = rng.randint(2, 8) if answers is None else answers
    others = rng.randint(0, 5) if others is None else others
    weights = (1,) * answers if unit else tuple(rng.randint(1, 3) for _ in range(answers))
    if mode == "hard":
        return _hard_puzzle(rng, answers, others, None if unit else weights)
    guesses = answers + others
    patterns = 300 if wide else rng.randint(2, 4)
    shown = [0, 7, 298][: rng.randint(1, 3)] if wide else list(range(patterns - 1))
    kinds = kinds_of_answers(rng, answers) + [rng.randrange(answers) for _ in range(others)]
    row = [{kind: rng.choice(shown) for kind in range(max(3, answers))} for _ in range(guesses)]
    between = np.array([[row[g][kinds[h]] for h in range(guesses)] for g in range(guesses)])
    np.fill_diagonal(between, patterns - 1)
    between = between.astype(np.uint16 if wide else np.uint8)
    shows = between.tolist()

    @functools.cache
    def narrow(legal: frozenset[int], guess: int, pattern: int) -> frozenset[int]:
        if mode == "normal":
            return legal
        return frozenset(g for g in legal if shows[guess][g] == pattern)

    table = np.ascontiguousarray(between[:, :answers])
    return Puzzle(table, patterns, weights, mode, narrow, between)


def _hard_puzzle(
    rng: random.Random, answers: int, others: int, weights: tuple[int, ...] | None
) -> Puzzle:
    """Words of three letters, many of them alike: hard mode needs letters."""
    from salet import Game

    rule = rng.choice(["standard", "standard", "present"])
    words: dict[str, None] = {}
    stem = rng.choices("xyz", k=2)
    while len(words) < answers + others:
        letters = rng.choices("abcdefghxyz", k=3)
        if rng.random() < 0.6:
            at = rng.randrange(3)
            letters = [*stem[:at], letters[0], *stem[at:]]
        words["".join(letters)] = None
    listed = list(words)
    game = Game(listed[:answers], listed, rule=rule, mode="hard", weights=weights)
    tiles = [naive.RULES[rule](g, a) for g in listed for a in listed[:answers]]
    shown = dict(zip(game.table.ravel().tolist(), tiles, strict=True))

    @functools.cache
    def narrow(legal: frozenset[int], guess: int, pattern: int) -> frozenset[int]:
        hint = shown[pattern]
        return frozenset(
            g for g in legal if naive.allowed_after(rule, listed[guess], hint, listed[g])
        )

    return Puzzle(
        game.table, game.compiled.patterns, weights or (1,) * answers, "hard", narrow, game
    )


def puzzles(seed: int, count: int, **options: Any) -> Iterator[tuple[random.Random, Puzzle]]:
    """Random puzzles, the same for a seed on every machine, each with the generator to go on
    with."""
    for number in range(trials(count)):
        rng = random.Random(f"{seed}/{number}")
        yield rng, random_puzzle(rng, **options)


def draw_loss(rng: random.Random, puzzle: Puzzle, depth: int) -> int:
    """The price of a lost answer: infinite, or more than any number of guesses."""
    return rng.choice([INF, INF, (depth + 1) * puzzle.weight(puzzle.answers) + 1])
