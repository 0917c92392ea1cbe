"""The state of a policy run: its examples and its checkpoint."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from salet.errors import InputError
from salet.learn.common import round_training
from salet.learn.common.run_directory import CHECKPOINT_FILE, FORMAT
from salet.learn.common.tensor_file import read_tensors
from salet.learn.policy.learner import MEMORIES, PolicyLearner
from salet.learn.policy.train import gradient_steps, train
from small_runs import POLICY

pytestmark = pytest.mark.usefixtures("own_cache")


def test_a_checkpoint_holds_the_run(tmp_path):
    learner = PolicyLearner.initial(POLICY)
    generator = learner.generator()
    learner.gather_examples(generator)
    gradient_steps(learner, generator)
    learner.round = 1
    learner.save_checkpoint(tmp_path)
    resumed = PolicyLearner.resume(POLICY, tmp_path)
    assert resumed.round == 1
    assert resumed.generator().random() == learner.generator().random()
    expected, found = (each.memory["lists"][0].arrays() for each in (learner, resumed))
    assert all(np.array_equal(found[name], expected[name]) for name in expected)


def test_the_names_in_checkpoints_stay(tmp_path):
    """Runs that were started with earlier versions can be resumed."""
    train(POLICY, tmp_path)
    arrays, header = read_tensors(tmp_path / CHECKPOINT_FILE, FORMAT)
    assert {name.partition(".")[0] for name in arrays} == {"network", "adam", "memory"}
    examples = ("words", "starts", "turns", "totals", "guesses", "losses", "told", "weights")
    assert {name for name in arrays if name.startswith("memory.lists.0000.")} == {
        f"memory.lists.0000.{name}" for name in examples
    }
    kinds = {name.split(".")[1] for name in arrays if name.startswith("memory.")}
    assert kinds == set(MEMORIES) == {"lists", "early", "own", "own-lists"}
    assert set(header) == {
        *("format", "version", "kind", "words", "config", "round", "hindsight", "seconds")
    }


def test_a_run_is_resumed_with_its_own_words_only(tmp_path, monkeypatch):
    PolicyLearner.initial(POLICY).save_checkpoint(tmp_path)
    monkeypatch.setattr(round_training, "words_digest", lambda game: "other words")
    with pytest.raises(InputError, match=r"are not those that the run in .* was started with"):
        PolicyLearner.resume(POLICY, tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"list_answers": 128}, "list_answers = 128: .* has 127 words"),
        ({"openers": 128}, "openers = 128: .* has 127 words"),
        ({"game": "nerdle:5"}, "every word of nerdle:5 is one of its answers"),
    ],
)
def test_lists_that_cannot_be_drawn_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        PolicyLearner.initial(dataclasses.replace(POLICY, **changes))


def test_a_batch_is_shared_between_lists_and_self_play():
    learner = PolicyLearner.initial(POLICY)
    learner.gather_examples(learner.generator())
    assert [count for _, _, count in learner.batch_sources()] == [32]
    learner.round = POLICY.lists
    learner.gather_examples(learner.generator())
    assert [count for _, _, count in learner.batch_sources()] == [12, 4, 16]
