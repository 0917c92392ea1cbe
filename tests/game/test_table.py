"""The compiled table, and its file in the cache."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

import drawn
import naive
from salet.errors import InputError
from salet.game import table as module
from salet.game.feedback import RULES
from salet.game.lexicon import encode
from salet.game.table import build_table, table_of

WORDS = list(drawn.ANSWERS)
STANDARD = RULES["standard"]


def expected(words, answers, rule="standard"):
    """The table by the naive rules, as text."""
    return [
        [naive.shown(rule, naive.RULES[rule](guess, answer)) for answer in words[:answers]]
        for guess in words
    ]


def shown(table, length, rule="standard"):
    notation = RULES[rule].notation
    return [[notation.format(table.code(int(p)), length) for p in row] for row in table.ids]


def only_file(cache):
    (path,) = (cache / "tables").iterdir()
    return path


# ---------------------------------------------------------------------------- ids


@pytest.mark.tiny
@pytest.mark.parametrize(
    ("rule", "length", "kind", "patterns"),
    [
        ("standard", 5, np.uint8, 243),
        ("present", 5, np.uint8, 243),
        ("standard", 6, np.uint16, 729),
        ("present", 6, np.uint16, 729),
        ("standard", 10, np.uint16, 59049),
        ("pegs", 4, np.uint8, 15),
        ("pegs", 16, np.uint8, 153),
    ],
)
def test_ids_take_the_smallest_type(rule, length, kind, patterns):
    words = ["a" * length, "a" * (length - 1) + "b", "b" * length]
    table = build_table(encode(words), 2, RULES[rule])
    assert table.ids.dtype == kind
    assert table.patterns == patterns
    assert table.win == patterns - 1
    assert table.dense_codes is None
    assert table.ids[0, 0] == table.ids[1, 1] == table.win
    assert shown(table, length, rule) == expected(words, 2, rule)


@pytest.mark.tiny
def test_six_letters_never_wrap():
    """All 729 patterns of six letters that some guess can get have different ids."""
    answer = "abcdef"
    spellings = []
    for colours in itertools.product("BYG", repeat=6):
        yellow = [index for index, colour in enumerate(colours) if colour == "Y"]
        moved = dict(zip(yellow, yellow[1:] + yellow[:1], strict=True))
        spellings.append(
            "".join(
                answer[index] if colour == "G" else answer[moved[index]] if colour == "Y" else "z"
                for index, colour in enumerate(colours)
            )
        )
    others = sorted(set(spellings) - {answer})
    words = [answer, *others]
    table = build_table(encode(words), 1, STANDARD)
    assert table.ids.max() == 728
    assert shown(table, 6) == expected(words, 1)
    # of 729 colourings those with a single yellow do not occur: a lone letter cannot move
    assert len(np.unique(table.ids)) == len({tuple(row) for row in expected(words, 1)}) > 256


@pytest.mark.tiny
@pytest.mark.parametrize("length", [11, 12, 16])
@pytest.mark.parametrize("rule", ["standard", "present"])
def test_long_words_have_dense_ids(length, rule):
    words = ["".join(letters) for letters in itertools.product("ab", repeat=4)]
    words = [word + "c" * (length - 4) for word in words] + ["d" * length]
    table = build_table(encode(words), 16, RULES[rule])
    assert table.ids.dtype == np.uint16
    assert table.patterns == len(table.dense_codes) == len(np.unique(table.ids))
    assert list(table.dense_codes) == sorted(set(table.dense_codes))
    assert table.code(table.win) == 3**length - 1
    assert shown(table, length, rule) == expected(words, 16, rule)
    for pattern in range(table.patterns):
        assert table.pattern(table.code(pattern)) == pattern
    assert table.pattern(1) is None  # one yellow and eleven greys: no pair gives it
    assert table.pattern(3**length - 1 - 1) == (
        None if rule == "standard" else table.win - 1  # one yellow among greens
    )


@pytest.mark.tiny
def test_layouts_hold_the_same_ids():
    table = build_table(encode([*drawn.ANSWERS, *drawn.OTHERS]), 20, STANDARD)
    assert np.array_equal(table.by_answer, table.ids.T)
    assert table.by_answer.flags.c_contiguous
    for count in (1, 20, 48, 49, 1000):
        assert np.array_equal(table.laid_out_for(count), table.ids)


def test_transposing_more_than_a_block():
    words = ["".join(letters) for letters in itertools.product("abc", repeat=5)]
    table = build_table(encode(words), 150, STANDARD)
    assert np.array_equal(table.by_answer, table.ids.T)


def test_blocks_of_long_words_join():
    words = ["".join(letters) + "x" * 5 for letters in itertools.product("abc", repeat=6)]
    table = build_table(encode(words), 40, STANDARD)  # 729 guesses: three blocks
    rows = [0, 255, 256, 511, 512, 728]
    notation = STANDARD.notation
    for row in rows:
        got = [notation.format(table.code(int(p)), 11) for p in table.ids[row]]
        assert got == [naive.shown("standard", naive.standard(words[row], a)) for a in words[:40]]


def test_a_table_above_the_size_limit_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="20 guesses and 20 answers"):
        build_table(encode(WORDS), 20, STANDARD)


# ---------------------------------------------------------------------------- on disk


@pytest.fixture
def stored(own_cache):
    """The cache directory with one table in it."""
    table_of(encode(WORDS), 20, STANDARD)
    return own_cache


def test_a_stored_table_is_mapped_and_not_built_again(stored, monkeypatch):
    monkeypatch.setattr(module, "build_table", lambda *_: pytest.fail("built again"))
    table = table_of(encode(WORDS), 20, STANDARD)
    assert shown(table, 5) == expected(WORDS, 20)
    assert isinstance(table.ids.base, np.memmap) or isinstance(table.ids, np.memmap)
    assert not table.ids.flags.writeable


def test_dense_codes_are_stored_too(own_cache, monkeypatch):
    words = ["abcdefghijkl", "abcdefghijkm", "mbcdefghijka"]
    made = table_of(encode(words), 2, STANDARD)
    monkeypatch.setattr(module, "build_table", lambda *_: pytest.fail("built again"))
    read = table_of(encode(words), 2, STANDARD)
    assert np.array_equal(read.dense_codes, made.dense_codes)
    assert read.patterns == made.patterns
    assert shown(read, 12) == expected(words, 2)


def test_each_game_has_its_own_file(own_cache):
    lexicon = encode(WORDS)
    table_of(lexicon, 20, STANDARD)
    table_of(lexicon, 19, STANDARD)
    table_of(lexicon, 20, RULES["present"])
    table_of(encode(WORDS[::-1]), 20, STANDARD)
    assert len(list((own_cache / "tables").iterdir())) == 4


def test_a_damaged_file_is_rebuilt(stored):
    path = only_file(stored)
    good = path.read_bytes()
    path.write_bytes(good[:-1] + b"x")
    assert shown(table_of(encode(WORDS), 20, STANDARD), 5) == expected(WORDS, 20)
    assert path.read_bytes() == good


@pytest.mark.slow
def test_no_cache_directory_at_all(tmp_path):
    """In a fresh process neither tables nor kernels can be cached, and all works nevertheless."""
    (tmp_path / "file").write_text("in the way")
    program = f"from salet import Game\nprint(Game({WORDS!r}).feedback('error', 'elder'))\n"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SALET_CACHE_DIR": str(tmp_path / "file" / "below")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("GBBBG\n", "", 0)


@given(lists=drawn.split_lists(most=8, lengths=(2, 12)))
def test_stored_tables_are_read_back(lists, tmp_path_factory):
    words, answers = lists
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SALET_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        made = table_of(encode(drawn.spelled(words)), answers, STANDARD)
        patch.setattr(module, "build_table", lambda *_: pytest.fail("built again"))
        read = table_of(encode(drawn.spelled(words)), answers, STANDARD)
    assert np.array_equal(made.ids, read.ids)
    assert (made.patterns, made.ids.dtype) == (read.patterns, read.ids.dtype)
