"""Parse the two files of a hunspell dictionary: stems with flags (.dic) and affix rules (.aff).

Only what forms words is read: SET (UTF-8 and any 8-bit encoding that Python knows), FLAG (char,
long, num, UTF-8), AF, PFX, SFX, NEEDAFFIX (PSEUDOROOT), FORBIDDENWORD, ONLYINCOMPOUND, CIRCUMFIX,
FULLSTRIP, IGNORE. COMPLEXPREFIXES is refused. Compounding, conversions, suggestions and morphology
are ignored.

A malformed line is an InputError with the file, the line and what would be right.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from salet.errors import InputError

Flags = frozenset[str]
NO_FLAGS: Flags = frozenset()

MARKS = {
    "NEEDAFFIX": "NEEDAFFIX",
    "PSEUDOROOT": "NEEDAFFIX",
    "FORBIDDENWORD": "FORBIDDENWORD",
    "ONLYINCOMPOUND": "ONLYINCOMPOUND",
    "CIRCUMFIX": "CIRCUMFIX",
}

_fields = re.compile(r"[^ \t]+").findall
_CONDITION = re.compile(r"\[(\^?)([^\]]+)\]|[^\[\]]")
_MORPHOLOGY = re.compile(r"\t|[ ]+[a-z]{2}:")
_SLASH = re.compile(r"(?<=[^\\])/")


class AffixRule(NamedTuple):
    """One line of a PFX or SFX class."""

    flag: str
    """flag of the stems that it applies to"""
    crosses: bool
    """whether it combines with an affix at the other end (cross product)"""
    strip: str
    """what is cut off the stem"""
    append: str
    """what is added instead"""
    continuation: Flags
    """flags of the word that it makes"""
    condition: str
    """what the edge of the stem must match"""


@dataclass(slots=True)
class Affixes:
    """The content of an .aff file."""

    path: Path
    encoding: str = "iso8859-1"
    """encoding of both files, as Python names it"""
    flag_type: str = "char"
    """char (a byte), long (two bytes), num (comma-separated numbers), utf-8 (a character)"""
    aliases: list[Flags] = field(default_factory=list)
    """flag sets by number (AF); if there are any, every flag set is written as a number"""
    marks: dict[str, str] = field(default_factory=dict)
    """flags that mean NEEDAFFIX, FORBIDDENWORD, ONLYINCOMPOUND, CIRCUMFIX"""
    full_strip: bool = False
    """whether a rule may strip an entire stem"""
    ignored: str = ""
    """characters that are removed from words"""
    prefixes: list[AffixRule] = field(default_factory=list)
    suffixes: list[AffixRule] = field(default_factory=list)
    _cache: dict[str, Flags] = field(default_factory=dict)

    def flags(self, text: str, where: str) -> Flags:
        """The flag set that the text after a slash denotes; equal texts share one object."""
        if text not in self._cache:
            self._cache[text] = (
                self._alias(text, where) if self.aliases else frozenset(self.split(text, where))
            )
        return self._cache[text]

    def _alias(self, text: str, where: str) -> Flags:
        if not text.isdecimal() or not 1 <= int(text) <= len(self.aliases):
            raise InputError(
                f"{where}: no flag alias {text!r}; the AF lines of {self.path} define 1 to "
                f"{len(self.aliases)}"
            )
        return self.aliases[int(text) - 1]

    def split(self, text: str, where: str) -> list[str]:
        """The flags of a text, at least one."""
        if self.flag_type == "num":
            numbers = [re.match("[0-9]+", part) for part in text.split(",")]
            if None in numbers:
                raise InputError(f"{where}: flags {text!r}; FLAG num has comma-separated numbers")
            return [number.group().lstrip("0") for number in numbers if number]
        if self.flag_type == "utf-8":
            return list(text)
        size = 2 if self.flag_type == "long" else 1
        raw = text.encode(self.encoding, "surrogateescape").decode("latin-1")
        if len(raw) % size:
            raise InputError(f"{where}: flags {text!r}; FLAG long has two characters per flag")
        return [raw[start : start + size] for start in range(0, len(raw), size)]

    def text(self, raw: str, where: str) -> str:
        """The text, unless it has bytes outside the encoding, which only flags may have."""
        if any("\udc80" <= char <= "\udcff" for char in raw):
            shown = raw.encode(self.encoding, "surrogateescape")
            raise InputError(
                f"{where}: {shown!r} is not {self.encoding}, the encoding that SET in "
                f"{self.path} names"
            )
        return raw

    def without_ignored(self, text: str) -> str:
        """The text without the characters that IGNORE lists."""
        return text.translate(dict.fromkeys(map(ord, self.ignored))) if self.ignored else text


def condition_steps(condition: str) -> list[str]:
    """A regular expression for each character that a condition tests."""
    return [
        f"[{inverted}{re.escape(group)}]" if group else "." if whole == "." else re.escape(whole)
        for whole, inverted, group in (
            (found[0], found[1], found[2]) for found in _CONDITION.finditer(condition)
        )
    ]


def read_affixes(path: Path) -> Affixes:
    """Parse an .aff file."""
    data = _bytes(path)
    affixes = Affixes(path)
    if found := re.search(rb"^(?:\xef\xbb\xbf)?SET[ \t]+([^\s#]+)", data, re.MULTILINE):
        affixes.encoding = _codec(path, found.group(1).decode("ascii", "replace"))
    rows = [
        (f"{path} line {number}", fields)
        for number, line in enumerate(_lines(data, affixes.encoding), 1)
        if (fields := _fields(line)) and not line.startswith("#")
    ]
    _read_settings(affixes, rows)
    remaining = iter(rows)
    for where, row in remaining:
        if row[0] in ("PFX", "SFX"):
            _read_class(affixes, where, row, remaining)
    return affixes


def read_stems(path: Path, affixes: Affixes) -> Iterator[tuple[str, Flags]]:
    """Yield the entries of a .dic file, (stem, flags), in order."""
    lines = iter(enumerate(_lines(_bytes(path), affixes.encoding), 1))
    _, first = next(lines)
    if not re.match(r"\s*\d", first):
        raise InputError(
            f"{path} line 1: {first[:40]!r}; a .dic begins with the number of its entries"
        )
    for number, line in lines:
        entry = _MORPHOLOGY.split(line, maxsplit=1)[0] if " " in line or "\t" in line else line
        if not entry.strip():
            continue
        where = f"{path} line {number}"
        flags = NO_FLAGS
        if "/" in entry:
            parts = _SLASH.split(entry, maxsplit=1)
            entry = parts[0].replace("\\/", "/")
            try:
                flags = affixes.flags(parts[1], where) if parts[1:] and parts[1] else NO_FLAGS
            except InputError:
                if entry.isalpha():
                    raise
                continue  # a slash without flags, such as the Danish entry "A/S" in quotes
        stem = entry if entry.isascii() else affixes.text(entry, where)
        yield affixes.without_ignored(stem), flags


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {str(path)!r}: {error.strerror}; "
            "a hunspell dictionary is two files, NAME.dic and NAME.aff"
        ) from None


def _codec(path: Path, name: str) -> str:
    plain = name.lower().removeprefix("microsoft-")
    try:
        return codecs.lookup("tis-620" if plain.startswith("tis620") else plain).name
    except LookupError:
        raise InputError(
            f"{path}: unknown encoding in 'SET {name}'; write it like 'SET UTF-8'"
        ) from None


def _lines(data: bytes, encoding: str) -> list[str]:
    text = data.removeprefix(codecs.BOM_UTF8).decode(encoding, "surrogateescape")
    return [line.rstrip("\r") for line in text.split("\n")]


_Row = tuple[str, list[str]]
"""a line's location and its fields"""


