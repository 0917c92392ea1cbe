"""Share grids: every palette is read back, and other text is rejected with one sentence."""

from __future__ import annotations

import re

import hypothesis.strategies as st
import pytest
from hypothesis import given

from salet.coach.grids import MAX_CHARACTERS, PALETTES, Grid, format_grid, parse
from salet.errors import InputError


@st.composite
def grids(draw) -> Grid:
    """A grid as a game shares it: only the last row may be all green."""
    length = draw(st.integers(2, 16))
    colour = st.integers(0, 2)
    row = st.tuples(*[colour] * length).filter(lambda row: set(row) != {2})
    cap = draw(st.none() | st.integers(2, 10))
    rows = draw(st.lists(row, min_size=1, max_size=(cap or 9) - 1))
    won = draw(st.booleans())
    if won:
        rows.append((2,) * length)
    elif cap is not None:
        rows += [rows[-1]] * (cap - len(rows))
    title = draw(st.sampled_from(["", "Wordle 1,234", "salet nyt-2023-07", "Wordle #1 🎉"]))
    hard = draw(st.booleans())
    if cap is None:
        return Grid(tuple(rows))
    return Grid(tuple(rows), hard, title, cap)


@pytest.mark.parametrize("palette", PALETTES)
@given(grid=grids())
def test_every_palette_reads_back(palette: str, grid: Grid) -> None:
    text = format_grid(grid, palette)
    assert parse(text, len(grid.rows[0])) == grid


@given(grid=grids(), data=st.data())
def test_selectors_blanks_and_talk_around_do_not_matter(grid: Grid, data) -> None:
    palette = data.draw(st.sampled_from(["dark", "light", "contrast", "contrast-light"]))
    text = format_grid(grid, palette)
    text = re.sub("([⬛⬜])", "\\1\ufe0f", text)
    assert parse(f"{text}\n\nhttps://example.org #fun!\n", len(grid.rows[0])) == grid
    spaced = "\n".join(" ".join(line) if line[:1] in "⬛⬜🟨🟩🟦🟧" else line
                       for line in format_grid(grid, palette).split("\n"))  # fmt: skip
    assert parse(spaced, len(grid.rows[0])).rows == grid.rows


@given(text=st.text(max_size=300))
def test_whatever_is_pasted_is_a_grid_or_an_error_in_one_line(text: str) -> None:
    try:
        grid = parse(text)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert all(len(row) == 5 for row in grid.rows)


def test_hard_mode_and_lost_games() -> None:
    grid = parse("Wordle 1,234 X/2*\n\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩⬛")
    assert (grid.hard, grid.won, grid.cap, grid.title) == (True, False, 2, "Wordle 1,234")


def test_a_grid_in_one_line_and_slack_with_other_names() -> None:
    rows = ((0, 1, 0, 0, 2), (2, 2, 2, 2, 2))
    assert parse("Wordle 5 2/6 ⬛🟨⬛⬛🟩 🟩🟩🟩🟩🟩").rows == rows
    assert parse("bybbg\nGGGGG").rows == rows
    assert parse("01002\n22222").rows == rows
    slack = ":black_square_button::large_yellow_square::white_large_square::black_large_square:"
    assert parse(f"{slack}:large_green_square:").rows == rows[:1]
    assert parse(":green_heart:" * 5).rows == rows[1:]


BAD = {
    "nothing": ("hello there", "no row of squares"),
    "empty": ("", "no row of squares"),
    "short row": ("⬛🟨⬛⬛\n🟩🟩🟩🟩🟩", "row 1"),
    "long row": ("⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩🟩", "row 2"),
    "rows missing": ("Wordle 1 4/6\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", "says 4/6 but has 2 rows"),
    "not lost": ("Wordle 1 X/2\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", "says X/2"),
    "two games": ("🟩🟩🟩🟩🟩\n⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", "one game at a time"),
    "ten megabytes": ("⬛🟨⬛⬛🟩\n" * 2_000_000, "characters"),
    "many rows": ("⬛🟨⬛⬛🟩\n" * 101, "101 rows"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_grids(fault: str) -> None:
    text, said = BAD[fault]
    with pytest.raises(InputError, match=re.escape(said)):
        parse(text)
    assert MAX_CHARACTERS < 10**5


def test_unknown_palette() -> None:
    with pytest.raises(InputError, match="did you mean 'dark'"):
        format_grid(Grid(((0,),)), "drak")
