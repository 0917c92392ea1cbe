"""Proven values of every first guess of a game: tables that ship with salet.

`benchmarks/opener_tables.py` makes them from the checkpoints of `salet prove --ranking`. Every row
is a statement that was proven: an exact total, bounds, or that no plan with this opener keeps the
cap. The coach opens with them at once, without a table of patterns or compiled code.

A file (fact_file.py) has one row for each guess in the game's order: lower (int32), upper (int32; 0
unknown, -1 none exists), losses (uint16; 0: none, or unknown), worst (uint8; 0 unknown), groups and
largest (uint16).
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from salet.array_types import Ints
from salet.game.game import Game
from salet.search.fact_file import FactFormat, is_about, read_facts, words_digest, write_facts
from salet.search.value import Cost

FOLDER = Path(__file__).parent / "opener_tables"
_FORMAT = FactFormat(
    name="salet openers 1",
    title="table of openers",
    rows="openers",
    columns=(
        ("lower", "<i4"),
        ("upper", "<i4"),
        ("losses", "<u2"),
        ("worst", "<u1"),
        ("groups", "<u2"),
        ("largest", "<u2"),
    ),
)
_NO_UPPER, _NO_PLAN = 0, -1


class Opener(msgspec.Struct, frozen=True, kw_only=True):
    """The proven value of a first guess."""

    guess: str
    is_answer: bool
    lower: int
    """lower bound on the total of any plan"""
    upper: int | None
    """total of a known plan; None if none is known"""
    keeps_cap: bool | None
    """whether some plan finds every answer within the cap; None if not known"""
    losses: int | None
    """answers that are lost at least; None if not known. Where some are, `lower` is the total of
    the best plan that loses no more"""
    worst: int | None
    """worst case at the minimum total; None if not known"""
    groups: int
    largest: int
    """answers in the largest group"""
    best_rank: int = 1
    worst_rank: int = 1
    """its rank lies between these; openers of equal total share a rank"""

    @property
    def exact(self) -> bool:
        return self.upper == self.lower

    @property
    def cost(self) -> Cost | None:
        """Answers lost and guesses made in the best plan; None if not known."""
        return Cost(self.losses or 0, self.lower) if self.exact or self.losses else None


class OpenerTable(msgspec.Struct, frozen=True, kw_only=True):
    """The openers of a game and mode."""

    game: str
    mode: str
    rule: str
    cap: int | None
    words: str
    """digest of the lists"""
    lower: int
    """lower bound on the total of any opener"""
    openers: list[Opener]
    """exact ones first, best first; then by lower bound; then those that cannot keep the cap"""

    def find(self, guess: str) -> Opener | None:
        """An opener by its word."""
        return next((opener for opener in self.openers if opener.guess == guess), None)

    @property
    def valued(self) -> list[tuple[Opener, Cost]]:
        """Openers whose cost is known, including those that lose answers, best first."""
        return [(opener, cost) for opener in self.openers if (cost := opener.cost) is not None]

    @property
    def exact(self) -> list[Opener]:
        """Openers whose total is known, best first."""
        return [opener for opener in self.openers if opener.exact]


def make_table(
    game: Game,
    *,
    lower: Ints,
    upper: Ints,
    losses: Ints,
    worst: Ints,
    groups: Ints,
    largest: Ints,
) -> OpenerTable:
    """A table from columns, one entry for each guess; coded as in a file."""
    best_rank, worst_rank = rank_bounds(lower, upper)
    # Exact openers, then bounded ones, then those without a plan; candidates win ties.
    kind = np.select([upper == lower, upper != _NO_PLAN], [0, 1], 2)
    order = np.lexsort((np.arange(len(lower)), lower, losses, kind)).tolist()
    return OpenerTable(
        game=game.name,
        mode=game.mode,
        rule=game.rule.name,
        cap=game.cap,
        words=words_digest(game),
        lower=int(lower[upper != _NO_PLAN].min(initial=int(lower.max()))),
        openers=[
            Opener(
                guess=game.guesses[g],
                is_answer=g < game.answer_count,
                lower=int(lower[g]),
                upper=int(upper[g]) if upper[g] > 0 else None,
                keeps_cap=None if upper[g] == _NO_UPPER else bool(upper[g] > 0),
                losses=0 if upper[g] > 0 else int(losses[g]) or None,
                worst=int(worst[g]) or None,
                groups=int(groups[g]),
                largest=int(largest[g]),
                best_rank=int(best_rank[g]),
                worst_rank=int(worst_rank[g]),
            )
            for g in order
        ],
    )


def rank_bounds(lower: Ints, upper: Ints) -> tuple[Ints, Ints]:
    """The smallest and the largest rank that each opener can have. A rank is one more than the
    number of openers with a lower total."""
    infinite = np.int64(1) << 40
    low = np.where(upper == _NO_PLAN, infinite, lower).astype(np.int64)
    high = np.where(upper > 0, upper, infinite).astype(np.int64)
    surely_better = np.searchsorted(np.sort(high), low, side="left")
    perhaps_better = np.searchsorted(np.sort(low), high, side="left")
    perhaps_better -= low < high  # not better than itself
    return 1 + surely_better, 1 + perhaps_better


# ---- files


def write_table(path: Path, game: Game, columns: dict[str, Ints]) -> None:
    """Write the columns of a game's table to a file, completely or not at all."""
    write_facts(path, game, _FORMAT, columns)


def read_columns(path: Path) -> tuple[dict[str, Any], dict[str, Ints]]:
    """Header and columns of a file; DataError if it is damaged."""
    return read_facts(path, _FORMAT)


def table_path(game: Game, folder: Path = FOLDER) -> Path:
    """Where the table of a game is stored."""
    return folder / f"{game.name}-{game.mode}.openers"


def shipped_openers(game: Game) -> OpenerTable | None:
    """The table for exactly these words, rule, mode and cap; None if there is none."""
    if game.weights is not None or not table_path(game).is_file():
        return None
    header, columns = _read_once(table_path(game))
    return make_table(game, **columns) if is_about(header, game) else None


_read_once = functools.cache(read_columns)
