"""Training of the pair network: it learns, can be interrupted, and never sees held-out answers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from salet import Game
from salet.errors import InputError
from salet.learn.common.metrics import RoundMetrics, read_metrics
from salet.learn.common.run_directory import METRICS_FILE, WEIGHTS_FILE
from salet.learn.common.word_lists import is_held_out
from salet.learn.pair.config import PairConfig
from salet.learn.pair.learner import PairLearner
from salet.learn.pair.loss import score_loss
from salet.learn.pair.train import train
from salet.learn.pair.weights import PairWeights
from small_runs import timeless_rows

pytestmark = pytest.mark.usefixtures("own_cache")

PAIR = PairConfig(
    game="nerdle:5",
    similar=4,
    width=8,
    list_answers=40,
    min_answers=20,
    tell_rounds=2,
    value_rounds=2,
    tell_steps=20,
    value_steps=20,
    batch=64,
    evaluate_every=1,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("run")
    reports = []
    weights = train(PAIR, directory, progress=lambda row, rounds: reports.append((row, rounds)))
    return directory, weights, reports


def test_it_learns_and_reports(run):
    directory, weights, reports = run
    rows = [row for row, _ in reports]
    assert [row.round for row in rows] == [1, 2, 3, 4]
    assert {rounds for _, rounds in reports} == {4}
    assert read_metrics(RoundMetrics, directory / METRICS_FILE) == rows
    assert (weights.trained["lost"], weights.trained["mean"]) == (rows[-1].lost, rows[-1].mean)
    loaded = PairWeights.load(directory / WEIGHTS_FILE)
    for one, two in zip(loaded.network.parameters(), weights.network.parameters(), strict=True):
        assert torch.equal(one, two)


def test_a_run_that_is_stopped_and_resumed_gives_the_same_numbers(run, tmp_path):
    directory, whole, _ = run

    def stop(row, rounds):
        if row.round == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(PAIR, tmp_path, progress=stop)
    weights = train(PAIR, tmp_path, resume=True)
    for one, two in zip(whole.network.parameters(), weights.network.parameters(), strict=True):
        assert torch.equal(one, two)
    assert timeless_rows(RoundMetrics, tmp_path) == timeless_rows(RoundMetrics, directory)


def test_held_out_words_are_never_answers():
    learner = PairLearner.initial(PAIR)
    for _ in range(2):
        learner.gather_examples(learner.generator())
        learner.round += 1
    words = {learner.game.guesses[index] for index in learner.examples.sets.words}
    words |= {learner.game.guesses[index] for index in learner.validation_list()}
    assert words
    assert not any(map(is_held_out, words))


def test_totals_and_scores_are_exact():
    """The total of a set is the least score, and no scored guess is below it."""
    learner = PairLearner.initial(PAIR)
    learner.gather_examples(learner.generator())
    examples = learner.examples
    assert len(examples.scored)
    assert (examples.scores >= examples.totals[examples.scored]).all()
    sizes = examples.sets.sizes
    assert (examples.totals >= 2 * sizes - 1).all()
    game = learner.game
    for index in np.flatnonzero(sizes == 3)[:5]:
        words = examples.sets[index]
        best = min(5 + (len(set(learner.table.ids[guess, words].tolist())) < 3) for guess in words)
        assert examples.totals[index] == best or examples.totals[index] == 6
        assert game.answer_count > words.max()


def test_gradient_steps_improve_the_scores():
    learner = PairLearner.initial(PAIR)
    learner.gather_examples(learner.generator())
    everything = np.arange(len(learner.examples.scored))

    def loss():
        return score_loss(learner.network, learner.game.lexicon.codes, learner.examples, everything)

    before = float(loss().detach())
    optimizer = torch.optim.Adam(learner.network.parameters(), 0.03)
    for _ in range(60):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    assert float(loss().detach()) < 0.8 * before


def test_bad_input():
    kept = sum(not is_held_out(word) for word in Game.named("nerdle:5").guesses)
    for name in ("list_answers", "min_answers"):
        with pytest.raises(InputError, match=f"{name} = 100: nerdle:5 has {kept} words that are"):
            PairLearner.initial(dataclasses.replace(PAIR, **{name: 100}))
    with pytest.raises(InputError, match="depth = 1: give a number from 2 to 64"):
        PairConfig(depth=1)
