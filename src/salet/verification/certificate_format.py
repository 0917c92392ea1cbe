"""The file format of certificates: a JSON header with the claim, then the facts, compressed.

docs/certificates.md specifies the format. Facts are read one by one, within the limits that the
header states: a certificate is untrusted data.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from salet.errors import DataError, InputError

KIND = "salet certificate 1"
MAX_HEADER = 1 << 22
MAX_FACTS = 5_000_000
MAX_BYTES = 1 << 28
"""Maximum size of the uncompressed facts: a checker holds all of them in memory."""
MAX_STEPS = 1000
"""Maximum number of guesses in a history."""
MAX_ALL_STEPS = 1 << 25
"""Maximum number of guesses in all histories together: a checker replays each of them."""
_CHUNK = 1 << 16

Step = tuple[int, int]
"""a guess (its index, answers first) and a pattern"""


class Fact(NamedTuple):
    """No plan from here costs less: V(history) >= lower."""

    history: tuple[Step, ...]
    lower: int


class GameRules(Protocol):
    """What a check needs to know of a game; a `salet.Game` has it."""

    @property
    def answers(self) -> tuple[str, ...]: ...
    @property
    def guesses(self) -> tuple[str, ...]: ...

    name: str
    mode: str
    cap: int | None
    rule: Any
    weights: Any


def game_digest(
    answers: Sequence[str],
    guesses: Sequence[str],
    rule: str,
    mode: str,
    cap: int | None,
    weights: Sequence[int] | None,
    loss: int | None,
) -> str:
    """The SHA-256 of everything that a claim depends on, as canonical JSON."""
    fields = {
        "answers": list(answers),
        "guesses": list(guesses),
        "rule": rule,
        "mode": mode,
        "cap": cap,
        "weights": None if weights is None else [int(weight) for weight in weights],
        "loss": loss,
    }
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# ---- writing


def write_certificate(file: IO[bytes], header: dict[str, Any], facts: Iterable[Fact]) -> None:
    """Write a certificate; counts and checksum are added to the header."""
    body = bytearray()
    count = 0
    before: tuple[Step, ...] = ()
    for count, (history, lower) in enumerate(facts, 1):  # noqa: B007
        shared = 0
        while shared < min(len(before), len(history)) and before[shared] == history[shared]:
            shared += 1
        numbers = [shared, len(history) - shared]
        for step in history[shared:]:
            numbers += step
        for number in (*numbers, lower):
            _append_number(body, number)
        before = history
    sizes = {"facts": count, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    line = json.dumps({"format": KIND, **header, **sizes}, ensure_ascii=False)
    file.write(line.encode() + b"\n")
    file.write(zlib.compress(bytes(body), 9))


def _append_number(out: bytearray, number: int) -> None:
    """Seven bits a byte, the least significant first; the high bit says that more follow."""
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


# ---- reading


def read_header(path: Path) -> dict[str, Any]:
    """The header of a certificate."""
    with _opened(path) as file:
        return _header(file, str(path))


def read_facts(path: Path) -> Iterator[Fact]:
    """Yield the facts of a certificate; raises a DataError if the file is damaged.

    The checksum is compared at the end.
    """
    name = str(path)
    with _opened(path) as file:
        header = _header(file, name)
        numbers = _numbers(file, header, name)
        before: tuple[Step, ...] = ()
        room = MAX_ALL_STEPS
        for index in range(header["facts"]):
            try:
                shared, new = next(numbers), next(numbers)
                if shared > len(before) or shared + new > MAX_STEPS:
                    raise DataError(f"fact {index} of {name!r} has an impossible history")
                steps = tuple((next(numbers), next(numbers)) for _ in range(new))
                before = (*before[:shared], *steps)
                room -= len(before)
                if room < 0:
                    raise DataError(f"the histories of {name!r} have over {MAX_ALL_STEPS} guesses")
                yield Fact(before, next(numbers))
            except (StopIteration, RuntimeError):
                raise DataError(
                    f"{name!r} ends before fact {index}; its header promises {header['facts']}"
                ) from None
        if next(numbers, None) is not None:
            raise DataError(f"{name!r} goes on after its last fact")


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot read {str(path)!r}: {reason}") from None


def _header(file: IO[bytes], name: str) -> dict[str, Any]:
    line = file.readline(MAX_HEADER)
    try:
        header = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != KIND:
        raise DataError(f"{name!r} is not a certificate: its first line is not {KIND!r}")
    for field, limit in (("facts", MAX_FACTS), ("bytes", MAX_BYTES)):
        if type(header.get(field)) is not int or not 0 <= header[field] <= limit:
            raise DataError(
                f"the header of {name!r} says {field!r} is {header.get(field)!r}; "
                f"that must be a number up to {limit}"
            )
    return header


def _numbers(file: IO[bytes], header: dict[str, Any], name: str) -> Iterator[int]:
    """The numbers of the compressed facts; never holds more than a chunk of them."""
    unzip, digest = zlib.decompressobj(), hashlib.sha256()
    left, number, shift = header["bytes"], 0, 0
    while True:
        try:
            compressed = unzip.unconsumed_tail or file.read(_CHUNK)
            chunk = unzip.decompress(compressed, _CHUNK)
        except zlib.error:
            raise DataError(f"{name!r} is damaged: its facts cannot be decompressed") from None
        if not chunk and not compressed:
            break
        left -= len(chunk)
        if left < 0:
            raise DataError(f"{name!r} holds more than the {header['bytes']} bytes it promises")
        digest.update(chunk)
        for byte in chunk:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield number
                number = shift = 0
            elif shift > 70:
                raise DataError(f"{name!r} is damaged: a number has too many digits")
    if left or shift or digest.hexdigest() != header.get("sha256"):
        raise DataError(f"{name!r} is damaged: its facts do not have the checksum of its header")
