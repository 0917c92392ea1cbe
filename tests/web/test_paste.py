"""What people paste: words and squares, told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.coach.grids import PALETTES, Grid, format_grid
from salet.game.game import Game
from salet.web.paste import read_paste

WORDS = ("salet", "acorn", "grand", "gybby", "crane", "slate")
GAME = Game(WORDS, name="pasted", cap=6)


@pytest.mark.parametrize(
    ("text", "words", "rows"),
    [
        ("salet acorn grand", ["salet", "acorn", "grand"], None),
        ("1. salet\n2. acorn\n3. GRAND!", ["salet", "acorn", "GRAND"], None),
        ("salet, acorn > grand", ["salet", "acorn", "grand"], None),
        ("Wordle 1,234 2/6*\n\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩", [], 2),
        ("salet 🟨⬛⬛⬛⬛\ngrand 🟩🟩🟩🟩🟩", ["salet", "grand"], 2),
        ("salet ⬛️🟨⬛️⬛️⬛️\ngrand 🟩🟩🟩🟩🟩", ["salet", "grand"], 2),
        ("salet bybbb\ngrand ggggg", ["salet", "grand"], 2),
        ("gybby gybby", ["gybby", "gybby"], None),  # a word of the game is a word
        ("salet nyt-2023-07 2/6\n\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩\nsalet grand", ["salet", "grand"], 2),
        ("salet romanian 2\n\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩", [], 2),
        (":large_green_square:" * 5 + "\ngrand", ["grand"], 1),
        ("", [], None),
        ("…", [], None),
    ],
)
def test_told_apart(text: str, words: list[str], rows: int | None) -> None:
    found = read_paste(text, GAME)
    assert found.words == words
    assert (None if found.grid is None else len(found.grid.rows)) == rows


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 5), min_size=1, max_size=6),
    st.sampled_from(sorted(PALETTES)),
    st.booleans(),
)
def test_a_grid_of_any_palette_with_words_beside_it(rows, palette: str, beside: bool) -> None:
    rows = [row for row in rows if row != (2,) * 5] + [(2,) * 5]
    grid = Grid(tuple(rows))
    lines = format_grid(grid, palette).splitlines()
    words = [WORDS[place % 3] for place in range(len(lines))]
    if beside:
        text = "\n".join(f"{word} {line}" for word, line in zip(words, lines, strict=True))
    else:
        text = "\n".join([*words, "", *lines])
    found = read_paste(text, GAME)
    assert found.words == words
    assert found.grid is not None and found.grid.rows == grid.rows
