"""Facts of the library as shapes of the API."""

from __future__ import annotations

import msgspec
import pytest
from pydantic import ValidationError

from salet.coach.advice import Advice, Suggestion
from salet.web.mirror import shape_of


class Inner(msgspec.Struct):
    """Within."""

    word: str
    chance: float


class Outer(msgspec.Struct):
    """Without."""

    inner: list[Inner]
    table: dict[str, int]
    maybe: int | None = None


def test_the_same_fields_within_and_without() -> None:
    shape = shape_of(Outer)
    value = Outer([Inner("crane", 0.5)], {"a": 1})
    assert shape.model_validate(msgspec.to_builtins(value)).model_dump() == msgspec.to_builtins(
        value
    )
    assert shape.__doc__ == "Without."
    with pytest.raises(ValidationError):
        shape.model_validate({"inner": [{"word": 1}], "table": {}, "maybe": None})


def test_advice_is_mirrored_whole() -> None:
    assert list(shape_of(Advice).model_fields) == list(Advice.__struct_fields__)
    listed = shape_of(Advice).model_fields["suggestions"].annotation
    assert listed == list[shape_of(Suggestion)]
