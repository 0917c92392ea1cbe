"""Checks that every configuration dataclass shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from salet.errors import InputError, UnknownNameError

UNLIMITED = 10**9
"""Upper limit of counts that have no other limit."""

_TYPE_NAMES = {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}


def checked_fields(config: type, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields, converted to the types of the defaults; raises an error for unknown keys."""
    defaults = {field.name: field.default for field in dataclasses.fields(config)}
    checked = {}
    for name, value in fields.items():
        if name not in defaults:
            raise UnknownNameError("key", name, defaults)
        checked[name] = _checked(name, value, defaults[name])
    return checked


def _checked(name: str, value: Any, default: Any) -> Any:
    if isinstance(default, tuple):
        item = type(default[0]) if default else object
        if isinstance(value, list | tuple) and all(item in (object, type(v)) for v in value):
            return tuple(value)
        kind = "a list" if item is object else "a list of whole numbers"
        raise InputError(f"{name} = {value!r}: give {kind}")
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if type(value) is not type(default):
        raise InputError(f"{name} = {value!r}: give {_TYPE_NAMES[type(default)]}")
    return value


def check_ranges(config: Any, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raise an error if a number is outside its range (both ends included)."""
    for name, (low, high) in ranges.items():
        value = getattr(config, name)
        if not low <= value <= high:
            raise InputError(f"{name} = {value}: give a number from {low} to {high}")
