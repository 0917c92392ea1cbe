"""The compiled game: one pattern id for every pair of guess and answer, cached on disk.

Ids are the rule's pattern codes where those fit in 16 bits. For longer words (3**11 is over
65,536) the codes that occur are numbered densely instead. Either way the winning pattern has the
largest id, because it has the largest code.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Patterns
from salet.errors import InputError
from salet.game.feedback import Rule
from salet.game.lexicon import Lexicon
from salet.numeric.array_cache import Arrays, cached_arrays
from salet.numeric.jit import kernel

MAX_BYTES = 8 << 30
"""Largest table that is built."""
_MAX_CODES = 1 << 16
"""Number of codes up to which they are the ids."""
_BLOCK = 256
"""Guesses scored at a time where the codes that occur are collected first."""
_MAX_COLUMNS = 48
"""Number of answers up to which a scan runs down the columns of the table."""


@dataclass(frozen=True, eq=False)
class Table:
    """`ids[guess, answer]` -> pattern id, with the meaning of the ids."""

    ids: Patterns
    patterns: int
    """number of ids; the last one is the win"""
    dense_codes: NDArray[np.uint32] | None = None
    """the rule's code of each id; None if ids are codes"""
    name: str | None = None
    """digest of words and rule, under which data derived from the table may be cached"""

    @property
    def win(self) -> int:
        """The id of the winning pattern."""
        return self.patterns - 1

    @functools.cached_property
    def by_answer(self) -> Patterns:
        """ids[answer, guess]: the same table for kernels that run over all guesses at once."""
        transposed = np.empty(self.ids.shape[::-1], self.ids.dtype)
        _transpose(self.ids, transposed)
        return transposed

    def laid_out_for(self, candidates: int) -> Patterns:
        """ids[guess, answer] in the memory order that suits a scan of all guesses.

        For few answers it is faster to run down their columns in parallel than to touch every row
        of the table for a few bytes.
        """
        return self.by_answer.T if candidates <= _MAX_COLUMNS else self.ids

    def code(self, pattern: int) -> int:
        """The rule's code of a pattern id."""
        return pattern if self.dense_codes is None else int(self.dense_codes[pattern])

    def pattern(self, code: int) -> int | None:
        """The pattern id of a rule's code; None if no pair of the table has it."""
        if self.dense_codes is None:
            return code
        index = int(np.searchsorted(self.dense_codes, code))
        found = index < len(self.dense_codes) and int(self.dense_codes[index]) == code
        return index if found else None


@kernel
def _transpose(table: Patterns, out: Patterns) -> None:
    """Transpose in blocks that fit the L1 cache; NumPy's own copy takes ten times as long."""
    rows, columns = table.shape
    for top in range(0, rows, 64):
        for left in range(0, columns, 64):
            for i in range(top, min(top + 64, rows)):
                for j in range(left, min(left + 64, columns)):
                    out[j, i] = table[i, j]


def table_of(lexicon: Lexicon, answers: int, rule: Rule) -> Table:
    """The table with the first `answers` words of the lexicon as answers, from disk if cached."""
    name = _digest(lexicon, answers, rule)

    def make() -> Arrays:
        table = build_table(lexicon, answers, rule)
        dense = {} if table.dense_codes is None else {"codes": table.dense_codes}
        return {"ids": table.ids, **dense}

    arrays = cached_arrays("tables", f"{name}.table", make)
    codes = arrays.get("codes")
    patterns = rule.notation.patterns(lexicon.length) if codes is None else len(codes)
    return Table(arrays["ids"], patterns, codes, name)


def with_wins(table: Table, keys: Sequence[str]) -> Table:
    """The table in which a guess also wins against every answer of the same key."""
    indices_by_key: dict[str, list[int]] = {}
    for index, text in enumerate(keys):
        indices_by_key.setdefault(text, []).append(index)
    ids = np.array(table.ids)
    for indices in indices_by_key.values():
        answers = [index for index in indices if index < ids.shape[1]]
        ids[np.ix_(indices, answers)] = table.win
    return Table(ids, table.patterns, table.dense_codes)


def build_table(lexicon: Lexicon, answers: int, rule: Rule) -> Table:
    """Score every guess against every answer."""
    patterns = rule.notation.patterns(lexicon.length)
    width = 1 if patterns <= 1 << 8 else 2 if patterns <= _MAX_CODES else 4
    size = len(lexicon) * answers * width
    if size > MAX_BYTES:
        raise InputError(
            f"a table of {len(lexicon):,} guesses and {answers:,} answers would take "
            f"{size / 2**30:.0f} GB; the limit is {MAX_BYTES / 2**30:.0f} GB: use fewer words"
        )
    columns = (
        np.ascontiguousarray(lexicon.by_position[:, :answers]),
        np.ascontiguousarray(lexicon.counts[:, :answers]),
    )
    if width < 4:
        ids: Patterns = np.zeros((len(lexicon), answers), np.uint8 if width == 1 else np.uint16)
        rule.fill(lexicon.codes, *columns, ids)
        return Table(ids, patterns)
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(lexicon), _BLOCK)]
    codes = np.zeros(0, np.uint32)
    for block in blocks:
        codes = np.union1d(codes, _codes(lexicon, block, columns, rule))
    dtype = np.uint16 if len(codes) <= _MAX_CODES else np.uint32
    ids = np.empty((len(lexicon), answers), dtype)
    for block in blocks:
        ids[block] = np.searchsorted(codes, _codes(lexicon, block, columns, rule))
    return Table(ids, len(codes), codes)


def _codes(
    lexicon: Lexicon, block: slice, columns: tuple[Codes, Codes], rule: Rule
) -> NDArray[np.uint32]:
    guesses = lexicon.codes[block]
    out = np.zeros((len(guesses), columns[1].shape[1]), np.uint32)
    rule.fill(guesses, *columns, out)
    return out


def _digest(lexicon: Lexicon, answers: int, rule: Rule) -> str:
    """A digest of all that decides the table: letters, number of answers, rule and source code."""
    digest = hashlib.sha256(f"{rule.name} {answers} {lexicon.codes.shape}\n".encode())
    digest.update(np.ascontiguousarray(lexicon.codes).tobytes())
    for source in ("feedback.py", "table.py"):
        digest.update((Path(__file__).parent / source).read_bytes())
    return digest.hexdigest()[:40]
