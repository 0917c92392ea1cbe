"""What the teacher tells of a drawn list is what trying everything finds."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.game.table import build_table
from salet.learn.policy.learner import likely_openers
from salet.learn.policy.teacher import SLACK, Teacher, drawn_list

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]

GAME = Game([*ANSWERS, *OTHERS])
WORDS = GAME.guesses


def taught(answers, openers, seed):
    table = build_table(GAME.lexicon, len(WORDS), GAME.rule)
    teacher = Teacher(table, np.array(answers, np.int32), 6, np.random.default_rng(seed))
    return teacher.teach(np.array(openers, np.int32))


def best_total(answers, left):
    order = [*answers, *(place for place in range(len(WORDS)) if place not in answers)]
    words = tuple(tuple(WORDS[place]) for place in order)
    found = naive.solve(naive.Tiny(words[: len(answers)], words, cap=left))
    assert found is not None
    return found.total


def total_of(guess, answers, left):
    """Guesses over all answers if `guess` comes first and the rest is played perfectly."""
    total = len(answers)
    groups: dict[object, list[int]] = {}
    for answer in answers:
        if answer != guess:
            pattern = naive.standard(WORDS[guess], WORDS[answer])
            groups.setdefault(pattern, []).append(answer)
    return total + sum(best_total(group, left - 1) for group in groups.values())


@pytest.mark.parametrize("seed", range(3))
def test_totals_and_losses_are_exact(seed):
    generator = np.random.default_rng(seed)
    answers = sorted(generator.choice(len(WORDS), 9, replace=False).tolist())
    lessons = taught(answers, generator.choice(len(WORDS), 3, replace=False), seed)
    assert len(lessons) >= 3
    for place in range(len(lessons)):
        members = lessons.sets[place].tolist()
        left = 6 - int(lessons.sets.turns[place])
        assert set(members) <= set(answers)
        told = slice(lessons.told[place], lessons.told[place + 1])
        guesses, losses = lessons.guesses[told].tolist(), lessons.losses[told].tolist()
        assert len(guesses) == len(set(guesses)) > 0
        assert min(losses) == 0
        is_opening = len(members) == len(answers)
        if not is_opening:
            assert lessons.totals[place] == best_total(members, left)
            assert max(losses) <= SLACK
        for guess, loss in zip(guesses[:6], losses[:6], strict=True):
            assert total_of(guess, members, left) == lessons.totals[place] + loss


def test_sets_of_one_and_two_answers_are_told_of_now_and_then():
    sizes = [taught(range(20), [20, 21, 22], seed).sets.sizes for seed in range(4)]
    small = np.concatenate(sizes)
    assert {1, 2} & set(small.tolist())
    assert (small > 2).sum() > 10


def test_drawn_lists_differ_and_some_avoid_plurals():
    game = Game.named("original")
    codes = game.lexicon.codes
    last = codes[:, -1]
    common = np.bincount(last).argmax()
    assert game.lexicon.alphabet[common] == "s"
    shares = set()
    for seed in range(12):
        answers = drawn_list(codes, 500, np.random.default_rng(seed))
        assert len(np.unique(answers)) == 500
        assert np.array_equal(answers, np.sort(answers))
        shares.add(bool((last[answers] == common).mean() > 0.2))
    assert shares == {True, False}


def test_openers_are_distinct_words():
    table = build_table(GAME.lexicon, len(WORDS), GAME.rule)
    openers = likely_openers(table, np.arange(20, dtype=np.int32), 5, np.random.default_rng(1))
    assert 4 <= len(openers) == len(set(openers.tolist())) <= 5
