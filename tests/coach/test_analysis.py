"""Skill and luck: what was used is what was expected, plus lost, minus luck, exactly."""

from __future__ import annotations

from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.analysis import NOTHING, Amount, Analysis
from salet.coach.appraisal import appraise
from salet.coach.coach import Coach
from salet.coach.grids import Grid, parse
from salet.coach.position import Position
from salet.errors import InputError, RowError
from salet.search.budget import Budget

LONG = 600.0
COACHES = {
    (mode, cap): Coach(Game(ANSWERS, [*ANSWERS, *OTHERS], mode=mode, cap=cap, name="tiny"))
    for mode in ("normal", "hard")
    for cap in (None, 6, 4, 3)
}


def check_balance(found: Analysis) -> None:
    """The equation of the game, in each component, with no rounding."""
    start, end = found.turns[0].expected_before, found.turns[-1].expected_after
    used = Amount(Fraction(0), Fraction(len(found.turns))) + end
    assert used == start + found.lost - found.luck
    if found.won:
        assert end == NOTHING
    elif found.over:
        assert end == Amount(Fraction(1), Fraction(0))
    for turn in found.turns:
        assert (turn.lost.games, turn.lost.guesses) >= (0, 0)
        assert (turn.best == turn.guess) == (turn.lost == NOTHING)
    for turn, after in zip(found.turns, found.turns[1:], strict=False):
        assert turn.expected_after == after.expected_before
        assert turn.remaining_after == after.remaining_before


@settings(max_examples=40)
@given(data=st.data())
def test_any_game_adds_up_exactly(data) -> None:
    """Won, lost and given up; where losses are possible, in games and in guesses."""
    coach = COACHES[data.draw(st.sampled_from(sorted(COACHES, key=str)))]
    game = coach.game
    answer = data.draw(st.sampled_from(game.answers))
    state, words = game.start(), []
    for _ in range(data.draw(st.integers(1, game.cap or 5))):
        guess = data.draw(st.sampled_from(state.legal.tolist()))
        words.append(game.guesses[guess])
        state = state.after(guess, int(game.table[guess, game.index(answer)]))
        if state.won:
            break
    found = coach.analyse(words, answer=answer, seconds=LONG)
    assert found.proven and found.won == state.won
    assert 0 <= found.score <= 99
    check_balance(found)


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_perfect_play_loses_nothing_and_only_perfect_play(mode: str) -> None:
    coach = COACHES[mode, 6]
    game = coach.game
    for answer in range(0, game.answer_count, 3):
        state, words = game.start(), []
        while not state.won:
            found = appraise(Position(coach, state), None, Budget(LONG).start())
            words.append(game.guesses[found.best])
            state = state.after(found.best, int(game.table[found.best, answer]))
        found = coach.analyse(words, seconds=LONG)
        assert (found.lost, found.score) == (NOTHING, 99)
        check_balance(found)
    worse = coach.analyse(["xylyl", *words], seconds=LONG) if mode == "normal" else None
    assert worse is None or (worse.lost.guesses > 0 and worse.score < 99)


def test_an_answer_outside_the_list_is_added_and_said() -> None:
    coach = Coach(Game.named("original:first=200"))
    for words, answer in ((["salet", "crane", "zymic"], None), (["salet", "qqqqq"], "qqqqq")):
        found = coach.analyse(words, answer=answer, seconds=LONG)
        assert found.won and found.game == "original:first=200"
        assert found.notes[0].endswith("it was added for this analysis")
        assert found.turns[0].remaining_before == 201
        check_balance(found)


def test_an_answer_that_looks_mistyped_is_asked_about() -> None:
    coach = COACHES["normal", 6]
    found = coach.analyse(["crane", "tracf"], answer="tracf", seconds=LONG)
    assert found.won and found.notes[0].endswith("for this analysis (did you mean 'trace'?)")


