"""`salet demo`, and the commands that it ends with."""

from __future__ import annotations

from salet.cli.commands.demo import NEXT


def test_the_demo_solves_the_original_game_and_says_so(salet) -> None:
    ran = salet("demo")
    assert ran.code == 0
    assert ran.out.startswith("original: 2315 answers")
    assert "7920" in ran.out and "2315 answers" in ran.out
    assert " 0.0 s" not in ran.out
    for arguments, _ in NEXT:
        assert arguments in ran.out


def test_the_commands_that_follow_work(salet) -> None:
    for arguments, _ in NEXT:
        if arguments != "play":
            assert salet(*arguments.split()).code == 0, arguments