def _read_settings(affixes: Affixes, rows: list[_Row]) -> None:
    """Read everything but the rules, which depend on it wherever in the file it is."""
    for where, row in rows:
        if row[0] == "FLAG":
            affixes.flag_type = row[1].lower() if len(row) > 1 else ""
            if affixes.flag_type not in ("char", "long", "num", "utf-8"):
                raise InputError(f"{where}: {' '.join(row)!r}; FLAG is long, num or UTF-8")
        elif row[0] == "IGNORE" and len(row) > 1:
            affixes.ignored = row[1]
        elif row[0] == "FULLSTRIP":
            affixes.full_strip = True
        elif row[0] == "COMPLEXPREFIXES":
            raise InputError(
                f"{where}: COMPLEXPREFIXES (two prefixes on one stem) is not supported; "
                "give a plain word list instead"
            )
    for where, row in rows:
        if row[0] not in MARKS and row[0] != "AF":
            continue
        if len(row) < 2:
            raise InputError(f"{where}: {row[0]!r} alone; write it like '{row[0]} x'")
        if row[0] in MARKS:
            affixes.marks[MARKS[row[0]]] = affixes.split(row[1], where)[0]
    aliases = [(where, row[1]) for where, row in rows if row[0] == "AF"]
    affixes.aliases = [frozenset(affixes.split(text, where)) for where, text in aliases[1:]]


def _read_class(affixes: Affixes, where: str, head: list[str], rows: Iterator[_Row]) -> None:
    """Read the rules of one class, which begins with a line like 'SFX A Y 2'."""
    kind, count = head[0], head[3] if len(head) > 3 else ""
    if not count.isdecimal() or head[2] not in ("Y", "N"):
        raise InputError(
            f"{where}: {' '.join(head)!r} does not begin a class of affixes; "
            f"write it like '{kind} A Y 2' (flag, cross product Y or N, number of rules)"
        )
    flag = affixes.split(head[1], where)[0]
    into = affixes.prefixes if kind == "PFX" else affixes.suffixes
    for missing in range(int(count), 0, -1):
        where, row = next(rows, (f"{affixes.path} at its end", []))
        if len(row) < 4 or row[1] != head[1]:
            raise InputError(
                f"{where}: {' '.join(row)!r}, but {missing} of {count} rules of '{kind} {head[1]}' "
                f"are missing; write them like '{kind} {head[1]} 0 s .' (strip, append, condition)"
            )
        append, _, continuation = row[3].partition("/")
        condition = affixes.text(row[4], where) if len(row) > 4 else "."
        if _CONDITION.sub("", condition):
            raise InputError(f"{where}: condition {condition!r}; write it like '[^aeiou]y'")
        strip, append = (
            "" if part == "0" else affixes.text(part, where) for part in (row[2], append)
        )
        flags = affixes.flags(continuation, where) if continuation else NO_FLAGS
        append = affixes.without_ignored(append)
        into.append(AffixRule(flag, head[2] == "Y", strip, append, flags, condition))
