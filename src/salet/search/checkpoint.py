"""Checkpoints of a search over all openers: what is decided survives the end of a process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.search.opener_search import WAYS, OpenerSearch, group_by_symmetry
from salet.search.symmetric_search import Key, nobody_listens
from salet.storage import replacing

PROOF_FILE = "proof.jsonl"
"""The checkpoint of a proof over the openers of a game."""


class Checkpoint:
    """A file with a header that says which search this is, then one line for every decided opener.

    What the file holds already is decided in the search at once. In a game with symmetries, whose
    few openers take long, a second file has a line for every improved bound in the search's memo.
    """

    def __init__(self, folder: Path, search: OpenerSearch, name: str = PROOF_FILE) -> None:
        self.path = folder / name
        self.search = search
        state, depth, losses = search.state, search.depth, search.losses
        self.header = _identity(state.game, search.ranking, search.queue)
        self.header |= {"depth": depth} if depth is not None else {}
        self.header |= {"losses": True} if losses else {}
        self.header |= {"rows": [list(row) for row in state.history]} if state.history else {}
        self.states: TextIO | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._load(self.path, self._decide)
            if state.game.symmetry.is_trivial:
                self.file = self.path.open("a", encoding="utf-8")
                return
            path = self.path.with_name(f"{self.path.stem}-states.jsonl")
            self._load(path, self._learn)
            self.file = self.path.open("a", encoding="utf-8")
            self.states = path.open("a", encoding="utf-8")
            search.memo.on_improved = self._append_state
        except FileExistsError:
            raise InputError(f"checkpoint {str(folder)!r} is a file; give a directory") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot use checkpoint {str(folder)!r}: {reason}") from None

    def _load(self, path: Path, take: Callable[[Any], None]) -> None:
        """Call `take` with each row of a file of this checkpoint; without a file, begin one."""
        if not path.exists():
            path.write_text(json.dumps(self.header) + "\n", "utf-8")
            return
        text = path.read_text("utf-8", errors="replace")
        whole = text[: text.rfind("\n") + 1]  # a line that was cut off by a kill is done again
        lines = whole.splitlines()
        try:
            header = json.loads(lines[0]) if lines else None
            if header != self.header:
                raise DataError(
                    f"checkpoint {str(path)!r} belongs to another search; give an empty directory"
                )
            for number, line in enumerate(lines[1:], 2):
                try:
                    take(json.loads(line))
                except (ValueError, TypeError):
                    raise ValueError(f"line {number} makes no sense") from None
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise DataError(
                f"checkpoint {str(path)!r} is damaged ({error}); delete it to begin again"
            ) from None
        if whole != text:
            path.write_text(whole, "utf-8")

    def _decide(self, row: Any) -> None:
        """Decide an opener as a row of the file says."""
        opener, how, value = row
        if opener not in self.search.lower or how not in WAYS or type(value) is not int:
            raise ValueError
        if opener not in self.search.decided:
            self.search.decide(opener, how, value)

    def _learn(self, row: Any) -> None:
        """Take bounds of a state from a row of the file."""
        key, lower, upper = row
        if any(type(number) is not int for number in (*key, lower, upper)) or lower > upper:
            raise ValueError
        self.search.memo.improve(tuple(key), lower, upper)

    def append(self, opener: int, how: str, value: int) -> None:
        self.file.write(json.dumps([opener, how, value]) + "\n")
        self.file.flush()

    def _append_state(self, key: Key, lower: int, upper: int) -> None:
        assert self.states is not None
        self.states.write(json.dumps([key, lower, upper]) + "\n")
        self.states.flush()

    def close(self) -> None:
        self.file.close()
        if self.states is not None:
            self.search.memo.on_improved = nobody_listens
            self.states.close()


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
    if game.mode != "normal" and game.rule.name != "standard":
        digest.update(game.rule.name.encode())  # games of equal tables may differ in what is legal
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
