"""Certificates that are stored with salet's sources: which totals they prove optimal.

The files are in the folder `certificates` of the sources (they are too large for the package);
`benchmarks/certificates.py` makes them, checks them and writes the index that is read here.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from salet.verification.certificate_format import game_digest

INDEX = Path(__file__).parent / "stored_certificates.toml"


class StoredCertificate(msgspec.Struct, frozen=True):
    """A certificate that was checked together with a plan of the same total."""

    file: str
    """its name in the folder `certificates`"""
    sha256: str
    """of the file"""
    game: str
    mode: str
    cap: int | None
    digest: str
    """of the game: words in order, rule, mode, cap"""
    lower: int
    """no plan has a lower total"""


@cache
def stored_certificates() -> tuple[StoredCertificate, ...]:
    """All of them."""
    read = tomllib.loads(INDEX.read_text("utf-8"))["certificate"]
    return tuple(msgspec.convert({"cap": None, **row}, StoredCertificate) for row in read)


def stored_certificate(game: Any, total: int) -> StoredCertificate | None:
    """The certificate that proves this total optimal in exactly this game; None without one."""
    candidates = [
        stored
        for stored in stored_certificates()
        if (stored.mode, stored.cap, stored.lower) == (game.mode, game.cap, total)
    ]
    if not candidates or getattr(game, "weights", None) is not None:
        return None
    digest = game_digest(
        game.answers, game.guesses, game.rule.name, game.mode, game.cap, None, None
    )
    return next((stored for stored in candidates if stored.digest == digest), None)
