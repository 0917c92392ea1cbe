"""How a game is priced: at once, then tighter; luck and perfect play against brute force."""

from __future__ import annotations

import itertools
import random

import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.analysis import Analysis
from salet.coach.coach import Coach

LONG = 600.0
WORDS = (*ANSWERS[:12], *OTHERS[:8])


def tiny(mode: str, cap: int | None) -> tuple[Coach, naive.Tiny]:
    game = Game(ANSWERS[:12], WORDS, mode=mode, cap=cap, name="tiny")
    return Coach(game), naive.Tiny(ANSWERS[:12], WORDS, "standard", mode, cap)


def cost_of(game: naive.Tiny, history: naive.History) -> tuple[int, int]:
    """(losses, guesses) of best play after these rows."""
    best = naive.solve(game, "win-then-mean", history)
    assert best is not None
    return best.losses, best.total - best.losses


def naive_luck(game: naive.Tiny, history: list, guess: str, answer: str) -> tuple[float, float]:
    """The shares of answers that a guess would have left worse and better off."""
    left = [word for word in game.answers if naive.consistent("standard", history, word)]
    means = {}
    for pattern, group in naive.groups("standard", guess, left).items():
        over = game.cap is not None and len(history) + 1 == game.cap
        if set(pattern) == {2}:
            means[pattern] = (0.0, 0.0)
        elif over:
            means[pattern] = (1.0, 0.0)
        else:
            losses, guesses = cost_of(game, [*history, (guess, pattern)])
            means[pattern] = (losses / len(group), guesses / len(group))
    mine = means[naive.standard(guess, answer)]
    each = [means[naive.standard(guess, word)] for word in left]
    return sum(one > mine for one in each) / len(left), sum(one < mine for one in each) / len(left)


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("cap", [None, 6, 3, 2])
def test_luck_verdicts_and_words_are_what_brute_force_says(mode: str, cap: int | None) -> None:
    coach, game = tiny(mode, cap)
    rng = random.Random(f"{mode} {cap}")
    for _ in range(4):
        answer = rng.choice(game.answers)
        state, words = coach.game.start(), []
        while not state.won and len(words) < (cap or 4):
            guess = rng.choice(state.legal.tolist())
            words.append(coach.game.guesses[guess])
            state = state.after(guess, int(coach.game.table[guess, coach.game.index(answer)]))
        found = coach.analyse(words, answer=answer, seconds=LONG)
        history: list = []
        for turn in found.turns:
            worse, better = naive_luck(game, history, turn.guess, answer)
            assert (turn.fortune.luckier, turn.fortune.unluckier) == pytest.approx((worse, better))
            best = cost_of(game, history)
            index = game.guesses.index(turn.guess)
            mine = naive.solve(game, "win-then-mean", history, index)
            assert mine is not None
            is_best = (mine.losses, mine.total - mine.losses) == best
            assert (turn.verdict == "best") == is_best
            count = turn.remaining_before
            assert turn.behind.games_upper == pytest.approx((mine.losses - best[0]) / count)
            history.append((turn.guess, naive.standard(turn.guess, answer)))
            left = [word for word in game.answers if naive.consistent("standard", history, word)]
            assert sorted(turn.words) == ([] if turn.guess == answer else sorted(left))
        check_perfect(found, game, answer)


def check_perfect(found: Analysis, game: naive.Tiny, answer: str) -> None:
    """Perfect play makes a best guess in every turn, and ends as such play ends."""
    history: list = []
    for turn in found.perfect:
        best = naive.solve(game, "win-then-mean", history)
        assert best is not None and turn.proven
        assert game.guesses.index(turn.guess) in best.guesses
        history.append((turn.guess, naive.standard(turn.guess, answer)))
        assert turn.feedback == naive.shown("standard", history[-1][1])
        left = sum(naive.consistent("standard", history, word) for word in game.answers)
        assert turn.remaining_after == (0 if turn.guess == answer else left)
    assert turn.guess == answer or len(history) == game.cap


def test_bounds_come_at_once_and_close() -> None:
    coach = Coach(Game.named("original"))
    pieces = list(coach.analyses(["adieu", "crony", "grand"], seconds=LONG))
    assert len(pieces) > 2 and pieces[-1].proven and not pieces[0].proven
    for before, after in itertools.pairwise(pieces):
        for old, new in zip(before.turns, after.turns, strict=True):
            assert old.behind.price_lower <= new.behind.price_lower + 1e-12
            assert new.behind.price_upper <= old.behind.price_upper + 1e-12
    assert all(not piece.perfect for piece in pieces[:-1])
    assert next(turn.guess for turn in pieces[-1].perfect) == "salet"


def test_a_search_that_is_stopped_ends_with_bounds() -> None:
    """At once, however bad the opener is, in a game without a table of openers."""
    coach = Coach(Game.named("nyt-2022-08"))
    *_, last = coach.analyses(["fuffy", "acorn", "grand"], cancel=lambda: True)
    assert not last.proven and last.perfect[-1].guess == "grand"
    first = last.turns[0]
    assert first.behind.price_lower < 0.56 < first.behind.price_upper  # about that of original
    assert any("not all values are proven" in note for note in last.notes)


LOST = ["crane", "match", "latch", "hatch", "batch", "patch"]


def test_a_lost_game_looks_like_one() -> None:
    coach = Coach(Game.named("original"))
    lost = coach.analyse(LOST, answer="watch", seconds=LONG)
    won = coach.analyse([*LOST[:5], "watch"], seconds=LONG)
    fields, other = lost.to_dict(), won.to_dict()
    mistake = fields["turns"][4]
    assert mistake["verdict_text"] == "costly: adds 33.3 % to the chance of losing"
    assert mistake["behind"]["price_upper"] > max(
        turn["behind"]["price_upper"] for turn in fields["turns"] if turn is not mistake
    )
    risks = [turn["losses_after"] for turn in fields["turns"]]
    assert risks == sorted(risks) and risks[-1] == 1.0
    assert fields["result"].startswith("lost after 6: ") and "= 100 %" in fields["result"]
    assert other["result"].startswith("found in 6 of 6: ")
    assert "X/6\nskill 12/99, lost 33.3 % by choices, 66.7 % by luck" in fields["summary"]
    assert "6/6\nskill 12/99, luck " in other["summary"]
    assert fields["turns"][-1]["words"] == ["watch"] and other["turns"][-1]["words"] == []


def test_guesses_saved_by_losing_games_are_no_gain() -> None:
    """A guess that loses games and saves guesses costs what the lost games count."""
    coach = Coach(Game.named("original"))
    found = coach.analyse(LOST, answer="watch", seconds=LONG)
    assert found.turns[4].lost.guesses < 0 < found.turns[4].lost.games
    prices = sum(turn.behind.price_upper for turn in found.turns)
    assert found.score == round(99 / 2**prices)
