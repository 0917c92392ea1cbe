"""Stored certificates are the files that were checked, and belong to the games they name."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from salet import Game, solve, verify
from salet.verification.certificate_format import game_digest, read_header
from salet.verification.stored_certificates import (
    StoredCertificate,
    stored_certificate,
    stored_certificates,
)

FOLDER = Path(__file__).resolve().parents[2] / "certificates"


def game_of(stored: StoredCertificate) -> Game:
    return Game.named(stored.game, mode=stored.mode, cap=stored.cap)


def test_the_index_lists_every_file() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.cert")) == [
        stored.file for stored in stored_certificates()
    ]


@pytest.mark.parametrize("stored", stored_certificates(), ids=lambda stored: stored.file)
def test_a_file_is_what_the_index_says(stored: StoredCertificate) -> None:
    path = FOLDER / stored.file
    assert hashlib.sha256(path.read_bytes()).hexdigest() == stored.sha256
    header = read_header(path)
    assert header["lower"] == [[None, stored.lower]]
    game = game_of(stored)
    digest = game_digest(
        game.answers, game.guesses, game.rule.name, game.mode, game.cap, None, None
    )
    assert header["digest"] == stored.digest == digest


def test_a_plan_of_a_certified_total_is_optimal() -> None:
    game = Game.named("original")
    verdict = verify(solve(game, opener="salet").plan, game)
    assert verdict.certificate is not None
    assert verdict.certificate.file == "original-normal.cert"
    assert verdict.certificate.lower == verdict.total == 7920


def test_other_totals_and_games_have_no_certificate() -> None:
    game = Game.named("original")
    assert stored_certificate(game, 7920) is not None
    assert stored_certificate(game, 7921) is None
    assert stored_certificate(Game.named("original", cap=7), 7920) is None
    assert stored_certificate(Game.named("nyt-2022-03"), 7920) is None
    assert verify(solve(game, opener="crane").plan, game).certificate is None
