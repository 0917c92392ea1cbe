"""Suggestions: first at once, then tighter, at last exact; against brute force."""

from __future__ import annotations

import itertools
import re

import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game, score
from salet.coach.advice import Advice
from salet.coach.coach import AdviceOptions, Coach
from salet.errors import InputError
from salet.search.objectives import OBJECTIVES

LONG = 600.0


def advise(coach: Coach, rows: str = "", **wishes) -> list[Advice]:
    return list(coach.suggest(rows, AdviceOptions(seconds=LONG, **wishes)))


def naive_values(game: Game) -> dict[str, tuple[int, int]]:
    """(losses, guesses) of every first guess, by brute force."""
    tiny = naive.Tiny(tuple(game.answers), tuple(game.guesses), "standard", game.mode, game.cap)
    values = {}
    for guess in game.guesses:
        losses, total = 0, len(game.answers)
        for pattern, group in naive.groups("standard", guess, game.answers).items():
            if set(pattern) == {2}:
                continue
            if game.cap == 1:
                losses += len(group)
                continue
            best = naive.solve(tiny, "win-then-mean", [(guess, pattern)])
            assert best is not None and best.total is not None
            losses, total = losses + best.losses, total + best.total - best.losses
        values[guess] = (losses, total)
    return values


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("cap", [None, 6, 3, 2, 1])
def test_the_list_is_what_brute_force_ranks(mode: str, cap: int | None) -> None:
    game = Game(ANSWERS[:11], [*ANSWERS[:11], *OTHERS[:7]], mode=mode, cap=cap)
    values = naive_values(game)
    advice = advise(Coach(game))[-1]
    assert advice.proven and advice.complete
    assert len(advice.suggestions) == 11
    for row, wanted in zip(advice.suggestions, sorted(values.values()), strict=False):
        assert (row.losses * 11, row.expected * 11) == pytest.approx(wanted)
    for row in advice.suggestions:
        assert (row.losses * 11, row.expected * 11) == pytest.approx(values[row.guess])
        assert row.proven and row.lower == row.upper == row.expected
        sizes = [len(group) for group in naive.groups("standard", row.guess, game.answers).values()]
        assert (row.groups, row.largest) == (len(sizes), max(sizes))
        assert row.candidate == (row.guess in game.answers)
        assert row.win == pytest.approx(row.candidate / 11)
        assert (row.worst is None) == (row.losses > 0)
    assert advice.guess == advice.suggestions[0].guess
    assert advice.expected == advice.lower == advice.upper


@pytest.mark.parametrize("rows", ["crane:bybbg", "salet:bybbg", "catch:bgggg"])
@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_advice_only_ever_tightens(mode: str, rows: str) -> None:
    coach = Coach(Game.named("original", mode=mode))
    pieces = advise(coach, rows)
    exact = {row.guess: (row.losses, row.expected) for row in pieces[-1].suggestions if row.proven}
    assert pieces[-1].proven and len(pieces[-1].suggestions) >= 10
    for before, after in itertools.pairwise(pieces):
        assert after.seconds >= before.seconds
        if not before.losses:
            assert after.upper <= before.upper + 1e-9
            assert after.lower >= before.lower - 1e-9
    for advice in pieces:
        assert advice.guess == advice.suggestions[0].guess
        assert advice.remaining == len(advice.words) == len(set(advice.words))
        if not advice.losses:
            assert advice.lower - 1e-9 <= pieces[-1].expected <= advice.upper + 1e-9
        for row in advice.suggestions:
            if row.guess in exact and not row.losses:
                assert row.lower - 1e-9 <= exact[row.guess][1] <= row.upper + 1e-9


def test_the_worst_case_comes_first_if_asked() -> None:
    game = Game(ANSWERS, [*ANSWERS, *OTHERS], cap=6)
    tiny = naive.Tiny(tuple(game.answers), tuple(game.guesses), cap=6)
    best = naive.solve(tiny, "worst")
    assert best is not None
    advice = advise(Coach(game), objective="worst")[-1]
    assert advice.suggestions[0].worst == best.worst and advice.proven
    assert game.index(advice.guess) in best.guesses
    worst = [row.worst for row in advice.suggestions]
    assert worst == sorted(worst)
    capped = naive.solve(naive.Tiny(tuple(game.answers), tuple(game.guesses), cap=best.worst))
    assert capped is not None
    assert advice.expected * len(ANSWERS) == pytest.approx(capped.total)


def test_a_cap_that_cannot_be_guaranteed_is_stated() -> None:
    coach = Coach(Game.named("original", mode="hard"))
    for objective in OBJECTIVES:
        advice = advise(coach, "catch:bgggg watch:bgggg latch:bgggg", objective=objective)[-1]
        assert advice.losses == pytest.approx(1 / 4)
        assert advice.proven and advice.suggestions[0].worst is None
        assert any("not enough for every word" in note for note in advice.notes)
        assert "loses 1 of 4" in advice.explanation


