"""Figures that others published, and that our players must reproduce to the guess."""

from __future__ import annotations

import pytest

from salet import Game, simulate
from salet.strategies.simulate import play_all, transcript

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original():
    return Game.named("original")


def test_original_entropy(original):
    result = simulate(original, "entropy", opener="soare")
    assert result.total == 8018
    assert result.histogram == {2: 44, 3: 1219, 4: 988, 5: 63, 6: 1}
    assert (result.losses, result.worst, result.answers) == (0, 6, 2315)


def test_original_entropy_first_and_the_accounting_of_the_paper(original):
    """MaxEntropy stops when one candidate is left or six guesses are made, and charges one more."""
    played = play_all(original, "entropy", opener="soare", ties="first")
    assert played.result.total == 8414
    assert round(played.result.mean, 4) == 3.6346
    charged: dict[int, int] = {}
    for answer, line in enumerate(played.games):
        state, made = original.start(), 0
        while made == 0 or (len(state.candidates) > 1 and made < 6):
            state = state.after(line[made], int(original.table[line[made], answer]))
            made += 1
        charged[made + 1] = charged.get(made + 1, 0) + 1
    assert dict(sorted(charged.items())) == {2: 22, 3: 900, 4: 1292, 5: 99, 6: 2}
    assert sum(size * count for size, count in charged.items()) == 8419
    assert round(8419 / 2315, 4) == 3.6367


@pytest.fixture(scope="module")
def newest():
    return Game.named("nyt-2023-07")


def test_nyt_entropic(newest):
    result = simulate(newest, "entropic")
    assert (result.opener, result.total) == ("tarse", 11270)
    assert result.histogram == {2: 85, 3: 1442, 4: 1392, 5: 228, 6: 11}


def test_nyt_statistical(newest):
    result = simulate(newest, "statistical")
    assert (result.opener, result.total) == ("roate", 11511)
    assert result.histogram == {2: 64, 3: 1215, 4: 1665, 5: 206, 6: 8}


@pytest.fixture(scope="module")
def romanian(shared):
    words = (shared / "data/romanian-11454.txt").read_text("ascii").split()
    assert len(words) == 11454
    return Game(words, rule="present", name="founding romanian")


def test_romanian_as_founded(romanian):
    played = play_all(romanian, "entropy", ties="first-candidate")
    result = played.result
    assert (result.opener, result.total, result.cap) == ("TAREI", 45906, None)
    assert result.histogram == {1: 1, 2: 40, 3: 2379, 4: 6655, 5: 2207, 6: 171, 7: 1}
    lines = list(transcript(romanian, played.games))
    assert lines[-1] == "45906"
    assert "NUNII, TAREI SOCUL UGNIM ABJUR AFIPT HUNII NUNII " in lines
    assert [line for line in lines if line.count(" ") == 8] == [lines[romanian.index("NUNII")]]
    assert [line.split(",")[0] for line in lines[:-1]] == list(romanian.answers)


def test_romanian_with_ties_to_candidates(romanian):
    result = simulate(romanian, "entropy")
    assert (result.opener, result.total, result.losses) == ("TAREI", 45694, 0)