def test_an_added_answer_uses_what_is_stored_of_openers() -> None:
    """Only the group that the answer joins is searched again; a search of all groups agrees."""
    from salet.coach.game_record import carry_over_openers, read_game
    from salet.coach.valuation import Valuation

    record = read_game(Coach(Game.named("original")), ["salet", "zymic"])
    carry_over_openers(record, Budget(LONG).start())
    (opener,) = record.coach.openers.openers
    game = record.coach.game
    valuation = Valuation(record.coach.evaluator, Budget(LONG).start())
    whole = valuation.of_guess(game.start(), game.index("salet"))
    assert whole.exact and whole.upper == opener.cost
    assert opener.groups == len(game.start().groups(game.index("salet")))


def test_json_has_the_promised_keys() -> None:
    fields = COACHES["normal", 6].analyse(["crane", "trace"], seconds=LONG).to_dict()
    assert {"turns", "lost", "luck", "lost_games", "score"} <= set(fields)
    keys = {"guess", "best", "expected_before", "expected_after", "lost", "luck"}
    assert keys | {"remaining_before", "remaining_after"} <= set(fields["turns"][0])


def test_the_summary_tells_no_word() -> None:
    found = COACHES["hard", 6].analyse(["crane", "trace"], seconds=LONG)
    for palette in ("dark", "contrast", "letters"):
        text = found.summary(palette)
        assert "crane" not in text.lower() and "trace" not in text.lower()
        assert "tiny 2/6*" in text
        assert parse(text.split("\n\n")[1]).rows[-1] == (2,) * 5


def test_what_if() -> None:
    coach = COACHES["normal", 6]
    words = ["crane", "sight", "tight"]
    found = coach.analyse(words, seconds=LONG)
    same = coach.what_if(words, 1, "crane", seconds=LONG)
    assert (same.lost, same.luck) == (found.turns[0].lost, found.turns[0].luck)
    best = coach.what_if(words, 1, found.turns[0].best, seconds=LONG)
    assert best.lost == NOTHING and best.proven
    right = coach.what_if(words, 2, "tight", seconds=LONG)
    assert (right.feedback, right.next, right.expected_after) == ("GGGGG", None, NOTHING)
    with pytest.raises(InputError, match="turns 1 to 3"):
        coach.what_if(words, 4, "tight")


GRID = parse("⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩")
BAD = {
    "no words": ({"words": []}, "no word is given"),
    "unknown word": ({"words": ["cranf", "trace"]}, "row 1: unknown word 'cranf'"),
    "too many rows": ({"words": ["crane"], "grid": GRID}, "2 rows, but there are 1 words"),
    "colours": ({"words": ["crane", "trace"], "grid": GRID}, "row 1: 'crane' does not fit"),
    "lost grid": ({"words": ["crane"], "grid": Grid(((0,) * 5,))}, "lost game"),
    "other length": ({"words": ["crane", "tracer"]}, "'tracer' has 6 letters"),
    "mistyped last word": (
        {"words": ["crane", "tracf"]},
        "row 2: unknown word 'tracf'; did you mean 'trace'? (if it is the answer all the same: "
        "--answer tracf)",
    ),
    "no word, all green": (
        {"words": ["crane", "zzzzz"], "grid": GRID},
        "row 2: unknown word 'zzzzz'",
    ),
    "short grid": ({"words": ["crane"], "grid": Grid(((2,) * 4,))}, "row 1 of the grid has 4"),
    "after the win": ({"words": ["trace", "crane"], "answer": "trace"}, "row 1 found the answer"),
    "over the cap": ({"words": ["crane"] * 7, "answer": "trace"}, "cap of 6"),
    "no letters": ({"words": ["crane"], "answer": "🟩🟩🟩🟩🟩"}, "is no word"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_games(fault: str) -> None:
    asked, said = BAD[fault]
    with pytest.raises(InputError) as error:
        COACHES["normal", 6].analyse(**asked)
    assert said in str(error.value)


def test_hard_mode_is_the_players_own() -> None:
    with pytest.raises(RowError, match="row 2: 'sight' is not allowed"):
        COACHES["hard", 6].analyse(["crane", "sight", "trace"])
