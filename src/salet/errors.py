"""Everything that salet raises on purpose.

SaletError
├── InputError            what the user gave is wrong: a word, a file, a pattern, an option
│   ├── UnknownNameError  no such game, strategy, word …; suggests the nearest that exists
│   ├── IllegalGuessError a guess that the mode forbids in this state
│   └── RowError          a row of guess and feedback that cannot be; `row` is its number
├── DataError             a file of ours is damaged or belongs to something else
├── TrainingError         learning cannot go on; the last good checkpoint stays
└── MissingExtraError     an optional dependency is missing; names the command that brings it

A message is one line that quotes the offending input and says what would have been right.
"""

from __future__ import annotations

from collections.abc import Iterable


class SaletError(Exception):
    """Root of the tree: catching it catches everything that salet raises on purpose."""


class InputError(SaletError):
    """What the user gave is wrong."""


class IllegalGuessError(InputError):
    """The mode forbids this guess in this state."""


class RowError(InputError):
    """A row of guess and feedback that cannot be."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row
        """its number, counted from 1"""


class UnknownNameError(InputError):
    """A name that nothing answers to."""

    def __init__(self, kind: str, given: str, known: Iterable[str], hint: str = "") -> None:
        names = list(known)
        near = nearest(given, names)
        if near:
            advice = f"did you mean {' or '.join(repr(name) for name in near)}?"
        elif hint:
            advice = hint
        elif len(names) <= 12:
            advice = f"known: {', '.join(names)}"
        else:
            advice = "there is nothing like it"
        super().__init__(f"unknown {kind} {given!r}; {advice}")


class DataError(SaletError):
    """A stored file is damaged or belongs to something else."""


class TrainingError(SaletError):
    """Learning cannot go on; the last good checkpoint stays."""


class MissingExtraError(SaletError):
    """An optional dependency is needed and not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the extra {extra!r}: pip install 'salet[{extra}]'")


def nearest(given: str, known: Iterable[str], count: int = 2) -> list[str]:
    """The known names most like the given one, best first; none if nothing is close."""
    import difflib

    spelled = {name.lower(): name for name in known}
    return [spelled[key] for key in difflib.get_close_matches(given.lower(), spelled, count, 0.6)]
