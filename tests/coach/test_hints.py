"""Help in steps: only the last names a word, and letters are counted correctly."""

from __future__ import annotations

import pytest

from salet import Game
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.hints import LISTED, letters_to_test
from salet.errors import InputError

ROWS = ["", "crane:bybbg", "salet:bybbb acorn:ybbyy", "catch:bgggg"]
SOON = AdviceOptions(seconds=600)


def naive_letters(words: list[str]) -> list[tuple[int, str, int, int, int]]:
    """(pairs kept together, letter, position, words with it, words with it there), best first."""
    found = []
    for letter in sorted(set("".join(words))):
        choices = []
        for position in range(len(words[0])):
            kinds = [
                "there" if word[position] == letter else "elsewhere" if letter in word else "no"
                for word in words
            ]
            together = sum(kinds.count(kind) ** 2 for kind in set(kinds))
            choices.append((together, letter, position + 1, kinds.count("there")))
        together, _, position, there = min(choices, key=lambda entry: (entry[0], entry[2]))
        if together < len(words) ** 2:
            having = sum(letter in word for word in words)
            found.append((together, letter, position, having, there))
    return sorted(found)


@pytest.mark.parametrize("rows", ROWS)
def test_letters_are_the_most_telling_ones(rows: str) -> None:
    state = Game.named("original").state(rows)
    found = letters_to_test(state)
    wanted = naive_letters(list(state.words))[:LISTED]
    assert [(one.letter, one.position, one.words, one.words_there) for one in found] == [
        entry[1:] for entry in wanted
    ]
    for one in found:
        assert one.text.startswith(f"{one.letter.upper()} at {one.position}: ")


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("rows", ROWS[1:])
def test_no_step_but_the_last_names_a_word(mode: str, rows: str) -> None:
    game = Game.named("original", mode=mode)
    if mode == "hard" and "acorn" in rows:
        rows = "salet:bybbb"
    coach = Coach(game)
    *_, advice = coach.suggest(rows, SOON)
    for step in (1, 2, 3):
        hint = coach.hint(rows, step, SOON)
        assert hint.step == step and hint.guess is None and hint.remaining == advice.remaining
        told = set(hint.text.lower().replace(";", " ").split()) - {"there"}
        assert not told & (set(advice.words) | {row.guess for row in advice.suggestions})
    last = coach.hint(rows, 4, SOON)
    assert last.guess == advice.guess and last.text == advice.explanation


def test_texts() -> None:
    coach = Coach(Game.named("original"))
    rows = "crane:bybbg"
    assert coach.hint(rows, 1).text == "40 words fit; 5 guesses are left"
    second = coach.hint(rows, 2, SOON)
    assert second.text == (
        "the best guess takes 2.425 guesses on average, itself included, and never more than four"
    )
    assert second.lower == second.upper == 2.425 and second.proven and second.losses == 0
    third = coach.hint(rows, 3)
    assert third.text.startswith("letters worth testing, the most telling first:\nS at 1: in 16 of")
    assert third.letters is not None and len(third.letters) == LISTED
    last = coach.hint("catch:bgggg watch:bgggg hatch:bgggg latch:bgggg match:bgggg", 1)
    assert last.text == "2 words fit; 1 guess is left"


def test_one_word_has_no_letters_to_test() -> None:
    coach = Coach(Game(["apple", "angle"], cap=6))
    found = coach.hint("angle:gbbgg", 3)
    assert found.letters == [] and "no letter tells" in found.text


def test_a_cap_that_cannot_be_guaranteed_is_reported() -> None:
    coach = Coach(Game.named("original", mode="hard"))
    hint = coach.hint("catch:bgggg watch:bgggg latch:bgggg", 2, SOON)
    assert hint.losses == 0.25
    assert hint.text.endswith(", and loses with a chance of 25 %")


def test_steps_that_do_not_exist() -> None:
    coach = Coach(Game(["apple", "angle"], cap=1))
    with pytest.raises(InputError, match="hint 5: there are steps 1 to 4"):
        coach.hint("", 5)
    with pytest.raises(InputError, match="all 1 guesses are used"):
        coach.hint("apple:gbbgg", 1)
