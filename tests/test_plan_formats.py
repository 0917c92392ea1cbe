"""Plans as text: every format is recognised, and damaged files are refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet.errors import DataError, InputError
from salet.plan_formats import (
    Line,
    PlanNode,
    parse_plan,
    paths,
    read_plan,
    write_indented,
    write_json,
    write_paths,
)

TREE = PlanNode("ankle", {"GGBGG": PlanNode("angle"), "GBBGG": PlanNode("apple")})
ANSWERS = {"ankle", "angle", "apple"}
PATHS = (
    "ankle GBBGG apple GGGGG\n"
    "ankle GGBGG angle GGGGG\n"
    "ankle GGGGG\n"
)  # fmt: skip
INDENTED = (
    "ankle GBBGG1 apple GGGGG2\n"
    "      GGBGG1 angle GGGGG2\n"
    "      GGGGG1\n"
)  # fmt: skip


def shape(node: PlanNode | None) -> object:
    """A tree without its line numbers."""
    assert node is not None
    return node.guess, {pattern: shape(child) for pattern, child in node.branches.items()}


def test_every_way_a_game_can_end_is_one_path() -> None:
    assert list(paths(TREE, "GGGGG", ANSWERS)) == [line.split() for line in PATHS.splitlines()]
    assert write_paths(TREE, "GGGGG", ANSWERS) == PATHS
    assert write_indented(TREE, "GGGGG", ANSWERS) == INDENTED


@pytest.mark.parametrize(
    "text", [PATHS, INDENTED, PATHS.lower(), write_json(TREE, {"game": "three"})]
)
def test_trees_are_read_back(text: str) -> None:
    assert shape(parse_plan(text, "plan").root) == shape(TREE)


def test_a_json_header_is_kept_and_its_nodes_have_no_line() -> None:
    document = parse_plan(write_json(TREE, {"game": "three", "total": 5}), "plan")
    assert document.header == {"format": "salet plan 1", "game": "three", "total": 5}
    assert document.root is not None
    assert document.root.line is None


@pytest.mark.parametrize("feedback", ["GYBBG", "gybbg", "21002", "🟩🟨⬛⬛🟩", "gy..g1"])
def test_feedback_may_be_written_in_many_ways(feedback: str) -> None:
    root = parse_plan(f"ankle {feedback} angle GGGGG\n", "plan").root
    assert root is not None
    assert [child.guess for child in root.branches.values()] == ["angle"]


def test_peg_counts_are_feedback_too() -> None:
    root = parse_plan("1122 1,2 1234 4,0\n", "plan").root
    assert shape(root) == ("1122", {"1,2": ("1234", {})})


def test_games_one_per_line() -> None:
    games = [Line(1, ["ankle"], "ankle"), Line(3, ["ankle", "angle"], "angle")]
    for text in ("ankle\n\nankle angle\n", "ankle\n\nankle,angle\n"):
        document = parse_plan(text, "plan")
        assert (document.root, document.games) == (None, games)


def test_transcripts_state_the_secret() -> None:
    text = "ankle, ankle \nangle, ankle angle \napple, ankle angle \n5\n"
    assert parse_plan(text, "plan").games == [
        Line(1, ["ankle"], "ankle"),
        Line(2, ["ankle", "angle"], "angle"),
        Line(3, ["ankle", "angle"], "apple"),  # lost
    ]


WRONG = {
    "contradiction": ("ankle GGBGG angle GGGGG\nankle GGBGG apple GGGGG\n", "line 1 has 'angle'"),
    "two roots": ("ankle GGBGG angle GGGGG\napple GGGGG\n", "line 2 begins with 'apple'"),
    "not feedback": ("ankle GGBGG angle GGGGG\nankle GGXQZ apple\n", "'GGXQZ' should be feedback"),
    "damaged json": ('{"format": "salet plan 1", "tree": [', "is damaged"),
    "nested too deeply": ('{"format": "salet plan 1", "tree": ' + "[" * 10**5, "is damaged"),
    "other json": ('{"format": "something"}', "is not a plan"),
    "bad node": ('{"format": "salet plan 1", "tree": [1, 2]}', "is damaged after the start"),
    "empty": ("\n", "is empty"),
    "binary": ("an\0kle", "is a binary file"),
    "no guess": ("ankle, ankle\nangle,\napple, apple\n", "line 2 'angle,' contains no guess"),
    "no game": ("5\n,\n", "contains no guess"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_damaged_file_is_refused(fault: str) -> None:
    text, reason = WRONG[fault]
    with pytest.raises(DataError) as caught:
        parse_plan(text, "plan.tree")
    assert reason in str(caught.value)
    assert "plan.tree" in str(caught.value)


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="is not UTF-8 text"):
        read_plan(tmp_path / "binary")
    for name in ("missing", "."):
        with pytest.raises(InputError, match="cannot read"):
            read_plan(tmp_path / name)
