"""One game against a secret."""

from __future__ import annotations

import pytest

from salet import Game
from salet.errors import IllegalGuessError, InputError, UnknownNameError
from salet.game.round import Round, draw_secret

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def test_a_game_that_is_won(tiny_game):
    game = tiny_game(cap=6)
    played = Round(game, game.index("night"))
    assert not played.over
    assert played.guess("Label") == "BBBBB"
    assert played.guess("fungi") == "BBYYY"
    assert (played.won, played.over) == (False, False)
    assert played.guess("night") == "GGGGG"
    assert (played.won, played.over) == (True, True)
    assert played.share() == "salet tiny 3/6\n\n⬛⬛⬛⬛⬛\n⬛⬛🟨🟨🟨\n🟩🟩🟩🟩🟩"
    with pytest.raises(InputError, match="over; 'crane' is one guess too many"):
        played.guess("crane")


def test_a_game_that_is_lost(tiny_game):
    game = tiny_game(cap=2, mode="hard")
    played = Round(game, game.index("night"))
    played.guess("might")
    played.guess("fight")
    assert (played.won, played.over) == (False, True)
    assert played.share().splitlines()[0] == "salet tiny X/2*"
    with pytest.raises(InputError, match="over"):
        played.guess("night")


def test_the_last_guess_can_win(tiny_game):
    game = tiny_game(cap=1)
    played = Round(game, 0)
    assert played.guess("eight") == "GGGGG"
    assert played.won
    assert played.share().startswith("salet tiny 1/1\n")


def test_refused_guesses_cost_nothing(tiny_game):
    game = tiny_game(cap=6, mode="hard")
    played = Round(game, game.index("night"))
    played.guess("might")
    with pytest.raises(IllegalGuessError):
        played.guess("crane")
    with pytest.raises(UnknownNameError):
        played.guess("qqqqq")
    assert played.state.turn == 1


def test_pegs_share_their_counts():
    game = Game.named("mastermind:2x3")
    played = Round(game, game.index("32"))
    played.guess("12")
    played.guess("32")
    assert played.share() == "salet mastermind:2x3 2\n\n1,0\n2,0"


@pytest.mark.parametrize("secret", [-1, 20, 31])
def test_secrets_are_answers(tiny_game, secret):
    with pytest.raises(InputError, match=f"secret {secret} is not one of the answers"):
        Round(tiny_game(), secret)


def test_seeds(tiny_game):
    game = tiny_game()
    assert draw_secret(game, 5) == draw_secret(game, 5)
    assert {draw_secret(game, seed) for seed in range(400)} == set(range(20))
    assert 0 <= draw_secret(game) < 20
