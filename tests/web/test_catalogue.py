"""Games by name: opened once, and forgotten when there are too many."""

from __future__ import annotations

import pytest

from salet.errors import InputError
from salet.web.catalogue import Catalogue, NoSuchGameError, TooLargeError, offered
from salet.web.settings import Settings


def test_the_same_game_is_the_same_object() -> None:
    catalogue = Catalogue(Settings())
    assert catalogue.game("original", "normal") is catalogue.game(" Original ", "normal")
    assert catalogue.game("original", "hard") is not catalogue.game("original", "normal")
    assert catalogue.game("nyt", "normal") is catalogue.game("nyt-2023-07", "normal")


def test_the_longest_unused_game_is_forgotten() -> None:
    catalogue = Catalogue(Settings(kept_games=2))
    first = catalogue.game("mastermind:2x3", "normal")
    second = catalogue.game("mastermind:2x4", "normal")
    assert catalogue.game("mastermind:2x3", "normal") is first
    catalogue.game("mastermind:2x5", "normal")
    assert catalogue.game("mastermind:2x3", "normal") is first
    assert catalogue.game("mastermind:2x4", "normal") is not second


def test_memory_is_bounded() -> None:
    catalogue = Catalogue(Settings(kept_pairs=150))
    first = catalogue.game("mastermind:2x3", "normal")  # 81 pairs
    catalogue.game("mastermind:2x3", "strict")
    assert catalogue.game("mastermind:2x3", "normal") is not first
    with pytest.raises(TooLargeError, match="100"):
        Catalogue(Settings(pairs=100)).game("mastermind:2x4", "normal")


@pytest.mark.parametrize("name", ["", "no-such", "/etc/passwd", "..", "original/../nyt"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(NoSuchGameError):
        Catalogue(Settings()).game(name, "normal")


def test_options_of_a_name_are_checked() -> None:
    with pytest.raises(InputError, match="first=N"):
        Catalogue(Settings()).game("original:answers=/etc/passwd", "normal")


def test_every_offered_game_can_be_opened(client) -> None:
    listed = client.get("/api/games").json()["games"]
    assert [game["name"] for game in listed] == [name for name, _ in offered()]
    assert listed[0]["name"] == "nyt"
    for game in listed:
        facts = client.get("/api/game", params={"game": game["name"]}).json()
        assert facts["answers"] > 0
        assert game["summary"]
        assert ("hard" in facts["modes"]) == facts["tiles"]
