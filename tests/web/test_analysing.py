"""Analysis behind the API."""

from __future__ import annotations

import pytest


def analyse(client, text: str, **asked):
    return client.post("/api/analyse", json={"game": "original", "text": text, **asked})


def test_words(client) -> None:
    found = analyse(client, "salet acorn grand").json()
    assert found["words"] == ["salet", "acorn", "grand"]
    game = found["analysis"]
    assert game["answer"] == "grand" and game["won"]
    start = game["turns"][0]["expected_before"]
    assert start == pytest.approx(7920 / 2315)
    assert len(game["turns"]) == pytest.approx(start + game["lost"] - game["luck"])
    assert game["turns"][0]["lost"] == 0
    assert "grand" not in game["summary"] and "🟩" in game["summary"]


def test_words_with_their_grid_and_the_mode_it_says(client) -> None:
    grid = "Wordle 9 3/6*\n\n⬛🟨⬛⬛⬛\n🟨⬛⬛🟨🟨\n🟩🟩🟩🟩🟩"
    found = analyse(client, f"salet\nacorn\ngrand\n{grid}").json()
    assert found["analysis"]["mode"] == "hard"


def test_a_grid_alone(client) -> None:
    found = analyse(client, "⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩").json()
    assert found["analysis"] is None
    assert len(found["behind"]["rows"]) == 2
    assert found["behind"]["answers"]


def test_a_lost_game_needs_its_answer(client) -> None:
    words = "crane moist bulky fudge vivid jazzy"
    found = analyse(client, words, answer="nymph").json()["analysis"]
    assert (found["won"], found["over"]) == (False, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("salet\n⬛⬛⬛⬛", "4 squares"),
        ("salet acorn\n🟩🟩🟩🟩🟩", "1 rows, but there are 2 words"),
        ("salet acorn\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩", "row 1: 'salet' does not fit its colours"),
        ("salet acorns grand", "acorns"),
        ("salet xyzzy grand", "'xyzzy'"),
        ("?!", "no word and no square"),
        ("   ", "no word and no square"),
        ("salet salet", "found the answer"),
        ("🟩🟩🟩🟩🟩\n⬛⬛⬛⬛⬛", "all green, yet 1 more"),
        ("Wordle 1 4/6\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩", "says 4/6 but has 2 rows"),
        ("x" * 20_001, "text: "),
    ],
)
def test_wrong_games_are_told_what_is_right(client, text: str, said: str) -> None:
    found = analyse(client, text)
    assert found.status_code == 422
    assert said in found.json()["detail"]


def test_what_if(client) -> None:
    asked = {"game": "original", "words": ["salet", "acorn", "grand"], "turn": 2, "guess": "brond"}
    found = client.post("/api/what-if", json=asked).json()
    assert (found["lost"], found["remaining_after"], found["words"]) == (0, 1, ["grand"])
    for change, said in [({"turn": 4}, "turns 1 to 3"), ({"guess": "xyzzy"}, "'xyzzy'")]:
        refused = client.post("/api/what-if", json={**asked, **change})
        assert refused.status_code == 422
        assert said in refused.json()["detail"]
