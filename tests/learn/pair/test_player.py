"""The pair network as a player: compiled loops against torch, and groups against the rules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from salet import Game
from salet.learn.common.ragged import AnswerSets
from salet.learn.pair import player as players
from salet.learn.pair.kernels import letter_groups
from salet.learn.pair.network import PairNetwork, PairNetworkShape, set_features
from salet.learn.pair.player import PairPlayer
from salet.learn.pair.relations import RELATIONS, fill_relations

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]


def network(seed=1):
    torch.manual_seed(seed)
    return PairNetwork(PairNetworkShape(3, 4, 8))


def seeing(colours):
    """A network whose places are the colours of relations, far apart."""
    made = network()
    points = 3 * torch.eye(3)
    with torch.no_grad():
        made.places.copy_(torch.stack([points[colours(r)] for r in range(RELATIONS)]))
        made.bonus.fill_(1.0)
    return made


def standard(r):
    hit, elsewhere, spent, earlier = r // 27, r // 9 % 3, r // 3 % 3, r % 3
    return 2 if hit else int(elsewhere - spent > earlier)


def random_game(rule="standard"):
    """Strings of few letters, many of them twice; relations do not count beyond that."""
    generator = np.random.default_rng(4)
    drawn = {"".join(generator.choice([*"abc"], 4)) for _ in range(80)}
    words = sorted(word for word in drawn if max(map(word.count, word)) <= 2)
    return Game(words, rule=rule, cap=6)


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("sharp", [False, True])
def test_scores_are_those_of_the_network(pooled, sharp):
    """Exactly where sizes are whole; between them shares are interpolated differently."""
    game = random_game()
    made = seeing(standard) if sharp else network()
    player = PairPlayer(made, game.lexicon.codes, pooled=pooled)
    words = np.arange(0, len(game.guesses), 4, dtype=np.int32)
    guesses = np.arange(len(game.guesses), dtype=np.int32)
    relations = np.empty((len(guesses), len(words), 4), np.uint8)
    fill_relations(game.lexicon.codes, np.tile(words, (len(guesses), 1)), guesses, relations)
    with torch.no_grad():
        expected = made.score(
            torch.from_numpy(relations.astype(np.int64)),
            torch.ones(len(guesses), len(words)),
            torch.from_numpy(np.isin(guesses, words).astype(np.float32)),
            pooled=pooled,
        ).numpy()
    assert player._scores(words) == pytest.approx(expected, rel=1e-4 if sharp else 0.05)


@pytest.mark.parametrize(("rule", "pooled"), [("standard", False), ("pegs", True)])
def test_who_sees_the_colours_sees_the_groups(rule, pooled):
    """Against the feedback table, with repeated letters."""
    game = random_game(rule)
    player = PairPlayer(seeing(standard), game.lexicon.codes, pooled=pooled)
    everything = AnswerSets.of([np.arange(len(game.answers), dtype=np.int32)], [0])
    for guess in range(len(game.guesses)):
        groups, parents = player._split(everything, np.array([[guess]], np.int32))
        found = {tuple(groups[i].tolist()) for i in range(len(groups))}
        row = game.table[guess]
        expected = {tuple(np.flatnonzero(row == p)) for p in set(row.tolist()) - {game.win}}
        assert found == expected
        assert set(parents.tolist()) <= {0}


def test_letter_groups_hold_every_letter_once():
    codes = Game(["abca", "aabb", "cccc", "abcd"]).lexicon.codes
    groups = letter_groups(codes)
    for guess in range(len(codes)):
        held = {}
        for group in groups.of_guess[guess]:
            for p in range(4):
                if groups.masks[group] >> p & 1:
                    assert p not in held
                    held[p] = groups.letters[group]
        assert [held[p] for p in range(4)] == codes[guess].tolist()


def test_a_sample_of_a_large_set_is_recounted(monkeypatch):
    game = random_game()
    words = AnswerSets.of([np.arange(len(game.answers), dtype=np.int32)], [0])
    player = PairPlayer(seeing(standard), game.lexicon.codes)
    whole = player.top(words, 3)
    monkeypatch.setattr(players, "MAX_SAMPLE", 12)
    assert player.top(words, 3).tolist() == whole.tolist()


def test_with_one_guess_left_a_candidate_is_played_and_with_two_the_finest_split():
    game = random_game()
    player = PairPlayer(seeing(standard), game.lexicon.codes)
    words = np.arange(3, 12, dtype=np.int32)
    sets = AnswerSets.of([words], [4])
    assert player.best(sets, left=np.array([1]))[0] in words
    two = int(player.best(sets, left=np.array([2]))[0])
    tried = player.top(sets, players.CONSIDERED)[0]
    counts = {int(g): len(set(game.table[g, words].tolist())) for g in tried}
    assert counts[two] == max(counts.values())


def test_illegal_guesses_are_not_played():
    game = random_game()
    player = PairPlayer(network(), game.lexicon.codes)
    sets = AnswerSets.of([np.arange(6, dtype=np.int32)], [1])
    legal = np.zeros(len(game.guesses), bool)
    legal[[5, 9]] = True
    assert player.best(sets, [legal])[0] in (5, 9)
    assert set(player.top(sets, 2, [legal])[0].tolist()) == {5, 9}


def test_features_imagine_the_members_as_guesses():
    """Against the feedback table: the lowest and the mean score of a set's own words."""
    game = random_game()
    learned = seeing(standard).learned()
    words = np.array([1, 5, 8, 13, 17], np.int32)
    row = set_features(game.lexicon.codes, AnswerSets.of([words], [1]), learned)[0]
    costs = []
    for guess in words:
        sizes = np.unique(game.table[guess, words], return_counts=True)[1]
        costs.append(float((sizes * learned.share[sizes]).sum()) + 5 - 1 - 9)
    assert row[5] == pytest.approx(min(costs), abs=1e-5)
    assert row[4] == pytest.approx(np.mean(costs) / 5, abs=1e-5)
    assert row[8:].sum() == pytest.approx(4 / 1.5, abs=1e-5)


