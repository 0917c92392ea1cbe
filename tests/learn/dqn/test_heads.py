"""Heads: the best word of each, and the meaning of outputs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import drawn
from salet import Game
from salet.env.game_arrays import GameArrays
from salet.errors import InputError, UnknownNameError
from salet.learn.dqn.convex_head import ConvexHead
from salet.learn.dqn.heads import HEADS, head_named, vocabulary_of
from salet.learn.dqn.network import QNetwork, QNetworkShape

pytestmark = pytest.mark.usefixtures("own_cache")


def head_for(name, game):
    return head_named(name, game, GameArrays.of(game), vocabulary_of(name, game))


@pytest.mark.tiny
@pytest.mark.parametrize("name", HEADS)
@given(
    words=drawn.word_lists(least=2, most=20, lengths=(2, 7), letters=5),
    seed=st.integers(0, 99),
    coarse=st.booleans(),
)
def test_best_is_the_first_legal_guess_of_largest_value(name, words, seed, coarse):
    game = Game(drawn.spelled(words))
    head = head_for(name, game)
    generator = np.random.default_rng(seed)
    outputs = generator.standard_normal((4, head.size)).astype(np.float32)
    if coarse:
        outputs = np.sign(outputs)  # many ties, all exact
    legal = generator.random((4, len(words))) < 0.6
    legal[:, seed % len(words)] = True
    best, values = head.best(outputs, legal)
    every = head.all_values(outputs)
    expected = np.where(legal, every, -np.inf)
    assert values == pytest.approx(expected.max(axis=1), rel=1e-5, abs=1e-5)
    assert legal[np.arange(4), best].all()
    if coarse and name not in ("embedding", "convex"):
        assert best.tolist() == expected.argmax(axis=1).tolist()
    again = head.values_of(torch.from_numpy(outputs), torch.from_numpy(best).long())
    assert again.numpy() == pytest.approx(values, rel=1e-4, abs=1e-4)
    shared, _ = head.best(outputs, np.ones((1, len(words)), bool))
    assert every[np.arange(4), shared] == pytest.approx(every.max(axis=1), rel=1e-5, abs=1e-5)


@pytest.mark.tiny
@pytest.mark.parametrize("name", HEADS)
def test_nan_outputs_still_give_a_legal_word(tiny_game, name):
    game = tiny_game()
    head = head_for(name, game)
    legal = np.zeros((1, len(game.guesses)), bool)
    legal[0, 7:] = True
    best, values = head.best(np.full((2, head.size), np.nan, np.float32), legal)
    assert best.tolist() == [7, 7]
    assert np.isnan(values).all()


def test_sizes_on_the_original_list():
    game = Game.named("original")
    assert head_for("letters", game).size == 130
    assert head_for("pairs", game).size == 1480
    assert head_for("words", game).size == 12972
    assert head_for("embedding", game).size == 21
    assert head_for("convex", game).size == 1 + 20 + 16 * 22


def test_every_letter_of_a_word_counts_in_pairs(tiny_game):
    """The pairs of the original DQN ignored the last letter of a word."""
    game = tiny_game()
    parts = head_for("pairs", game).parts.numpy()
    assert len({tuple(row) for row in parts.tolist()}) == len(game.guesses)


def test_words_unknown_to_the_weights_are_refused(tiny_game):
    game = tiny_game()
    other = Game(["zebra"])
    alphabet = tuple("abcdefghijklmnopqrstuvwxyz")
    listed = "'zebra' is not among the 31 words"
    messages = {"pairs": "have never seen", "words": listed, "embedding": listed, "convex": listed}
    for name, message in messages.items():
        with pytest.raises(InputError, match=message):
            head_named(name, other, GameArrays.of(other, alphabet), vocabulary_of(name, game))
    with pytest.raises(UnknownNameError, match="did you mean 'letters'"):
        head_for("letter", game)


@pytest.mark.parametrize("name", HEADS)
def test_values_straight_from_the_inputs_are_those_of_the_outputs(name):
    game = Game.named("original:first=60,guesses=answers")
    head = head_for(name, game)
    torch.manual_seed(0)
    network = QNetwork(QNetworkShape(inputs=8, outputs=head.size, width=16))
    inputs, guesses = torch.randn(5, 8), torch.tensor([0, 59, 7, 7, 30])
    expected = head.values_of(network(inputs), guesses)
    assert torch.allclose(head.network_values_of(network, inputs, guesses), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["embedding", "convex"])
def test_a_word_keeps_its_embedding_when_a_game_has_fewer_words(name):
    game = Game.named("original:first=60,guesses=answers")
    part = Game(game.guesses[10:40])
    vocabulary, alphabet = vocabulary_of(name, game), game.lexicon.alphabet
    outputs = np.random.default_rng(0).standard_normal((3, head_for(name, game).size), np.float32)
    few = head_named(name, part, GameArrays.of(part, alphabet), vocabulary)
    every = head_for(name, game).all_values(outputs)
    assert few.all_values(outputs) == pytest.approx(every[:, 10:40], rel=1e-5, abs=1e-5)


def random_convex(seed, words=300, dimensions=6):
    """A convex head over random embeddings, with random outputs of varied size."""
    generator = np.random.default_rng(seed)
    head = ConvexHead(generator.standard_normal((words, dimensions), np.float32))
    scale = 10.0 ** generator.uniform(-1, 1)
    outputs = scale * generator.standard_normal((5, head.size))
    return head, outputs.astype(np.float32), generator


@pytest.mark.parametrize("seed", range(20))
def test_values_of_the_convex_head_are_concave_in_the_embedding(seed):
    """On random segments: never below the chord, and strictly above it somewhere."""
    head, outputs, generator = random_convex(seed)
    given = torch.from_numpy(outputs.astype(np.float64))
    rise = 0.0
    for _ in range(40):
        ends = torch.from_numpy(generator.standard_normal((2, 5, 6)) * 3)
        share = generator.random()
        left, right = (head.values_at(given, end) for end in ends)
        between = head.values_at(given, share * ends[0] + (1 - share) * ends[1])
        above = between - (share * left + (1 - share) * right)
        assert (above >= -1e-9 * (1 + between.abs())).all()
        rise = max(rise, float(above.max()))
    assert rise > 1e-3


@pytest.mark.parametrize("seed", range(20))
def test_cutting_planes_find_the_best_word_of_the_convex_head(seed):
    head, outputs, generator = random_convex(seed)
    legal = generator.random((5, 300)) < generator.uniform(0.02, 1)
    legal[:, generator.integers(300)] = True
    best, values = head.best(outputs, legal)
    expected = np.where(legal, head.all_values(outputs), -np.inf)
    assert best.tolist() == expected.argmax(axis=1).tolist()
    assert values == pytest.approx(expected.max(axis=1), rel=1e-4, abs=1e-4)


def test_the_first_of_equal_words_is_the_best_of_the_convex_head():
    vectors = np.random.default_rng(0).standard_normal((40, 4), np.float32)
    head = ConvexHead(np.concatenate([vectors, vectors]))
    outputs = np.random.default_rng(1).standard_normal((9, head.size), np.float32)
    best, _ = head.best(outputs, np.ones((1, 80), bool))
    assert (best < 40).all()
    legal = np.arange(80)[None, :] >= 40
    assert head.best(outputs, legal)[0].tolist() == (best + 40).tolist()


def test_gradients_of_the_convex_head_reach_every_output():
    head, outputs, _ = random_convex(3)
    given = torch.from_numpy(outputs.astype(np.float64)).requires_grad_()
    points = torch.from_numpy(np.random.default_rng(4).standard_normal((5, 6)))
    assert torch.autograd.gradcheck(lambda out: head.values_at(out, points), given)
    head.values_at(given, points).sum().backward()
    assert (given.grad.abs().sum(0) > 0).sum() > 0.8 * head.size  # inactive units have none
