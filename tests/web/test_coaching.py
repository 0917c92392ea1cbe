"""The coach behind the API: one answer, or answers that get better."""

from __future__ import annotations

import json

import pytest

import naive

ORIGINAL = {"game": "original", "rows": [{"guess": "salet", "feedback": "BYBYB"}]}


def events(response) -> list[tuple[str, dict]]:
    found = []
    for block in response.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_a_state_of_the_plan_has_the_plans_guess(client) -> None:
    found = client.post("/api/suggest", json={**ORIGINAL, "seconds": 0.2}).json()
    assert (found["guess"], found["proven"], found["remaining"]) == ("beard", True, 83)
    assert found["expected"] == pytest.approx(217 / 83)
    assert len(found["suggestions"]) >= 10
    assert len(found["words"]) == 83
    assert "83 words" in found["explanation"]


def test_advice_only_gets_better(client) -> None:
    asked = {"game": "original", "rows": [{"guess": "crane", "feedback": "BYBBB"}], "seconds": 3}
    response = client.post("/api/suggest/stream", json=asked)
    assert response.headers["content-type"].startswith("text/event-stream")
    found = events(response)
    assert {kind for kind, _ in found} == {"advice"}
    advice = [data for _, data in found]
    assert all(one["lower"] <= one["upper"] for one in advice)
    lowers = [one["lower"] for one in advice]
    uppers = [one["upper"] for one in advice]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)


def test_final_advice_is_remembered(client) -> None:
    asked = {"game": "mastermind:2x3", "seconds": 10}
    first = client.post("/api/suggest", json=asked).json()
    assert first["complete"]
    again = events(client.post("/api/suggest/stream", json={**asked, "seconds": 0.01}))
    assert [data for _, data in again] == [first]


def test_guesses_to_consider_are_listed(client) -> None:
    asked = {"game": "original", "consider": ["crane", "FUZZY"], "seconds": 0.1}
    found = client.post("/api/suggest", json=asked).json()
    assert {"crane", "fuzzy"} <= {row["guess"] for row in found["suggestions"]}


def test_an_answer_outside_the_list_is_no_dead_end(client) -> None:
    feedback = naive.shown("standard", naive.standard("ahead", "aahed"))  # a guess, no answer
    rows = [{"guess": "ahead", "feedback": feedback}]
    found = client.post("/api/suggest", json={"game": "original", "rows": rows, "seconds": 1})
    assert found.status_code == 200
    assert found.json()["outside"] is True
    assert "aahed" in found.json()["words"]


@pytest.mark.parametrize(
    ("rows", "row", "said"),
    [
        ([["salet", "BYBY"]], 1, "has 4 tiles"),
        ([["salet", "BYBYQ"]], 1, "is not a tile"),
        ([["salet", "BYBYB"], ["xyzzy", "BBBBB"]], 2, "'xyzzy'"),
        ([["salet", "GGGGG"], ["crane", "BBBBB"]], 2, "found the answer"),
        ([["salet", "BYBYB"], ["salet", "BBBBB"]], None, "most likely mistyped"),
        ([["crane", "BBBBB"]] * 7, 7, "cap of 6"),
    ],
)
def test_wrong_rows_are_named(client, rows, row: int | None, said: str) -> None:
    typed = [{"guess": guess, "feedback": feedback} for guess, feedback in rows]
    for path in ("/api/suggest", "/api/suggest/stream"):
        found = client.post(path, json={"game": "original", "rows": typed})
        assert found.status_code == 422
        assert said in found.json()["detail"]
        assert row is None or found.json()["row"] == row


def test_a_game_that_is_over(client) -> None:
    rows = [{"guess": "salet", "feedback": "GGGGG"}]
    found = client.post("/api/suggest", json={"game": "original", "rows": rows})
    assert found.status_code == 422
    assert (
        "nothing is left to guess" in found.json()["detail"] or "answer" in found.json()["detail"]
    )
    live = client.post("/api/suggest/stream", json={"game": "original", "rows": rows})
    assert live.status_code == 422 or events(live)[0][0] == "problem"


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("objective", ["mean", "worst", "win-then-mean"])
def test_objectives_and_modes(client, mode: str, objective: str) -> None:
    asked = {**ORIGINAL, "mode": mode, "objective": objective, "seconds": 1}
    found = client.post("/api/suggest", json=asked).json()
    assert (found["mode"], found["objective"]) == (mode, objective)
    assert found["suggestions"][0]["guess"] == found["guess"]
