"""The likeliest words behind a grid, against plain counting."""

from __future__ import annotations

import math

import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.coach import Coach
from salet.coach.grid_inference import infer_words
from salet.coach.grids import Grid
from salet.errors import InputError, RowError

GAME = Game(ANSWERS, [*ANSWERS, *OTHERS], cap=6)


def grid_of(answer: str, *guesses: str) -> Grid:
    return Grid(tuple(naive.standard(guess, answer) for guess in guesses))


def test_answers_and_guesses_have_the_given_weights() -> None:
    coach = Coach(GAME, past=["sight", "crane"])
    weight = {word: math.sqrt(w) for word, w in zip(GAME.guesses, coach.likelihood, strict=True)}
    grid = grid_of("sight", "crane", "might", "sight")
    reading = infer_words(coach, grid, count=40)
    masses = {
        answer: [
            sum(weight[g] for g in GAME.guesses if naive.standard(g, answer) == row)
            for row in grid.rows
        ]
        for answer in GAME.answers
    }
    scores = {answer: weight[answer] * math.prod(masses[answer]) for answer in GAME.answers}
    whole = sum(scores.values())
    wanted = {answer: score / whole for answer, score in scores.items() if score}
    found = {likely.word: likely.chance for likely in reading.answers}
    assert found == pytest.approx(wanted)
    assert reading.possible == len(wanted)
    for place, row in enumerate(grid.rows):
        chances = {
            guess: sum(
                wanted[answer] * weight[guess] / masses[answer][place]
                for answer in wanted
                if naive.standard(guess, answer) == row
            )
            for guess in GAME.guesses
        }
        listed = {likely.word: likely.chance for likely in reading.rows[place]}
        assert listed == pytest.approx({word: c for word, c in chances.items() if c})
        assert sum(listed.values()) == pytest.approx(1)


def test_with_the_answer_only_guesses_are_open() -> None:
    reading = infer_words(Coach(GAME), grid_of("sight", "crane", "sight"), answer="sight")
    assert [likely.word for likely in reading.answers] == ["sight"]
    assert [likely.word for likely in reading.rows[1]] == ["sight"]
    assert "crane" in {likely.word for likely in reading.rows[0]}


def test_grids_that_cannot_be() -> None:
    coach = Coach(GAME)
    with pytest.raises(RowError, match="row 1 of the grid fits no words") as error:
        infer_words(coach, Grid(((2, 2, 2, 2, 1),)))
    assert error.value.row == 1
    with pytest.raises(RowError, match="has 4 squares"):
        infer_words(coach, Grid(((2, 2, 2, 2),)))
    with pytest.raises(InputError, match="shares no squares"):
        infer_words(Coach(Game.named("mastermind:2x3")), Grid(((2, 2),)))
