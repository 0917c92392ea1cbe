"""The results of `solve` on 1,000 adversarial games, against brute force."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import naive
import random_games
from salet import Game
from salet.search.prove import Proof, ProofProgress, prove
from salet.search.solve import solve
from salet.verification.certificate_check import check_certificate

GAMES, CHUNKS = 1000, 4
PROOFS = 150


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_solve_is_brute_force(chunk) -> None:
    for number in range(chunk, GAMES, CHUNKS):
        case = random_games.case(number)
        oracle = naive.solve(case.game, case.objective, case.turns, case.opener)
        state = random_games.state_of(case)
        found = solve(state, objective=case.objective, opener=case.opener, threads=1)
        assert found.proven, case
        if oracle is None:
            assert (found.guess, found.total, found.upper) == (None, None, None), case
            continue
        candidates = set(state.candidates.tolist())
        order = sorted(oracle.guesses, key=lambda guess: (guess not in candidates, guess))
        assert found.ties == [case.game.guesses[guess] for guess in order], case
        assert (found.total, found.lower, found.upper) == (oracle.total,) * 3, case
        if oracle.worst is not None:
            assert found.worst == oracle.worst, case


def test_interrupted_proofs_are_brute_force(tmp_path) -> None:
    """Bounds hold at every report, a resumed proof ranks as trying everything does, and its
    certificate is accepted."""
    for number in range(PROOFS):
        case = random_games.case(number)
        tiny = case.game
        game = random_games.state_of(replace(case, history=())).game
        values = [naive.solve(tiny, "mean", (), guess) for guess in range(len(tiny.guesses))]
        totals = sorted(value.total for value in values if value is not None)
        reports: list[ProofProgress | Proof] = []
        ranking = 1 + number % len(tiny.guesses)
        options = {"ranking": ranking, "threads": 1, "checkpoint": tmp_path / str(number)}
        for seconds in (1e-6, 1e-4, math.inf):
            proof = prove(
                game, seconds=seconds, progress=reports.append, certificate=True, **options
            )
            reports.append(proof)
        assert proof.proven
        assert [row.total for row in proof.ranking] == totals[:ranking], case
        for row in proof.ranking:
            assert values[game.index(row.guess)].total == row.total, case
        optimum = totals[0] if totals else math.inf
        for report in reports:
            upper = math.inf if report.upper is None else report.upper
            assert report.lower <= optimum <= upper, case
        path = tmp_path / "proof.cert"
        proof.certificate.save(path)
        check_certificate(path, game)


def test_a_weighted_game_with_losses() -> None:
    """The weight of a part was once recovered from a bound that had the price of lost answers in
    it: the total came out as 64."""
    answers = ["ay", "bz", "cz", "dz", "fz", "gy", "hy", "jz", "kz", "my", "nz", "oy", "py"]
    weights = [3, 1, 3, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2]
    game = Game(answers, [*answers, "af", "bb", "za"], weights=weights, cap=4)
    found = solve(game, objective="win-then-mean")
    tiny = naive.Tiny(tuple(answers), game.guesses, cap=4, weights=tuple(weights))
    oracle = naive.solve(tiny, "win-then-mean")
    assert found.total == oracle.total == 63
    assert oracle.losses == 6


def test_wasted_guesses_of_a_game_without_a_cap() -> None:
    """The depth of an uncapped game counts from the state, not from its start."""
    state = Game(["OO"], ["OO", "oe", "ro"], rule="present").start().after("oe", "gb")
    assert solve(state, opener="oe").total == 2
    assert solve(state).total == 1
