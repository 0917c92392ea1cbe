"""What guesses on several boards were worth: the account adds up, and is that of brute force."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import naive_boards
import random_games
from salet import Coach, Game
from salet.errors import InputError
from salet.search.joint_exact import JointSearch


def tiny_games():
    for number in range(160):
        tiny = random_games.case(number).game
        answers, guesses = ["".join(w) for w in tiny.answers], ["".join(w) for w in tiny.guesses]
        if 3 <= len(answers) <= 5 and len(guesses) <= 9:
            yield Game(answers, guesses, rule=tiny.rule, boards=2)


def played(game, rng):
    """A random game, as words and answers."""
    secrets = rng.sample(range(game.answer_count), game.boards)
    state = game.joint_start()
    while not state.over and state.turn < 6:
        guess = rng.randrange(len(game.guesses))
        state = state.after(guess, state.patterns(guess, secrets))
    return [guess for guess, _ in state.turns], "/".join(game.answers[s] for s in secrets), state


def test_tiny_games_are_priced_as_by_brute_force():
    checked = 0
    for number, game in enumerate(tiny_games()):
        words, answers, state = played(game, random.Random(number))
        found = Coach(game).analyse_joint(words, answers)
        assert found.proven
        tuples = naive_boards.start(game.answers, game.boards)
        optimum = naive_boards.least_total(game.rule.name, game.guesses, tuples)
        assert found.turns[0].expected_before == pytest.approx(optimum / len(tuples))
        below = naive_boards.after(game.rule.name, tuples, words[0])
        total = len(tuples) + sum(
            naive_boards.least_total(game.rule.name, game.guesses, after)
            for after in below.values()
        )
        assert found.turns[0].lost == pytest.approx((total - optimum) / len(tuples))
        value = JointSearch(game.one_board, max_work=1e9).value_of(
            game.joint_start(), game.index(words[0])
        )
        assert value.guesses == Fraction(total, len(tuples))
        assert found.solved_in == list(state.solved_in)
        checked += 1
    assert checked > 20


def test_the_account_adds_up():
    game = Game.named("original:boards=3")
    words = ["slate", "crony", "humid", "grand", "crane", "human"]
    found = Coach(game).analyse_joint(words, "grand/crane/human", seconds=1e6)
    assert (found.won, found.solved_in) == (True, [4, 5, 6])
    assert all(turn.lost >= 0 for turn in found.turns)
    start = found.turns[0].expected_before
    assert len(words) == pytest.approx(start + found.lost - found.luck)
    rows = [f"{turn.guess}:{turn.feedback}" for turn in found.turns]
    assert Coach(game).analyse_joint(rows, seconds=1e6).to_dict() == found.to_dict()
    part = Coach(game).analyse_joint(words[:2], "grand/crane/human")
    assert (part.over, part.turns[1].guess) == (False, "crony")


@pytest.mark.parametrize(
    ("words", "answers", "reason"),
    [
        (["slate"], "grand", "needs 2 different answers, joined by '/'"),
        (["slate"], "grand/grand", "needs 2 different answers"),
        (["slate:bbbbb/bbbbb"], "grand/crony", "rows with feedback need no answer"),
        (["grand", "crony", "slate"], "grand/crony", "'slate': all boards were solved before it"),
        ([], None, "give the guesses of a game"),
        (["slate:bbbbb"], None, "there is 1 field of feedback for 2 boards"),
        (["slate", "crony"], None, "or an answer for each, as in crane/slate"),
    ],
)
def test_what_is_refused(words, answers, reason):
    with pytest.raises(InputError, match=reason):
        Coach(Game.named("original:boards=2")).analyse_joint(words, answers)


def test_the_analysis_of_one_board_says_that_it_is_for_one():
    """Not that the answer 'grand/crony' has 11 letters."""
    coach = Coach(Game.named("original:boards=2"))
    for answer in (None, "grand/crony"):
        with pytest.raises(InputError, match="has 2 boards, and this is for one"):
            coach.analyse(["slate", "crony"], answer=answer)


def test_games_under_a_cap():
    game = Game(["abc", "abd", "abe", "abf"], boards=2, cap=3)
    lost = Coach(game).analyse_joint(["abc", "abc", "abd"], "abe/abf")
    assert (lost.won, lost.over, lost.proven) == (False, True, True)
    first, second, third = lost.turns
    assert first.lost_games == pytest.approx(0)
    assert second.lost_games > 0  # it tells nothing
    assert (third.expected_before, third.expected_after, third.lost_games) == (2, 1, 0)
    assert lost.lost_games == sum(turn.lost_games for turn in lost.turns)


def test_once_time_is_over_turns_are_estimated():
    game = Game.named("original:boards=4")
    coach = Coach(game)
    answers = "grand/crony/humid/aloft"
    words = ["slate", "crony", "humid"]
    found = coach.analyse_joint(words, answers, seconds=0)
    assert found.notes[0].endswith("estimated after time was over")
    assert [turn.guess for turn in found.turns] == words
    misses = coach.joint_adviser.estimate.misses(game.joint_start().open_boards)
    first = found.turns[0]
    assert first.expected_before == pytest.approx(misses.min() + 4)
    assert first.lost == pytest.approx(misses[game.index("slate")] - misses.min())
    assert coach.analyse_joint(words, answers, cancel=lambda: True).to_dict() == found.to_dict()
