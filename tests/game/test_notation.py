"""Patterns as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.errors import InputError
from salet.game.notation import PEGS, TILES, tile_code, tiles

GREYS = "bBwWxX-_.0⬛⬜"
YELLOWS = "yY1🟨"
GREENS = "gG2🟩"


@pytest.mark.parametrize("length", range(1, 8))
def test_every_tile_code_survives_a_round_trip(length):
    count = TILES.patterns(length)
    assert count == 3**length
    shown = [TILES.format(code, length) for code in range(count)]
    assert len(set(shown)) == count
    assert [TILES.parse(text, length) for text in shown] == list(range(count))
    assert shown[-1] == "G" * length
    assert shown[0] == "B" * length


@pytest.mark.parametrize("length", range(1, 17))
def test_every_peg_code_survives_a_round_trip(length):
    count = PEGS.patterns(length)
    assert count == (length + 1) * (length + 2) // 2
    shown = [PEGS.format(code, length) for code in range(count)]
    assert len(set(shown)) == count
    assert [PEGS.parse(text, length) for text in shown] == list(range(count))
    assert shown[-1] == f"{length},0"


def test_the_first_letter_is_the_least_significant():
    assert TILES.parse("ybbbb", 5) == 1
    assert TILES.parse("gbbbb", 5) == 2
    assert TILES.parse("bybbb", 5) == 3
    assert TILES.parse("ggggg", 5) == 242
    assert tiles(5, 3) == (2, 1, 0)
    assert tile_code((2, 1, 0)) == 5


@pytest.mark.parametrize("grey", GREYS)
@pytest.mark.parametrize("yellow", YELLOWS)
@pytest.mark.parametrize("green", GREENS)
def test_every_spelling(grey, yellow, green):
    assert TILES.parse(f"{grey}{yellow}{green}{grey}", 4) == tile_code((0, 1, 2, 0))


@pytest.mark.parametrize("selector", ["\ufe0e", "\ufe0f"])
def test_variation_selectors_are_ignored(selector):
    text = "".join(tile + selector for tile in "⬛🟨🟩⬜🟩")
    assert TILES.parse(text, 5) == TILES.parse("BYGBG", 5)


def test_spaces_are_ignored():
    assert TILES.parse(" b y g b g\n", 5) == TILES.parse("bygbg", 5)


@given(st.lists(st.sampled_from([GREYS, YELLOWS, GREENS]), min_size=2, max_size=16), st.data())
def test_mixed_spellings(colours, data):
    text = "".join(data.draw(st.sampled_from(signs)) for signs in colours)
    expected = "".join("BYG"[[GREYS, YELLOWS, GREENS].index(signs)] for signs in colours)
    assert TILES.format(TILES.parse(text, len(colours)), len(colours)) == expected


@given(st.lists(st.sampled_from([0, 1, 2]), max_size=16))
def test_tiles_and_code_are_inverse(colours):
    assert tiles(tile_code(tuple(colours)), len(colours)) == tuple(colours)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bygb", "'bygb' has 4 tiles; write one for each of the 5 letters"),
        ("bygbbb", "6 tiles"),
        ("", "0 tiles"),
        ("bygbq", "'q' is not a tile"),
        ("bygb3", "'3' is not a tile"),
        ("byg🟥b", "'🟥' is not a tile"),
    ],
)
def test_bad_tiles(text, says):
    with pytest.raises(InputError) as caught:
        TILES.parse(text, 5)
    message = str(caught.value)
    assert says in message
    assert repr(text) in message
    assert "'bygbb'" in message  # what would have been right
    assert "\n" not in message


@pytest.mark.parametrize(
    "text", ["1,2", "1b2w", "1B2W", "12", " 1 2 ", "1 , 2", "1;2", "1/2", "1+2"]
)
def test_spellings_of_pegs(text):
    assert PEGS.format(PEGS.parse(text, 4), 4) == "1,2"


def test_two_digit_pegs():
    assert PEGS.format(PEGS.parse("10,3", 16), 16) == "10,3"
    with pytest.raises(InputError):
        PEGS.parse("103", 16)


@pytest.mark.parametrize("text", ["", "1", "x", "1,2,3", "gybbb", "-1,2", "3,2", "123", "1,,2"])
def test_bad_pegs(text):
    with pytest.raises(InputError) as caught:
        PEGS.parse(text, 4)
    assert repr(text) in str(caught.value)


@given(st.text(max_size=10), st.integers(2, 6))
def test_any_text_is_parsed_or_refused(text, length):
    for notation in (TILES, PEGS):
        try:
            code = notation.parse(text, length)
        except InputError:
            continue
        assert 0 <= code < notation.patterns(length)
