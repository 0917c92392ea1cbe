"""The compiled game: one pattern id for every pair of guess and answer, kept on disk.

Ids are the rule's pattern codes where those fit in 16 bits. For longer words (3**11 is over
65,536) the codes that really occur are numbered densely instead; either way the winning pattern
has the greatest id, because it has the greatest code.

On disk a table is a page of header (what it is, and a checksum of what follows), the table, and
the dense codes if there are any. It is written beside its name and moved there when complete, so
two processes can write at once. A file whose header or checksum does not fit is made again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from salet.arrays import Codes, Patterns
from salet.errors import InputError
from salet.game.feedback import Rule
from salet.game.lexicon import Lexicon
from salet.jit import kernel
from salet.storage import cache_root, remove_unused, replacing, writable

MOST_BYTES = 8 << 30
_MAGIC = "salet table 1"
_PAGE = 4096
_DENSE_FROM = 1 << 16
_BLOCK = 256
_FEW = 48


@dataclass(frozen=True, eq=False)
class Table:
    """`ids[guess, answer]` -> pattern id, and what the ids mean."""

    ids: Patterns
    patterns: int
    """how many ids there are; the last one is the win"""
    dense_codes: NDArray[np.uint32] | None = None
    """the rule's code of each id, where the two differ"""

    @property
    def win(self) -> int:
        return self.patterns - 1

    @functools.cached_property
    def by_answer(self) -> Patterns:
        """ids[answer, guess]: the same table for kernels that run over all guesses at once."""
        turned = np.empty(self.ids.shape[::-1], self.ids.dtype)
        _transpose(self.ids, turned)
        return turned

    def laid_out_for(self, candidates: int) -> Patterns:
        """ids[guess, answer] in the memory order that suits a scan of all guesses.

        For few answers it is faster to run down their columns side by side (a stream for each)
        than to touch every row of the table for a few bytes.
        """
        return self.by_answer.T if candidates <= _FEW else self.ids

    def code(self, pattern: int) -> int:
        """The rule's code of a pattern id."""
        return pattern if self.dense_codes is None else int(self.dense_codes[pattern])

    def pattern(self, code: int) -> int | None:
        """The id of a rule's code; None if no pair of this game gives it."""
        if self.dense_codes is None:
            return code
        place = int(np.searchsorted(self.dense_codes, code))
        found = place < len(self.dense_codes) and int(self.dense_codes[place]) == code
        return place if found else None


@kernel
def _transpose(table: Patterns, out: Patterns) -> None:
    """In blocks that fit the first cache (numpy's own copy takes ten times as long)."""
    rows, columns = table.shape
    for top in range(0, rows, 64):
        for left in range(0, columns, 64):
            for i in range(top, min(top + 64, rows)):
                for j in range(left, min(left + 64, columns)):
                    out[j, i] = table[i, j]


def table_of(lexicon: Lexicon, answers: int, rule: Rule) -> Table:
    """The table of the first `answers` words of the lexicon under a rule: from disk, or made."""
    directory = cache_root() / "tables"
    path = directory / f"{_digest(lexicon, answers, rule)}.table"
    stored = _read(path, (len(lexicon), answers))
    if stored is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # in use: see remove_unused
        return stored
    table = build_table(lexicon, answers, rule)
    if writable(directory):
        remove_unused(directory)
        with contextlib.suppress(OSError):  # a full disk costs time, not the game
            _write(path, table)
    return table


def build_table(lexicon: Lexicon, answers: int, rule: Rule) -> Table:
    """Score every guess against every answer."""
    patterns = rule.notation.patterns(lexicon.length)
    width = 1 if patterns <= 1 << 8 else 2 if patterns <= _DENSE_FROM else 4
    size = len(lexicon) * answers * width
    if size > MOST_BYTES:
        raise InputError(
            f"a table of {len(lexicon):,} guesses and {answers:,} answers would take "
            f"{size / 2**30:.0f} GB; the most is {MOST_BYTES / 2**30:.0f} GB: use fewer words"
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
    kind = np.uint16 if len(codes) <= _DENSE_FROM else np.uint32
    ids = np.empty((len(lexicon), answers), kind)
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
    """Game and code: the letters of all words, the split into answers, and the rule's source."""
    digest = hashlib.sha256(f"{rule.name} {answers} {lexicon.codes.shape}\n".encode())
    digest.update(np.ascontiguousarray(lexicon.codes).tobytes())
    for source in ("feedback.py", "table.py"):
        digest.update((Path(__file__).parent / source).read_bytes())
    return digest.hexdigest()[:40]


def _write(path: Path, table: Table) -> None:
    codes = np.zeros(0, np.uint32) if table.dense_codes is None else table.dense_codes
    header: dict[str, object] = {
        "kind": _MAGIC,
        "name": path.name,
        "type": table.ids.dtype.str,
        "shape": table.ids.shape,
        "patterns": table.patterns,
        "codes": len(codes),
    }
    digest = hashlib.sha256(table.ids.data)
    digest.update(codes.tobytes())
    header["sha256"] = digest.hexdigest()
    with replacing(path) as file:
        file.write(json.dumps(header).encode().ljust(_PAGE - 1) + b"\n")
        file.write(table.ids.data)
        file.write(codes.tobytes())


def _read(path: Path, shape: tuple[int, int]) -> Table | None:
    """The stored table, or None if it is missing, damaged or another one."""
    try:
        raw = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError):  # no such file; an empty one cannot be mapped
        return None
    try:
        header = json.loads(raw[:_PAGE].tobytes())
        kind = np.dtype(header["type"])
        split = _PAGE + shape[0] * shape[1] * kind.itemsize
        trusted = (
            (header["kind"], header["name"], tuple(header["shape"])) == (_MAGIC, path.name, shape)
            and len(raw) == split + 4 * header["codes"]
            and header["sha256"] == hashlib.sha256(raw[_PAGE:].data).hexdigest()
        )
        if not trusted:
            return None
        codes = raw[split:].view(np.uint32) if header["codes"] else None
        ids = np.asarray(raw[_PAGE:split].view(kind).reshape(shape))  # plain: memmap indexes slowly
        return Table(ids, int(header["patterns"]), codes)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