def test_small_sets_need_no_network():
    player = PairPlayer(network(), random_game().lexicon.codes)
    sets = AnswerSets.of([np.array([3], np.int32), np.array([3, 7], np.int32)], [1, 1])
    assert player.totals(sets).tolist() == [1.0, 3.0]
    assert player.totals(sets, left=1).tolist() == [1.0, 14.0]


def imagined_losses(game, words, left, outside):
    """Brute force over the feedback table: each guess is the first that makes the most groups."""
    if len(words) <= left:
        return 0
    if left == 1:
        return len(words) - 1
    guess = max([*words, *outside], key=lambda g: len(set(game.table[g, words].tolist())))
    row = game.table[guess, words]
    groups = [np.asarray(words)[row == p] for p in set(row.tolist()) - {game.win}]
    return sum(imagined_losses(game, group.tolist(), left - 1, outside) for group in groups)


@pytest.mark.parametrize("left", [2, 3, 4, 5])
@pytest.mark.parametrize("outside", [[], ["clump", "wring"]])
def test_losses_are_imagined_until_the_guesses_run_out(left, outside):
    family = [first + rest for rest in ("atch", "itch", "ails") for first in "bchlmpwrstdf"]
    game = Game(family, [*family, "clump", "wring"])
    player = PairPlayer(seeing(standard), game.lexicon.codes)
    many = [np.arange(start, start + 12, dtype=np.int32) for start in range(0, 25, 6)]
    others = [game.index(word) for word in outside]
    expected = [imagined_losses(game, words.tolist(), left, others) for words in many]
    found = player._imagined_losses(
        AnswerSets.of(many, [0] * len(many)), left, np.array(others, np.int32)
    )
    assert found.tolist() == expected
    assert max(expected) > 0


def test_in_hard_mode_a_family_is_broken_up_in_time():
    """Of seven words that differ in one letter, four guesses of them alone lose three."""
    words = ["batch", "catch", "hatch", "latch", "match", "patch", "watch"]
    game = Game(words, [*words, "clamp", "zebra"])
    player = PairPlayer(seeing(standard), game.lexicon.codes)
    family = AnswerSets.of([np.arange(7, dtype=np.int32)], [2])
    free, stuck = (
        player.totals(family, 4, outside=outside)[0]
        for outside in (np.array([game.index("clamp")], np.int32), None)
    )
    assert stuck - free == 3 * players.LOSS_COST
    everything = np.ones(len(game.guesses), bool)
    chosen = player.best(family, [everything], left=np.array([4]))[0]
    assert game.guesses[chosen] == "clamp"
