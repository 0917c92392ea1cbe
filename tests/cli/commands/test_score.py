"""`salet score` as users and scripts meet it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "feedback"),
    [
        (("error", "heron"), "YBGGB"),
        (("FRATE", "carte", "--rule", "present"), "BYYGG"),
        (("1122", "1212", "--rule", "pegs"), "2,2"),
    ],
)
def test_score(salet, arguments: tuple[str, ...], feedback: str) -> None:
    assert salet("score", *arguments).out == f"{feedback}\n"
    fields = salet("score", *arguments, "--json").json
    assert list(fields) == ["guess", "answer", "rule", "feedback"]
    assert fields["feedback"] == feedback


def test_bad_input(salet) -> None:
    salet("score", "straße", "STRASSE").assert_refused("6 letters")
    salet("score", "crane", "caper", "--rule", "stndard").assert_refused("'stndard'", "'standard'")
