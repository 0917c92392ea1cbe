"""Action masks of many games against the legal guesses of single states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from drawn_histories import any_turns, histories
from salet.env.action_masks import legal_masks, update_masks
from salet.env.game_arrays import Histories
from salet.game.modes import narrow

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


@given(histories(("normal", "hard", "strict")))
def test_masks_are_the_legal_guesses_of_the_state(case):
    game, state, arrays, _ = case
    assert np.array_equal(np.flatnonzero(legal_masks(game, arrays)[0]), state.legal)


@given(any_turns())
def test_masks_are_what_narrow_keeps(case):
    """All turns at once and turn by turn, on words with repeated letters."""
    game, turns = case
    arrays = Histories.empty(2, 5)  # the second game never makes a guess
    legal = np.arange(len(game.lexicon), dtype=np.int32)
    masks = legal_masks(game, arrays)
    assert masks.all()
    for turn, (guess, pattern) in enumerate(turns):
        arrays.guesses[0, turn], arrays.patterns[0, turn] = guess, pattern
        arrays.turns[0] = turn + 1
        code = game.compiled.code(pattern)
        legal = narrow(game.lexicon, game.rule, game.mode, legal, guess, code)
        update_masks(game, arrays, masks)
        once = masks.copy()
        update_masks(game, arrays, masks)
        assert np.array_equal(masks, once)  # the same turn twice changes nothing
        assert np.array_equal(np.flatnonzero(masks[0]), legal)
        assert masks[1].all()
        assert np.array_equal(legal_masks(game, arrays), masks)
    arrays.turns[0] = 0
    update_masks(game, arrays, masks)
    assert masks.all()
