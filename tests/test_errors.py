"""The errors that salet raises on purpose, and their messages."""

from __future__ import annotations

import inspect

import pytest

from salet import errors
from salet.errors import MissingExtraError, SaletError, UnknownNameError, nearest

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value)
    and issubclass(value, Exception)
    and not issubclass(value, Warning)
    and value.__module__ == errors.__name__
]


def drawn_tree() -> dict[str, str | None]:
    """The tree that the module's docstring draws: class name -> its parent's name."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in errors.__doc__.splitlines():
        name = line.lstrip("│├└─ ").split(" ")[0]
        if not name.endswith("Error"):
            continue
        depth = (len(line) - len(line.lstrip("│├└─ "))) // 4
        path = [*path[:depth], name]
        parents[name] = path[-2] if depth else None
    return parents


def test_the_docstring_draws_the_tree_as_it_is():
    real = {
        each.__name__: None if each is SaletError else each.__base__.__name__ for each in CLASSES
    }
    assert len(real) >= 6
    assert drawn_tree() == real


@pytest.mark.parametrize("error", CLASSES)
def test_every_error_is_ours_and_explained(error):
    assert issubclass(error, SaletError)
    assert error.__doc__


def test_unknown_names_suggest():
    assert str(UnknownNameError("game", "orignal", ["original", "nyt"])) == (
        "unknown game 'orignal'; did you mean 'original'?"
    )
    assert str(UnknownNameError("game", "zzz", ["original"], "see `salet games`")) == (
        "unknown game 'zzz'; see `salet games`"
    )
    assert str(UnknownNameError("mode", "zzz", ["hard", "normal"])) == (
        "unknown mode 'zzz'; known: hard, normal"
    )
    assert str(UnknownNameError("mode", 3, ["hard", "normal"])) == (
        "unknown mode 3; known: hard, normal"
    )
    many = [f"name{number}" for number in range(13)]
    assert str(UnknownNameError("mode", "zzz", many)) == (
        "unknown mode 'zzz'; there is nothing like it"
    )
    assert isinstance(UnknownNameError("a", "b", []), SaletError)


def test_nearest():
    assert nearest("CRAME", ["Crane", "slate"]) == ["Crane"]
    assert nearest("crane", []) == []
    assert len(nearest("aaaa", ["aaab", "aaac", "aaad"])) == 2
    assert nearest("zzz", ["crane"]) == []


def test_missing_extras_name_the_command():
    assert str(MissingExtraError("plotting", "plots")) == (
        "plotting needs the extra 'plots': pip install 'salet[plots]'"
    )
