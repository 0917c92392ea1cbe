"""Checkpoints of a search over all openers: what is decided survives the end of a process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.search.opener_search import WAYS, OpenerSearch, group_by_symmetry
from salet.storage import replacing

PROOF_FILE = "proof.jsonl"
"""The checkpoint of a proof over the openers of a game."""


class Checkpoint:
    """A file with a header that says which search this is, then one line for every decided opener.

    What the file holds already is decided in the search at once.
    """

    def __init__(self, folder: Path, search: OpenerSearch, name: str = PROOF_FILE) -> None:
        self.path = folder / name
        self.search = search
        state, depth, losses = search.state, search.depth, search.losses
        self.header = _identity(state.game, search.ranking, search.queue)
        self.header |= {"depth": depth} if depth is not None else {}
        self.header |= {"losses": True} if losses else {}
        self.header |= {"rows": [list(row) for row in state.history]} if state.history else {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                self._resume()
            else:
                self.path.write_text(json.dumps(self.header) + "\n", "utf-8")
            self.file = self.path.open("a", encoding="utf-8")
        except FileExistsError:
            raise InputError(f"checkpoint {str(folder)!r} is a file; give a directory") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot use checkpoint {str(folder)!r}: {reason}") from None

    def _resume(self) -> None:
        text = self.path.read_text("utf-8", errors="replace")
        whole = text[: text.rfind("\n") + 1]  # a line that was cut off by a kill is done again
        lines = whole.splitlines()
        try:
            header = json.loads(lines[0]) if lines else None
            if header != self.header:
                raise DataError(
                    f"checkpoint {str(self.path)!r} belongs to another search; "
                    "give an empty directory"
                )
            for number, line in enumerate(lines[1:], 2):
                opener, how, value = json.loads(line)
                if opener not in self.search.lower or how not in WAYS or type(value) is not int:
                    raise ValueError(f"line {number} makes no sense")
                if opener not in self.search.decided:
                    self.search.decide(opener, how, value)
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise DataError(
                f"checkpoint {str(self.path)!r} is damaged ({error}); delete it to begin again"
            ) from None
        if whole != text:
            self.path.write_text(whole, "utf-8")

    def append(self, opener: int, how: str, value: int) -> None:
        self.file.write(json.dumps([opener, how, value]) + "\n")
        self.file.flush()

    def close(self) -> None:
        self.file.close()


def read_checkpoint(folder: Path, game: Game) -> list[tuple[int, str, int]]:
    """(opener, how it was decided, total or lower bound) of every opener that a checkpoint of a
    proof over all openers of this game has decided."""
    path = folder / PROOF_FILE
    try:
        lines = path.read_text("utf-8").splitlines()
        header, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    except (OSError, ValueError, IndexError) as error:
        raise DataError(f"cannot read checkpoint {str(path)!r}: {error}") from None
    openers = group_by_symmetry(game.start(), range(len(game.guesses)))
    wanted = _identity(game, header.get("ranking"), openers)
    if header != wanted:
        raise DataError(f"checkpoint {str(path)!r} belongs to another game than {game.name}")
    return [(opener, how, value) for opener, how, value in rows]


def write_checkpoint(folder: Path, game: Game, decided: Iterable[tuple[int, str, int]]) -> None:
    """Begin a checkpoint of a ranking of all openers, with rows as of `read_checkpoint`."""
    openers = group_by_symmetry(game.start(), range(len(game.guesses)))
    path = folder / PROOF_FILE
    if path.exists():
        raise InputError(f"checkpoint {str(path)!r} exists; give an empty directory")
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for row in decided if row[0] in openers]
    header = _identity(game, len(openers), openers)
    lines = [json.dumps(line) + "\n" for line in (header, *rows)]
    with replacing(path) as file:
        file.write("".join(lines).encode())


def _digest(game: Game, openers: Iterable[int]) -> str:
    digest = hashlib.sha256(game.table.tobytes())
    for array in (game.lexicon.codes, game.weights):
        digest.update(b"-" if array is None else array.tobytes())
    digest.update(repr(sorted(openers)).encode())
    return digest.hexdigest()


def _identity(game: Game, ranking: Any, openers: Iterable[int]) -> dict[str, Any]:
    return {
        "format": "salet proof 2",
        "game": game.name,
        "mode": game.mode,
        "cap": game.cap,
        "ranking": ranking,
        "digest": _digest(game, openers),
    }
