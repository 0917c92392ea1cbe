"""Bad input for several boards and for equations: one line that says what is right, exit code 2."""

from __future__ import annotations

import pytest

REFUSED = [
    (("assist", "--game", "original:boards=0"), "boards=0 is not a number from 2 to 32"),
    (("simulate", "--game", "original:boards=1"), "boards=1 is not a number from 2 to 32"),
    (("play", "--game", "original:boards=33"), "boards=33 is not a number from 2 to 32"),
    (("assist", "--game", "original:first=3,boards=4"), "need 4 different answers; there are 3"),
    (("assist", "--game", "original:boards=2", "crane:bybbg"), "there is 1 field of feedback"),
    (
        ("assist", "--game", "original:boards=2", "crane:bybbg/bbbbb/bbbbb"),
        "there are 3 fields of feedback for 2 boards; write one for each, as in 'bbbbb/bbbbb'",
    ),
    (
        ("assist", "--game", "original:boards=2", "crane:bybbg/bbbbb", "slate:bbbbb/ggggg"),
        "row 2 'slate:bbbbb/ggggg': board 1: no answer of original:boards=2 fits this",
    ),
    (("analyse", "--game", "original:boards=2", "crane:bybbg"), "there is 1 field of feedback"),
    (("analyse", "--game", "original:boards=2", "crane", "--grid", "x"), "--grid is for one board"),
    (("analyse", "--game", "original:boards=2", "crane", "--likely"), "--likely is for one board"),
    (("analyse", "--game", "original:boards=2", "crane", "slate"), "or an answer for each"),
    (("assist", "--game", "original:boards=2", "--objective", "worst"), "'worst' is for one board"),
    (("assist", "--game", "original", "crane:bybbg/bbbbb"), "several are original:boards=2"),
    (("assist", "--game", "original:boards=2", "--rate", "zzzzz"), "unknown word 'zzzzz'"),
    (("play", "--game", "original:boards=4,boards=2"), "boards=… is given twice"),
    (
        ("play", "--game", "original:boards=2", "--answer", "crane/CRANE"),
        "needs 2 different answers",
    ),
    (("simulate", "--game", "original:boards=2", "--hard"), "mode 'hard' on 2 boards"),
    (("solve", "--game", "original:boards=2"), "has 2 boards, and this is for one"),
    (("assist", "--game", "nerdle:8", "12+35=48:bbbbbbbb"), "'12+35=48' is false: 12+35 is 47"),
    (("assist", "--game", "nerdle:8", "12++5=17:bbbbbbbb"), "operators stand between numbers"),
    (("assist", "--game", "nerdle:8", "012+5=17:bbbbbbbb"), "leading zero in '012'"),
    (("assist", "--game", "primel", "12345:bbbbb"), "'12345' is not a prime: it is 3 * 4115"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=lambda one: one[0][:9])
def test_refused(salet, arguments, said):
    salet(*arguments).assert_refused(said)


def test_analyse_prints_every_turn(salet):
    shown = salet("analyse", "--game", "original:boards=2", "slate", "grand", "humid",
                  "--answer", "grand/humid")  # fmt: skip
    assert shown.code == 0
    assert "all 2 boards in 3" in shown.out
    again = salet("analyse", "--game", "original:boards=2", "slate", "grand", "humid",
                  "--answer", "grand/humid", "--json")  # fmt: skip
    assert again.json["solved_in"] == [2, 3]
