"""Help without spoilers on several boards."""

from __future__ import annotations

import msgspec
import pytest

from salet import AdviceOptions, Coach, Game
from salet.coach.hints import letters_to_test
from salet.coach.joint_hints import joint_rating
from salet.errors import InputError

GAME = Game(
    ["abc", "abd", "abe", "xyz", "xyw"], ["abc", "abd", "abe", "xyz", "xyw", "cde"], boards=2
)
ROWS = "abc:ggb/bbb"  # abd or abe, xyz or xyw
ENOUGH = AdviceOptions(seconds=600)  # a busy machine compiles for longer than advice may take


@pytest.fixture(scope="module")
def coach():
    return Coach(GAME.replace(cap=6))


def test_four_steps_of_which_only_the_last_names_a_word(coach):
    count, best, letters, reveal = (coach.hint_joint(ROWS, step, ENOUGH) for step in (1, 2, 3, 4))
    assert count.text == "words that fit, board by board: 2, 2; 5 guesses are left"
    assert (count.remaining, count.guesses_left, count.expected) == ([2, 2], 5, None)
    assert best.text == (
        "the best guess takes 3 guesses on average, itself included, for the 2 boards that are open"
    )
    assert (best.expected, best.proven, best.guess) == (3, True, None)
    assert {letter.letter for letter in letters.letters} == set("dewz")
    assert (reveal.guess, reveal.step) == ("abd", 4)
    assert reveal.text.startswith("ABD solves board 1 with a chance of 50 %; 2 boards are open")
    for hint in (count, best, letters):
        assert not any(word in hint.text.lower().split() for word in GAME.guesses)
    with pytest.raises(InputError, match="hint 5: there are steps 1 to 4"):
        coach.hint_joint(ROWS, 5)
    with pytest.raises(InputError, match="all boards are solved"):
        coach.hint_joint("abc:ggb/ggg abd:ggg/-", 1)


@pytest.mark.parametrize(
    ("cap", "left"),
    [(2, "1 guess is left"), (12, "11 guesses are left"), (22, "21 guesses are left")],
)
def test_guesses_left_are_counted(cap, left):
    coach = Coach(GAME.replace(cap=cap))
    assert coach.hint_joint(ROWS, 1).text.endswith(f": 2, 2; {left}")
    *_, advice = coach.suggest_joint(ROWS)
    notes = f"2 boards are open, but only {left}: advice is as if there were no cap"
    assert (notes in advice.notes) == (cap == 2)


def test_known_answers_need_no_letters(coach):
    hint = coach.hint_joint("abc:ggb/bbb cde:byb/bbb xyz:bbb/ggg", 3)
    assert (hint.text, hint.letters) == ("every answer is known", [])


def test_letters_of_all_boards():
    """A letter that splits both boards comes before letters that split one."""
    game = Game(["ab", "ac", "db", "dc"], boards=2)
    state = game.joint_start()
    assert letters_to_test(*state.open_boards) == letters_to_test(*state.open_boards[::-1])
    one, both = letters_to_test(state.boards[0]), letters_to_test(*state.boards)
    assert [letter.letter for letter in one] == [letter.letter for letter in both]
    assert both[0].words == 2 * one[0].words


@pytest.mark.parametrize(
    ("guess", "verdict", "behind"),
    [("abd", "best", 0), ("xyw", "best", 0), ("cde", "costly", 0.5), ("abc", "costly", 1)],
)
def test_ratings(coach, guess, verdict, behind):
    """Both boards have two words: 1.5 guesses each; cde is a miss that settles one board."""
    *_, rating = coach.rate_joint(ROWS, guess, ENOUGH)
    assert (rating.verdict, rating.proven) == (verdict, True)
    assert rating.behind == pytest.approx(behind)
    assert rating.losses == 0


def test_ratings_count_lost_games():
    coach = Coach(GAME.replace(cap=4))
    *_, rating = coach.rate_joint(ROWS, "abc", ENOUGH)
    assert (rating.verdict, rating.losses) == ("costly", 0.5)
    assert rating.text == (
        "costly: adds 50 % to the chance of losing and 0.75 guesses behind the best; it solves no "
        "board now, but tells about all"
    )


def test_a_small_chance_of_losing_is_no_costly_mistake():
    """The price of a guess counts a lost game as many guesses as the cap allows, as on one board:
    0.03 + 9 * 0.001 is fine, 0.03 + 9 * 0.01 is not."""
    coach = Coach(Game.named("original:boards=4"))
    *_, advice = coach.suggest_joint("slate:bbybb/bbbbb/ggggg/bbbbb", AdviceOptions(seconds=0.1))
    best, other = advice.suggestions[:2]
    best = msgspec.structs.replace(best, expected=5.0, losses=0.0)
    for added, verdict in ((0.001, "fine"), (0.01, "costly")):
        row = msgspec.structs.replace(other, expected=5.03, losses=added)
        rated = joint_rating(
            row.guess,
            msgspec.structs.replace(advice, expected=5.0, losses=0.0, suggestions=[best, row]),
        )
        assert (rated.verdict, rated.losses) == (verdict, added)
        assert f"adds about {100 * added:g} % to the chance of losing and about 0.03" in rated.text


def test_estimates_are_called_so():
    coach = Coach(Game.named("original:boards=4"))
    *_, rating = coach.rate_joint("crane:bybbg/bbbyb/bbbbb/ggggg", "fuzzy")
    assert (rating.verdict, rating.proven) == ("costly", False)
    assert "about" in rating.text
    hint = coach.hint_joint("crane:bybbg/bbbyb/bbbbb/ggggg", 2)
    assert "about" in hint.text