def test_every_clause_of_an_explanation_is_a_fact() -> None:
    coach = Coach(Game.named("original"))
    advice = advise(coach, "crane:bybbg")[-1]
    best = advice.suggestions[0]
    found = re.fullmatch(
        r"([A-Z]+) splits (\d+) words into (\d+) groups, largest (\d+); cannot win now, but always "
        r"wins in (\w+) more; ([\d.]+) guesses in the mean, proven best",
        advice.explanation,
    )
    assert found, advice.explanation
    assert found[1].lower() == best.guess
    numbers = [int(found[group]) for group in (2, 3, 4)]
    assert numbers == [advice.remaining, best.groups, best.largest]
    assert found[5] == {3: "two", 4: "three"}[best.worst]
    assert float(found[6]) == pytest.approx(best.expected, rel=1e-3)


def test_likely_words_first_past_answers_and_plurals_later() -> None:
    game = Game.named("original")
    plain = advise(Coach(game), "crane:bybbg")[0].words
    assert plain.index("there") < plain.index("eerie")
    past = advise(Coach(game, past=["there"]), "crane:bybbg")[0]
    assert past.words.index("there") > plain.index("there")
    assert set(past.words) == set(plain)
    assert (
        past.weights == "equal" and past.expected == advise(Coach(game), "crane:bybbg")[0].expected
    )


def test_weights_enter_the_values_only_if_asked() -> None:
    game = Game(ANSWERS[:9], [*ANSWERS[:9], *OTHERS[:5]], cap=6)
    coach = Coach(game, weights="prior")
    weights = coach.game.weights
    assert weights is not None
    advice = advise(coach)[-1]
    tiny = naive.Tiny(
        tuple(game.answers), tuple(game.guesses), cap=6, weights=tuple(weights.tolist())
    )
    best = naive.solve(tiny)
    assert best is not None and best.total is not None
    assert advice.expected == pytest.approx(best.total / weights.sum())
    assert advice.weights == "prior" and advice.proven
    own = Coach(Game.named("original"), weights="prior")
    assert own.game.weights is not None and len(set(own.game.weights.tolist())) > 100
    assert advise(own, "crane:bybbg", count=3)[-1].suggestions[0].win > 0


def test_whoever_stops_it_gets_what_is_known() -> None:
    coach = Coach(Game.named("original"))
    position = coach.position("crane:bbbbb")
    pieces = list(coach.suggest(position, AdviceOptions(seconds=LONG), cancel=lambda: True))
    assert len(pieces[-1].suggestions) >= 10
    assert not pieces[-1].complete
    assert "at most" in pieces[-1].explanation or pieces[-1].suggestions[0].proven
    generator = coach.suggest(position, AdviceOptions(seconds=LONG))
    assert next(generator).guess
    generator.close()


def test_what_cannot_be_asked() -> None:
    coach = Coach(Game.named("original"))
    with pytest.raises(InputError, match="unknown objective 'maen'"):
        advise(coach, objective="maen")
    with pytest.raises(InputError, match="has found the answer"):
        advise(coach, "crane:ggggg")
    with pytest.raises(InputError, match="all 6 guesses are used"):
        advise(coach, " ".join(["fuzzy:bbbbb"] * 6))
    with pytest.raises(InputError, match="unknown word"):
        advise(coach, consider=("qqqqq",))


def test_an_opener_of_ones_own_is_listed() -> None:
    coach = Coach(Game.named("original"))
    for word in ("crane", "roast"):
        advice = advise(coach, consider=(word,))[-1]
        (row,) = [row for row in advice.suggestions if row.guess == word]
        assert row.proven and row.expected > advice.expected
        assert advice.guess == "salet"


def test_outside_the_list_there_is_advice_too() -> None:
    coach = Coach(Game.named("original"))
    rows = " ".join(f"{guess}:{score(guess, 'adrad')}" for guess in ("crane", "humid"))
    advice = advise(coach, rows)[-1]
    assert advice.outside and "adrad" in advice.words and advice.proven
    assert any("no listed answer fits" in note for note in advice.notes)
    assert advice.game == "original"


def test_one_word_left() -> None:
    coach = Coach(Game.named("original"))
    only = next(
        part
        for part in coach.game.start().groups(coach.game.index("crane")).values()
        if len(part.candidates) == 1 and not part.won
    )
    *_, advice = coach.suggest(only, AdviceOptions(seconds=LONG))
    assert advice.expected == 1 and advice.suggestions[1].expected == 2
    assert "it is the only word left" in advice.explanation


def test_a_large_position_is_advised_even_if_there_is_no_time() -> None:
    coach = Coach(Game.named("primel"))
    pieces = list(coach.suggest("", AdviceOptions(seconds=LONG), cancel=lambda: True))
    last = pieces[-1]
    assert len(last.suggestions) == 1 and not last.proven
    assert last.lower < last.upper < 4
