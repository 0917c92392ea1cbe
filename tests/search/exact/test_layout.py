"""A game as the kernels see it: its table in two memory orders, its keys and its legality rule."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import drawn
import naive
from random_tables import puzzles
from salet import Game
from salet.errors import InputError
from salet.search.exact import layout as module
from salet.search.exact.layout import INF, Layout, build_layout, layout_of

pytestmark = pytest.mark.tiny

ARRAYS = ("table", "columns", "max_parts", "guess_of", "original", "index_of")


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_layout_is_the_table_in_another_order(mode, wide):
    for _, puzzle in puzzles(81, 60, mode=mode, wide=wide):
        layout = puzzle.layout
        guesses, answers = puzzle.table.shape
        assert np.array_equal(layout.table, puzzle.table[layout.original])
        assert layout.table.dtype == puzzle.table.dtype
        assert sorted(layout.original.tolist()) == list(range(guesses))
        assert layout.original[layout.index_of].tolist() == list(range(guesses))
        assert layout.guess_of.tolist() == layout.index_of[:answers].tolist()
        parts = [len(set(row)) for row in layout.table.tolist()]
        assert layout.max_parts.tolist() == parts
        assert parts == sorted(parts, reverse=True)
        assert layout.columns.shape == (answers, -(-guesses // 64) * 64)
        assert np.array_equal(layout.columns[:, :guesses].T, layout.table)
        assert not layout.columns[:, guesses:].any()
        assert np.shares_memory(layout.columns, layout.packed)
        assert layout.win == puzzle.win
        assert layout.weights.tolist() == list(puzzle.weights)
        assert layout.unit == (set(puzzle.weights) == {1})


def test_guesses_with_equal_splits_keep_their_order():
    table = np.zeros((70, 3), np.uint8)
    np.fill_diagonal(table[:3], 4)
    table[40:50, 0] = 1
    layout = build_layout(table, 5)
    assert layout.original.tolist() == [0, 1, 2, *range(40, 50), *range(3, 40), *range(50, 70)]


def test_blocks_of_the_transposition_leave_nothing_out():
    rng = np.random.default_rng(1)
    for shape in ((63, 1), (64, 64), (130, 65), (200, 129)):
        table = rng.integers(0, 255, shape, np.uint8)
        layout = build_layout(table, 256)
        assert np.array_equal(layout.columns[:, : shape[0]], layout.table.T)


def test_a_new_layout_asks_for_every_answer_over_all_guesses():
    layout = build_layout(np.eye(3, dtype=np.uint8), 2)
    assert (layout.loss, layout.width, layout.feasible, layout.mode) == (INF, 0, 0, module.NORMAL)


# ---- on disk


def equal(first: Layout, second: Layout) -> bool:
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in ARRAYS)


def test_a_layout_from_disk_is_the_one_that_was_made(own_cache, monkeypatch):
    def layout() -> Layout:
        return layout_of(Game(list(drawn.ANSWERS)))  # of a new game: another is remembered

    assert not layout().table.flags.writeable
    assert not (own_cache / "layouts").exists()  # too small to be worth a file
    monkeypatch.setattr(module, "_CACHE_FROM", 1)
    made = layout()
    (path,) = (own_cache / "layouts").iterdir()
    monkeypatch.setattr(module, "_sorted_by_parts", lambda *_: pytest.fail("made again"))
    read = layout()
    assert equal(made, read)
    for each in (made, read):
        assert not each.table.flags.writeable  # one specialisation of each kernel
        assert not each.columns.flags.writeable
    assert path.stat().st_size > made.columns.nbytes


def test_a_layout_of_another_version_is_made_again(own_cache, monkeypatch):
    monkeypatch.setattr(module, "_CACHE_FROM", 1)
    for version in (2, 3):
        monkeypatch.setattr(module, "_VERSION", version)
        layout_of(Game(list(drawn.ANSWERS)))
    assert len(list((own_cache / "layouts").iterdir())) == 2


def test_a_game_is_laid_out_once():
    game = Game(["ab", "ba", "bb"])
    assert layout_of(game) is layout_of(game)
    assert layout_of(game) is not layout_of(game.replace(mode="hard"))


# ---- keys


def test_keys_are_distinct():
    game = Game(list(drawn.ANSWERS), mode="hard")
    layout = layout_of(game)
    rule = layout.legality
    everything = np.concatenate(
        [layout.answer_keys, layout.depth_keys, rule.green_keys, rule.need_keys]
    )
    for word in (0, 1):
        assert len(set(everything[:, word].tolist())) == len(everything)
    assert len(layout.depth_keys) == game.answer_count + 2  # 0, …, one guess more than answers


# ---- legality


def unpacked(bits, row, guesses):
    return np.unpackbits(bits[row].view(np.uint8), bitorder="little")[:guesses].astype(bool)


@pytest.mark.parametrize("rule", ["standard", "present"])
def test_hard_mode_knows_which_guesses_have_a_letter(rule):
    rng = random.Random(82)
    words = ["".join(letters) for letters in itertools.product("abcd", repeat=4)]
    words = rng.sample(words, 90)  # more than one word of bits
    game = Game(words[:50], words, rule=rule, mode="hard")
    layout = layout_of(game)
    legality, length, alphabet = layout.legality, 4, len(game.lexicon.alphabet)
    ordered = [words[g] for g in layout.original]
    for letter, sign in enumerate(game.lexicon.alphabet):
        for i in range(length):
            green = unpacked(legality.green_bits, i * alphabet + letter, 90)
            assert green.tolist() == [word[i] == sign for word in ordered]
        for count in range(1, length + 1):
            need = unpacked(legality.need_bits, letter * length + count - 1, 90)
            assert need.tolist() == [word.count(sign) >= count for word in ordered]
    assert legality.max_count == (4 if rule == "standard" else 1)
    for guess, answer in itertools.product(range(0, 90, 7), range(0, 50, 7)):
        tiles = legality.tiles[game.table[guess, answer]]
        assert tuple(tiles) == naive.RULES[rule](words[guess], words[answer])


@pytest.mark.parametrize("rule", ["standard", "present", "pegs"])
@pytest.mark.parametrize("length", [3, 11])
def test_strict_mode_knows_the_patterns_between_guesses(rule, length):
    """Of words of eleven letters only the patterns that occur are numbered: one that no answer
    shows has a number that none has."""
    rng = random.Random(f"{rule} {length}")
    words = list({"".join(rng.choices("abc", k=length)) for _ in range(26)})
    game = Game(words[:9], words, rule=rule, mode="strict")
    layout = layout_of(game)
    between = layout.legality.between
    for g, h in itertools.product(range(len(words)), repeat=2):
        ids = between[layout.index_of[g], layout.index_of[h]]
        shown = naive.RULES[rule](words[g], words[h])
        like = [
            a
            for a in range(9)
            if naive.RULES[rule](words[g], words[a]) == shown and game.table[g, a] == ids
        ]
        other = [a for a in range(9) if naive.RULES[rule](words[g], words[a]) != shown]
        if any(naive.RULES[rule](words[g], words[a]) == shown for a in range(9)):
            assert like
        assert all(game.table[g, a] != ids for a in other)
    keys = layout.legality.guess_keys
    assert len(np.unique(keys, axis=0)) == len(words)


def test_an_alphabet_too_large_for_hard_mode_is_refused():
    letters = [chr(0x4E00 + i) for i in range(252)]
    game = Game([a + b for a, b in itertools.pairwise(letters)], mode="hard")
    with pytest.raises(InputError, match=r"252 letters; .* hard mode takes up to 250"):
        layout_of(game)
