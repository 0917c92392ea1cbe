"""Configurations of policy runs."""

from __future__ import annotations

import pytest

from salet.errors import InputError
from salet.learn.policy.config import policy_config_from


def test_rounds_are_lists_and_plays():
    assert policy_config_from({"lists": 7, "plays": 5}).rounds == 12


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stepz": 3}, "unknown key 'stepz'; did you mean 'steps'"),
        ({"steps": 0}, "steps = 0: give a number from 1"),
        ({"steps": "many"}, "steps = 'many': give a whole number"),
        ({"play_widths": []}, "give numbers from 1"),
        ({"play_widths": [2, 0]}, "give numbers from 1"),
        ({"play_ahead": [5, 0]}, "give numbers from 1"),
        ({"play_widths": ["a"]}, "give a list of whole numbers"),
        ({"width": 10**8}, "width = 100000000: give a number from 1 to 8192"),
        ({"cap": 2}, "cap = 2: give a number from 3"),
        ({"own_share": 2}, "own_share = 2.0: give a number from 0 to 1"),
        ({"own_share": 0.9, "early_share": 0.2}, "own_share and early_share sum to more than 1"),
    ],
)
def test_invalid_configurations_are_refused(fields, message):
    with pytest.raises(InputError, match=message):
        policy_config_from(fields)
