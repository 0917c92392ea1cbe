"""Plans to walk: counts that add up, whatever way one looks at them."""

from __future__ import annotations

import pytest

import naive
from salet.search.shipped import shipped_names

ORIGINAL = {"game": "original", "mode": "normal"}


def node(client, **asked):
    found = client.get("/api/plans/node", params={**ORIGINAL, **asked})
    assert found.status_code == 200, found.text
    return found.json()


def test_every_shipped_plan_is_listed_with_its_total(client) -> None:
    plans = {(plan["game"], plan["mode"]): plan for plan in client.get("/api/plans").json()}
    assert list(plans) == shipped_names()
    assert plans["original", "normal"]["total"] == 7920
    assert plans["original", "hard"]["total"] == 8122
    assert all(plan["proven"] for plan in plans.values())


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_counts_add_up_at_every_node_of_two_levels(client, mode: str) -> None:
    root = node(client, mode=mode)
    assert root["answers"] == 2315
    assert [row["guess"] for row in root["path"]] == []
    for at in (
        root,
        *(
            node(client, mode=mode, feedback=[b["feedback"]])
            for b in root["branches"]
            if b["answers"] > 1
        ),
    ):
        assert sum(at["histogram"].values()) == at["answers"]
        assert sum(int(size) * count for size, count in at["histogram"].items()) == at["total"]
        assert at["mean"] == pytest.approx(at["total"] / at["answers"])
        assert sum(branch["answers"] for branch in at["branches"]) == at["answers"]
        assert at["answers"] + sum(branch["total"] for branch in at["branches"]) == at["total"]
        sizes = [branch["answers"] for branch in at["branches"]]
        assert sizes == sorted(sizes, reverse=True)
        assert at["is_answer"] == (at["guess"] in at["words"])


def test_a_node_lists_just_the_answers_that_fit(client) -> None:
    from salet import Game

    answers = Game.named("original").answers
    for feedback in ("BBBBB", "bybyb", "🟩⬛⬛⬛⬛"):
        at = node(client, feedback=[feedback])
        shown = at["path"][0]["feedback"]
        fits = [w for w in answers if naive.shown("standard", naive.standard("salet", w)) == shown]
        assert at["words"] == fits


def test_the_path_of_a_word_leads_to_it(client) -> None:
    for word in ("crane", "zebra", "mamma", "Aback"):
        found = client.get("/api/plans/path", params={**ORIGINAL, "word": word}).json()
        rows = found["rows"]
        assert rows[-1] == {"guess": word.lower(), "feedback": "GGGGG"}
        assert rows[0]["guess"] == "salet"
        before = node(client, feedback=[row["feedback"] for row in rows[:-1]])
        assert before["guess"] == word.lower()


def test_how_an_opener_splits(client) -> None:
    found = client.get("/api/openers", params={**ORIGINAL, "word": "salet"}).json()
    assert (found["groups"], found["largest"], found["is_answer"]) == (148, 221, False)
    assert sum(found["sizes"]) == found["answers"] == 2315
    assert found["expected"] == pytest.approx(sum(n * n for n in found["sizes"]) / 2315)
    assert found["bits"] == pytest.approx(naive.entropy(found["sizes"]))


@pytest.mark.parametrize(
    ("path", "params", "status", "said"),
    [
        ("plans/node", {"feedback": "GGGGG"}, 422, "feedback"),
        ("plans/node", {"feedback": "BBB"}, 422, "5 letters"),
        ("plans/node", {"feedback": ["BBBBB", "QQQQQ"]}, 422, "not a tile"),
        ("plans/node", {"game": "mastermind:2x3"}, 422, "no plan is shipped"),
        ("plans/node", {"game": "nothing"}, 404, "unknown game"),
        ("plans/path", {"word": "xyzzy"}, 422, "'xyzzy'"),
        ("plans/path", {"word": "aahed"}, 422, "not one of its answers"),
        ("plans/path", {}, 422, "word: "),
        ("openers", {"word": "sallet"}, 422, "'salet'"),
    ],
)
def test_what_is_not_there(client, path: str, params, status: int, said: str) -> None:
    found = client.get(f"/api/{path}", params={**ORIGINAL, **params})
    assert found.status_code == status
    assert said in found.json()["detail"]
