"""Files of proven facts about one game: what the tables of openers and the books of replies share.

A file is one line of JSON (what the facts are about; a checksum), then a zlib stream of
little-endian columns of equal length.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from salet.array_types import Ints
from salet.errors import DataError
from salet.game.game import Game
from salet.game.packs.store import lists_digest
from salet.storage import replacing

_IDENTITY = ("mode", "rule", "cap", "words")


@dataclass(frozen=True)
class FactFormat:
    """What a kind of file holds."""

    name: str
    """first field of the header, with a version"""
    title: str
    """what errors call such a file"""
    rows: str
    """field of the header with the number of rows"""
    columns: tuple[tuple[str, str], ...]
    """name and NumPy type of each column"""


def words_digest(game: Game) -> str:
    """A short digest of a game's lists."""
    return lists_digest(game.answers, game.guesses)


def identity(game: Game) -> dict[str, Any]:
    """The fields of a header that say which game the facts are about."""
    return {
        "game": game.name,
        "mode": game.mode,
        "rule": game.rule.name,
        "cap": game.cap,
        "words": words_digest(game),
    }


def is_about(header: Mapping[str, Any], game: Game) -> bool:
    """Whether facts hold for exactly these words, rule, mode and cap, all answers alike."""
    if game.weights is not None:
        return False
    wanted = identity(game)
    return all(header.get(name) == wanted[name] for name in _IDENTITY)


def write_facts(
    path: Path, game: Game, kind: FactFormat, columns: Mapping[str, Ints], **facts: Any
) -> None:
    """Write the columns of a game to a file, completely or not at all; `facts` join the header."""
    payload = b"".join(
        np.ascontiguousarray(columns[name].astype(type_)).tobytes() for name, type_ in kind.columns
    )
    header = {
        "format": kind.name,
        **identity(game),
        **facts,
        kind.rows: len(columns[kind.columns[0][0]]),
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    with replacing(path) as file:
        file.write(json.dumps(header).encode() + b"\n" + zlib.compress(payload, 9))


def read_facts(path: Path, kind: FactFormat) -> tuple[dict[str, Any], dict[str, Ints]]:
    """Header and columns of a file; DataError if it is damaged."""
    try:
        first, _, packed = path.read_bytes().partition(b"\n")
        header = json.loads(first)
        if header["format"] != kind.name:
            raise ValueError(f"format {header['format']!r}, not {kind.name!r}")
        payload = zlib.decompress(packed)
        if hashlib.sha256(payload).hexdigest() != header["sha256"]:
            raise ValueError("the checksum does not fit")
        columns, at, count = {}, 0, int(header[kind.rows])
        for name, type_ in kind.columns:
            columns[name] = np.frombuffer(payload, type_, count, at).astype(np.int64)
            at += count * np.dtype(type_).itemsize
    except (OSError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise DataError(f"{kind.title} {str(path)!r} is damaged ({error})") from None
    return header, columns
