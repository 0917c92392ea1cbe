"""What the teacher says about a drawn list is what brute force finds."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.game.table import build_table
from salet.learn.policy.teacher import SLACK, Teacher, draw_openers, keep_best

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]

GAME = Game([*ANSWERS, *OTHERS])
WORDS = GAME.guesses


def taught(answers, openers, seed):
    table = build_table(GAME.lexicon, len(WORDS), GAME.rule)
    teacher = Teacher(GAME, table, np.array(answers, np.int32), 6, np.random.default_rng(seed))
    return teacher.teach(np.array(openers, np.int32))


def best_total(answers, left):
    order = [*answers, *(word for word in range(len(WORDS)) if word not in answers)]
    words = tuple(tuple(WORDS[word]) for word in order)
    found = naive.solve(naive.Tiny(words[: len(answers)], words, cap=left))
    assert found is not None
    return found.total


def total_of(guess, answers, left):
    """Guesses over all answers with `guess` first and perfect play afterwards."""
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
    examples = taught(answers, generator.choice(len(WORDS), 3, replace=False), seed)
    assert len(examples) >= 3
    for index in range(len(examples)):
        members = examples.sets[index].tolist()
        left = 6 - int(examples.sets.turns[index])
        assert set(members) <= set(answers)
        own = slice(examples.guess_starts[index], examples.guess_starts[index + 1])
        guesses, losses = examples.guesses[own].tolist(), examples.losses[own].tolist()
        assert len(guesses) == len(set(guesses)) > 0
        assert min(losses) == 0
        is_opening = len(members) == len(answers)
        if not is_opening:
            assert examples.totals[index] == best_total(members, left)
            assert max(losses) <= SLACK
        for guess, loss in zip(guesses[:6], losses[:6], strict=True):
            assert total_of(guess, members, left) == examples.totals[index] + loss


def test_few_examples_have_one_or_two_answers():
    sizes = [taught(range(20), [20, 21, 22], seed).sets.sizes for seed in range(4)]
    small = np.concatenate(sizes)
    assert {1, 2} & set(small.tolist())
    assert (small > 2).sum() > 10


def test_openers_are_distinct_words():
    table = build_table(GAME.lexicon, len(WORDS), GAME.rule)
    openers = draw_openers(table, np.arange(20, dtype=np.int32), 5, np.random.default_rng(1))
    assert 4 <= len(openers) == len(set(openers.tolist())) <= 5


def test_only_the_best_guesses_are_kept():
    guesses = np.arange(50, dtype=np.int32)
    losses = (guesses % 3).astype(np.int32)
    kept, lost = keep_best(guesses, losses, 20, np.random.default_rng(0))
    assert len(set(kept.tolist())) == 20
    assert lost.tolist() == [0] * 17 + [1] * 3
    assert (kept % 3 == lost).all()
