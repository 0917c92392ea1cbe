"""Facts of the library as shapes of the API: the same fields, named once."""

from __future__ import annotations

import functools
import typing
from typing import Any

import msgspec
from pydantic import BaseModel, create_model

from salet.web.shapes import Shape


@functools.cache
def shape_of(struct: type[msgspec.Struct]) -> type[BaseModel]:
    """The model with the fields of a msgspec struct, structs within it included."""
    hints = typing.get_type_hints(struct)
    fields: dict[str, Any] = {name: (_shown(hints[name]), ...) for name in struct.__struct_fields__}
    return create_model(struct.__name__, __base__=Shape, __doc__=struct.__doc__, **fields)


def _shown(hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return shape_of(hint)
    inner = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in (list, dict, tuple):
        return origin[tuple(_shown(part) for part in inner)]
    return hint
