"""Checks that every configuration shares."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import pytest

from salet.errors import InputError
from salet.learn.common.config import check_ranges, checked_fields
from salet.learn.dqn.config import DqnConfig
from salet.learn.policy.config import PolicyConfig


@dataclasses.dataclass(frozen=True)
class Config:
    count: int = 3
    rate: float = 0.5
    name: str = "x"
    flag: bool = False
    sizes: tuple[int, ...] = (1, 2)
    names: tuple[str, ...] = ()


def test_values_get_the_types_of_the_defaults():
    checked = checked_fields(Config, {"rate": 1, "sizes": [4], "names": ["a", "b"], "flag": True})
    assert checked == {"rate": 1.0, "sizes": (4,), "names": ("a", "b"), "flag": True}
    assert type(checked["rate"]) is float


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"cuont": 3}, "unknown key 'cuont'; did you mean 'count'"),
        ({"count": "many"}, "count = 'many': give a whole number"),
        ({"count": True}, "count = True: give a whole number"),
        ({"rate": "fast"}, "rate = 'fast': give a number"),
        ({"name": 1}, "name = 1: give a string"),
        ({"flag": 1}, "flag = 1: give true or false"),
        ({"sizes": 3}, "sizes = 3: give a list of whole numbers"),
        ({"sizes": [1, "a"]}, r"sizes = \[1, 'a'\]: give a list of whole numbers"),
        ({"names": "a"}, "names = 'a': give a list"),
    ],
)
def test_unknown_keys_and_wrong_types_are_refused(fields, message):
    with pytest.raises(InputError, match=message):
        checked_fields(Config, fields)


def test_ranges_include_both_ends():
    ranges = {"count": (1, 3)}
    check_ranges(Config(count=1), ranges)
    check_ranges(Config(count=3), ranges)
    with pytest.raises(InputError, match="count = 4: give a number from 1 to 3"):
        check_ranges(Config(count=4), ranges)


@pytest.mark.parametrize("kind", [DqnConfig, PolicyConfig])
def test_every_field_of_a_configuration_is_explained(kind):
    source = Path(inspect.getfile(kind)).read_text()
    for field in dataclasses.fields(kind):
        declared = source.split(f"    {field.name}: ")[1].split("\n")[1]
        assert declared.strip().startswith('"""'), field.name
