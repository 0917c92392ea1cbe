"""Everything that salet raises on purpose.

SaletError
├── InputError            the user's input is wrong: a word, a file, a pattern, an option
│   ├── UnknownNameError  no such game, strategy, word …; suggests the nearest that exists
│   ├── IllegalGuessError a guess that the mode forbids in this state
│   └── RowError          an impossible row of guess and feedback; `row` is its number
├── DataError             a stored file is damaged or belongs to something else
├── TrainingError         training cannot continue; the last good checkpoint remains
└── MissingExtraError     an optional dependency is missing; names the command that installs it

OffListWarning (a UserWarning): weights play a list that they were not trained on.

A message is one line that quotes the offending input and says what would have been right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class SaletError(Exception):
    """Base class of everything that salet raises on purpose."""


class InputError(SaletError):
    """The user's input is wrong."""


class IllegalGuessError(InputError):
    """The mode forbids this guess in this state."""


class RowError(InputError):
    """A row of guess and feedback is impossible."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row
        """its number, counted from 1"""


class UnknownNameError(InputError):
    """No such name exists."""

    def __init__(
        self,
        kind: str,
        given: object,
        known: Iterable[str],
        hint: str = "",
        suggestions: Sequence[str] | None = None,
    ) -> None:
        """Suggest the nearest of the `known` names unless `suggestions` are given.

        `hint` is the advice if no name is close.
        """
        names = list(known)
        near = nearest(str(given), names) if suggestions is None else suggestions
        if near:
            advice = f"did you mean {suggested(near)}?"
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
    """Training cannot continue; the last good checkpoint remains."""


class MissingExtraError(SaletError):
    """An optional dependency is needed and not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the extra {extra!r}: pip install 'salet[{extra}]'")


class OffListWarning(UserWarning):
    """Weights that were trained on one list play another."""


def suggested(names: Iterable[str]) -> str:
    """Suggestions as text: `'crane' or 'crank'`."""
    return " or ".join(map(repr, names))


def nearest(given: str, known: Iterable[str], count: int = 2) -> list[str]:
    """The known names most similar to the given one, best first; none if nothing is close.

    Similarity is difflib's, which also finds names of which only a part is given (`expected` for
    `expected-size`). Words of a game are compared by edit distance: see `Lexicon.nearest`.
    """
    import difflib

    spelled = {name.lower(): name for name in known}
    return [spelled[key] for key in difflib.get_close_matches(given.lower(), spelled, count, 0.6)]
