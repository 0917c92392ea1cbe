"""What the server allows. Limits are per process, and every one of them is said when it is met."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def _cores() -> int:
    return max(1, os.cpu_count() or 1)


@dataclass(frozen=True)
class Settings:
    """How much one server does for its clients, and who may ask."""

    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """names under which the page may be asked for; any other is refused, so that a foreign page
    cannot reach a server on this machine through a name that it controls"""
    token: str | None = None
    """the secret that every request must carry; None: who can connect may ask"""
    body_bytes: int = 64 * 1024
    """most bytes of a request"""
    body_seconds: float = 10.0
    """a request must have arrived whole by then"""
    workers: int = field(default_factory=_cores)
    """searches that run at once"""
    waiting: int = 200
    """searches that may wait for a worker; beyond, the answer is 503"""
    per_client: int = 100
    """searches of one address that may run or wait; beyond, the answer is 429"""
    seconds: float = 10.0
    """most seconds of one search"""
    pairs: int = 200_000_000
    """most pairs of guess and answer of a game: what its table takes in memory"""
    kept_pairs: int = 500_000_000
    """most pairs of all games that are kept ready"""
    kept_games: int = 8
    """most games that are kept ready"""
    prepared: tuple[str, ...] = ()
    """games that are opened, with their compiled searches, before anybody asks"""
    connections: int = 512
    """connections at once; beyond, they are turned away"""
