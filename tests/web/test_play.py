"""A game against a numbered secret."""

from __future__ import annotations

import naive


def play(client, **asked):
    return client.post("/api/play", json={"game": "original", **asked})


def test_a_number_names_the_same_secret_for_everybody(client) -> None:
    first, again = (play(client, number=7, give_up=True).json() for _ in range(2))
    assert first == again
    others = {play(client, number=n, give_up=True).json()["answer"] for n in range(20)}
    assert len(others) > 15


def test_the_secret_is_told_at_the_end_only(client) -> None:
    secret = play(client, number=7, give_up=True).json()["answer"]
    guesses = [word for word in ("crane", "moist", "bulky") if word != secret]
    found = play(client, number=7, guesses=guesses).json()
    assert (found["over"], found["answer"], found["share"]) == (False, None, None)
    for row in found["rows"]:
        assert row["feedback"] == naive.shown("standard", naive.standard(row["guess"], secret))
    won = play(client, number=7, guesses=[*guesses, secret.upper()]).json()
    assert (won["won"], won["over"], won["answer"]) == (True, True, secret)
    assert won["share"].startswith(f"salet original {len(guesses) + 1}/6")
    assert won["remaining"] == 1


def test_a_lost_game(client) -> None:
    secret = play(client, number=3, give_up=True).json()["answer"]
    words = ["crane", "moist", "bulky", "fudge", "vivid", "jazzy", "nymph"]
    found = play(client, number=3, guesses=[word for word in words if word != secret][:6]).json()
    assert (found["won"], found["over"], found["answer"]) == (False, True, secret)
    assert " X/6" in found["share"]


def test_refused_guesses_name_their_row(client) -> None:
    for guesses, row, said in [
        (["crane", "crane"], 2, "already"),
        (["crane", "cranes"], 2, "'cranes'"),
        (["xyzzy"], 1, "'xyzzy'"),
    ]:
        found = play(client, number=7, guesses=guesses)
        assert found.status_code == 422
        assert found.json()["row"] == row
        assert said in found.json()["detail"]
    hard = play(client, number=7, mode="hard", guesses=["crane", "slate", "moist", "bulky"])
    assert hard.status_code == 422
    assert "hard mode" in hard.json()["detail"]
