"""Read the user's word files; every error names the file and the line."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from salet.errors import InputError
from salet.game.lexicon import MAX_LENGTH, MIN_LENGTH, graphemes, key, letter_count

MAX_BYTES = 64 << 20
"""Largest file that is read."""
_OPERATORS = frozenset("+-*/=()")  # equations are words too


def read_word_file(path: Path) -> list[str]:
    """The words of a UTF-8 file with one word per line, in order."""
    name = str(path)
    text = _decode(name, _read(path))
    words: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip(" \t")
        if not word:
            continue
        where = f"{name} line {number} {word!r}"
        _refuse_other_characters(where, word)
        spelled = key(word)
        if spelled in seen:
            raise InputError(f"{where} is already on line {seen[spelled]}; list every word once")
        length = len(graphemes(spelled))
        if not MIN_LENGTH <= length <= MAX_LENGTH:
            raise InputError(
                f"{where} has {letter_count(length)}; words have {MIN_LENGTH} to {MAX_LENGTH}"
            )
        if words and length != (expected := len(graphemes(key(words[0])))):
            raise InputError(
                f"{where} has {letter_count(length)}, but {words[0]!r} has {expected}; "
                "all words of a game have the same length"
            )
        seen[spelled] = number
        words.append(word)
    if not words:
        raise InputError(f"{name!r} is empty; write one word per line")
    return words


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{str(path)!r} is a directory; give a file with one word per line")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"no file {str(path)!r}; give a file with one word per line") from None
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {(error.strerror or '').lower()}") from None
    if len(raw) > MAX_BYTES:
        raise InputError(
            f"{str(path)!r} is larger than {MAX_BYTES >> 20} MB; that is not a word list"
        )
    return raw


def _decode(name: str, raw: bytes) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        raise InputError(f"{name!r} begins with a byte order mark; save it as UTF-8 without BOM")
    if b"\0" in raw:
        raise InputError(f"{name!r} is a binary file; give UTF-8 text with one word per line")
    if (at := raw.find(b"\r")) >= 0:
        line = raw.count(b"\n", 0, at) + 1
        raise InputError(f"{name} line {line} ends with CR LF; save it with LF line endings")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name} line {line} is not UTF-8 text; save the file as UTF-8") from None


def _refuse_other_characters(where: str, word: str) -> None:
    for char in word:
        kind = unicodedata.category(char)[0]
        if kind not in "LMNS" and char not in _OPERATORS and char != "\u200d":
            raise InputError(
                f"{where}: {char!r} is not a letter; write one word of letters, digits or symbols"
            )
