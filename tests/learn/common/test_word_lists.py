"""No word that is measured is trained on."""

from __future__ import annotations

import numpy as np
import pytest

from salet import Game
from salet.errors import InputError
from salet.learn.common import word_lists
from salet.learn.common.word_lists import (
    draw_answer_list,
    draw_other_answers,
    is_held_out,
    split_words,
    union_game,
    words_digest,
)

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def game():
    return Game.named("original:first=12,guesses=answers", cap=6)


def test_without_options_all_lists_are_the_game(game):
    lists = split_words(game)
    assert lists.train is lists.validation is lists.test is game


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("original:first=12,guesses=answers", {"holdout": 3, "validation": 2}),
        ("original:first=12,guesses=answers", {"holdout": 3, "hidden": True}),
        ("original:first=12", {"source": "others", "validation": 50}),
    ],
)
def test_test_and_validation_words_are_never_trained_on(name, options):
    lists = split_words(Game.named(name, cap=6), **options)
    train, validation, test = lists.train, lists.validation, lists.test
    assert not set(train.answers) & set(test.answers)
    if options.get("validation"):
        assert not set(train.answers) & set(validation.answers)
        assert not set(validation.answers) & set(test.answers)
    assert bool(set(train.guesses) & set(test.answers)) != bool(options.get("hidden"))


def test_no_stage_trains_on_what_another_tests(game):
    small, large = (split_words(game, holdout=4, validation=2, words=words) for words in (9, 0))
    assert set(small.train.guesses) < set(large.train.guesses)
    for one, other in ((small, large), (large, small)):
        assert not set(one.train.answers) & set(other.test.answers)
        assert not set(one.train.answers) & set(other.validation.answers)


@pytest.mark.parametrize("method", ["permute", "replace", "splice"])
def test_made_up_words_are_new(game, method):
    lists = split_words(game, augment=method, augmented=6)
    listed = set(game.guesses)
    assert len(set(lists.train.answers) - listed) == 6
    assert set(lists.validation.answers) == listed


def test_the_union_has_the_words_of_all_lists(game):
    small, large = (split_words(game, words=words) for words in (9, 0))
    assert set(union_game([small, large]).guesses) == set(game.guesses)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": 13}, "words = 13: the game has 12"),
        ({"holdout": 12}, "holdout = 12: there are 12 words, and some are needed for training"),
        ({"source": "others"}, "is left to train or test on; use more words"),
        ({"augment": "permute", "augmented": 5000}, "gave only .* new ones; give fewer"),
    ],
)
def test_impossible_splits_are_refused(game, options, message):
    with pytest.raises(InputError, match=message):
        split_words(game, **options)


def test_the_digest_depends_on_words_and_order(game):
    other = Game(game.answers[::-1], game.guesses[::-1], cap=game.cap)
    assert words_digest(game) == words_digest(game.replace(cap=None))
    assert words_digest(game) != words_digest(other)


def test_drawn_lists_differ_and_some_avoid_plurals():
    game = Game.named("original")
    last = game.lexicon.codes[:, -1]
    common = np.bincount(last).argmax()
    assert game.lexicon.alphabet[common] == "s"
    has_many = set()
    for seed in range(12):
        answers = draw_answer_list(game.lexicon.codes, 500, np.random.default_rng(seed))
        assert len(np.unique(answers)) == 500
        assert np.array_equal(answers, np.sort(answers))
        has_many.add(bool((last[answers] == common).mean() > 0.2))
    assert has_many == {True, False}


def test_answers_of_the_game_alone_are_never_drawn(monkeypatch):
    game = Game.named("original:first=3")
    drawn = iter([np.arange(3), np.arange(2), np.array([0, 1, 7])])
    monkeypatch.setattr(word_lists, "draw_answer_list", lambda *_: next(drawn))
    assert draw_other_answers(game, 3, np.random.default_rng(0)).tolist() == [0, 1, 7]


def test_in_a_small_game_no_list_is_a_part_of_it():
    game = Game.named("nerdle:5,first=100")
    for seed in range(40):
        assert draw_other_answers(game, 6, np.random.default_rng(seed)).max() >= 100
    with pytest.raises(InputError, match="every word of nerdle:5 is one of its answers"):
        draw_other_answers(Game.named("nerdle:5"), 6, np.random.default_rng(0))


def test_half_of_the_words_are_held_out_whatever_their_case():
    words = Game.named("original").guesses
    assert sum(map(is_held_out, words)) == 6459
    assert [is_held_out(word) for word in ("salet", "SALET", "water", "WATER", "Words")] == [
        False, False, True, True, True,
    ]  # fmt: skip
