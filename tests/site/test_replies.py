"""Books of replies in the page: loaded when they are needed, and as Python has them."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import salet.site
from needs import needs
from salet import Game
from salet.coach.coach import AdviceOptions, Coach
from salet.search.reply_book import positions, shipped_replies
from salet.site.wasm.data import data_files

GAMES = [(name, mode) for name in ("original", "nyt-2023-07") for mode in ("normal", "hard")]


@pytest.fixture(scope="module")
def data() -> dict[str, bytes]:
    return data_files()


@pytest.fixture(scope="module")
def ask(data, tmp_path_factory):
    """Asks the engine in Node for first advice; every question finds it as it starts."""
    needs(shutil.which("node") is not None, "node")
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(salet.site.__file__).parent / "static" / "engine", site / "engine")
    (site / "package.json").write_text('{"type": "module"}')
    for name, content in data.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(content)

    def run(questions: list[Any]) -> list[dict[str, Any]]:
        given = "".join(json.dumps(question) + "\n" for question in questions)
        command = ["node", str(Path(__file__).with_name("replies.mjs")), str(site)]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_a_file_has_the_whole_book(data, name: str, mode: str) -> None:
    game = Game.named(name, mode=mode)
    book = shipped_replies(game)
    assert book is not None
    stored = json.loads(data[f"data/replies/{name}-{mode}.json"])
    found = {}
    for opener, rows in stored["replies"].items():
        for feedback, guess, losses, guesses, worst in rows:
            place = (game.index(opener), game.code(feedback))
            found[place] = (game.index(guess), (losses, guesses), worst)
    assert found == {
        place: (guess, (cost.losses, cost.guesses), worst)
        for place, (guess, cost, worst) in book.replies.items()
    }
    facts = json.loads(data["data/games.json"])["replies"]
    (mine,) = [one for one in facts if (one["game"], one["mode"]) == (name, mode)]
    assert mine == {**stored, "replies": None}


def test_a_book_is_loaded_only_for_a_second_guess_after_one_of_its_openers(ask) -> None:
    after = [{"guess": "crane", "feedback": "BYBBG"}]
    other = [{"guess": "fuzzy", "feedback": "BBBBB"}]
    third = [*after, {"guess": "moist", "feedback": "BBBBB"}]
    spec = {"game": "nyt"}
    asked: list[tuple[Any, Any, bool]] = [
        (spec, {}, False),
        (spec, {"rows": after}, True),
        (spec, {"rows": other, "seconds": 0.2}, False),
        (spec, {"consider": ["crane"]}, False),
        ({**spec, "cap": 7}, {"rows": after}, False),
        ({**spec, "mode": "strict"}, {"rows": after}, False),
        ({**spec, "weights": "prior"}, {"rows": after}, False),
        (spec, {"rows": third[:1], "objective": "worst", "seconds": 0.2}, True),
    ]
    book = "data/replies/nyt-2023-07-normal.json"
    for (_, _, wanted), found in zip(asked, ask([one[:2] for one in asked]), strict=True):
        assert [path for path in found["loaded"] if "replies" in path] == [book] * wanted


@pytest.mark.parametrize(("name", "mode"), GAMES)
def test_the_first_advice_is_pythons(ask, name: str, mode: str) -> None:
    game = Game.named(name, mode=mode)
    coach, rng = Coach(game), random.Random(name + mode)
    book = coach.replies
    assert book is not None
    states = [state for opener in book.openers for state in positions(game, opener)]
    drawn = [state for state in rng.sample(states, 8) if book.find(state)]
    questions, expected = [], []
    for at, state in enumerate(drawn):
        objective = ("mean", "mean-then-worst", "win-then-mean")[at % 3]
        rows = [{"guess": guess, "feedback": feedback} for guess, feedback in state.turns]
        questions.append([{"game": name, "mode": mode}, {"rows": rows, "objective": objective}])
        advice = next(coach.suggest(state, AdviceOptions(objective)))
        assert advice.proven
        expected.append(
            {
                "guess": advice.guess,
                "expected": advice.expected,
                "losses": advice.losses,
                "proven": True,
                "worst": advice.suggestions[0].worst,
            }
        )
    assert [found["advice"] for found in ask(questions)] == expected
