"""Word packs: the shipped ones (package data) and the user's own (`salet packs add`)."""

from __future__ import annotations

import functools
import hashlib
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from salet.errors import DataError, InputError, UnknownNameError
from salet.game.lexicon import key
from salet.game.packs.files import read_word_file
from salet.storage import data_root

_SHIPPED = Path(__file__).parent
_LISTS = _SHIPPED / "lists"


@dataclass(frozen=True)
class Pack:
    """A named pair of word lists with the rule and cap that go with them."""

    name: str
    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    rule: str = "standard"
    cap: int | None = None
    summary: str = ""
    sources: dict[str, Any] = field(default_factory=dict)
    """tables of SOURCES.toml: the origin of each list"""


def checksum(words: Sequence[str]) -> str:
    """The sha256 of the sorted words, each followed by LF."""
    return hashlib.sha256(("\n".join(sorted(words)) + "\n").encode()).hexdigest()


def lists_digest(answers: Sequence[str], guesses: Sequence[str]) -> str:
    """A short digest of the lists of a game, by which files say which game they are for."""
    return f"{checksum(answers)[:12]}/{checksum(guesses)[:12]}"


def shipped_names() -> list[str]:
    """The names of the packs that come with salet, sorted."""
    return sorted(path.parent.name for path in _SHIPPED.glob("*/SOURCES.toml"))


def own_names() -> list[str]:
    """The names of the packs that the user has added, sorted."""
    return sorted(path.parent.name for path in (data_root() / "packs").glob("*/answers.txt"))


@functools.cache
def shipped_list(name: str) -> tuple[str, ...]:
    """The words of a shipped list, in the order of its file."""
    return tuple((_LISTS / name).read_text("utf-8").split())


def load(name: str) -> Pack:
    """The pack of that name, shipped or the user's own."""
    if (_SHIPPED / name / "SOURCES.toml").is_file() and name in shipped_names():
        return _load_shipped(name)
    if name in own_names():
        return _load_own(name)
    raise UnknownNameError("pack", name, [*shipped_names(), *own_names()])


def _load_shipped(name: str) -> Pack:
    sources = tomllib.loads((_SHIPPED / name / "SOURCES.toml").read_text("utf-8"))
    lists = {part: shipped_list(sources[part]["file"]) for part in ("answers", "guesses")}
    return Pack(
        name,
        lists["answers"],
        lists["guesses"],
        sources["rule"],
        sources.get("cap"),
        sources["summary"],
        {part: table for part, table in sources.items() if isinstance(table, dict)},
    )


def frequencies(name: str) -> Mapping[str, int]:
    """The number of occurrences of each word in running text, by key; empty without counts."""
    source = load(name).sources.get("frequency")
    return {} if source is None else _read_frequencies(source["file"])


@functools.cache
def _read_frequencies(file: str) -> Mapping[str, int]:
    rows = (line.split("\t") for line in (_LISTS / file).read_text("utf-8").splitlines())
    return MappingProxyType({word: int(count) for word, count in rows})


def _load_own(name: str) -> Pack:
    folder = data_root() / "packs" / name
    try:
        sources = tomllib.loads((folder / "SOURCES.toml").read_text("utf-8"))
        return Pack(
            name,
            tuple(read_word_file(folder / "answers.txt")),
            tuple(read_word_file(folder / "guesses.txt")),
            sources.pop("rule", "standard"),
            sources.pop("cap", None),
            sources.pop("summary", "added by you"),
            sources,
        )
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataError(
            f"pack {name!r} in {str(folder)!r} is damaged ({error}); add it again"
        ) from None


def add(pack: Pack, *, replace: bool = False) -> Path:
    """Store a pack of the user's own, completely or not at all; returns its folder."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,39}", pack.name):
        raise InputError(
            f"pack name {pack.name!r}: use up to 40 lower-case letters, digits, '.', '_' and '-'"
        )
    if pack.name in shipped_names() or pack.name in ("nyt", "mastermind", "bulls-and-cows"):
        raise InputError(f"pack name {pack.name!r} is reserved by salet; choose another")
    legal = {key(word) for word in pack.guesses}
    for word in pack.answers:
        if key(word) not in legal:
            raise InputError(
                f"answer {word!r} is not a guess; the list of guesses must contain every answer"
            )
    folder = data_root() / "packs" / pack.name
    if folder.exists() and not replace:
        raise InputError(
            f"there already is a pack {pack.name!r}; remove it first, or use --replace"
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as scratch:
            new, old = Path(scratch) / "new", Path(scratch) / "old"
            new.mkdir()
            for part, words in (("guesses", pack.guesses), ("answers", pack.answers)):
                (new / f"{part}.txt").write_text("\n".join(words) + "\n", "utf-8")
            (new / "SOURCES.toml").write_text(_sources_toml(pack), "utf-8")
            _swap(new, folder, old)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write pack {pack.name!r} to {str(folder)!r}: {reason}") from None
    return folder


def _swap(new: Path, folder: Path, old: Path) -> None:
    """Replace a folder by a new one; if that fails, the old one stays."""
    replaces = folder.exists()
    if replaces:
        folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        if replaces:
            old.rename(folder)
        raise


def remove(name: str) -> None:
    """Delete a pack of the user's own."""
    if name not in own_names():
        hint = "" if own_names() else "you have added none"
        raise UnknownNameError("pack of your own", name, own_names(), hint)
    shutil.rmtree(data_root() / "packs" / name)


def _sources_toml(pack: Pack) -> str:
    lines = [f"summary = {_quoted(pack.summary)}", f"rule = {_quoted(pack.rule)}"]
    if pack.cap is not None:
        lines.append(f"cap = {pack.cap}")
    lines += [
        f"{name} = {_quoted(value)}"
        for name, value in pack.sources.items()
        if isinstance(value, str)
    ]
    for part, words in (("answers", pack.answers), ("guesses", pack.guesses)):
        lines += ["", f"[{part}]", f"count = {len(words)}", f'sha256 = "{checksum(words)}"']
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'
