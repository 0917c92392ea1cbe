"""Other solvers, timed against salet."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet import Game, SaletError, solve
from salet.bench import peers
from salet.bench.peers import PEERS, check_peer, duel
from salet.bench.suites import GameSpec

PEER = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *crane*) echo "cannot" >&2; exit 1;; esac
echo "Best first guess score = 7920"
echo "Time taken = 2.50s"
"""


@pytest.fixture
def peer(tmp_path: Path) -> str:
    """The path of a program that answers like alex1770's and fails on crane."""
    path = tmp_path / "wordle"
    path.write_text(PEER.format(log=tmp_path / "log"))
    path.chmod(0o755)
    return str(path)


def test_both_sides_alternate(peer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    ask_peer = peers._ask_peer

    def traced_ask_peer(*arguments):
        order.append("peer")
        return ask_peer(*arguments)

    def fake_ask_salet(*_):
        order.append("ours")
        return 7920, 0.5

    monkeypatch.setattr(peers, "_ask_peer", traced_ask_peer)
    monkeypatch.setattr(peers, "_ask_salet", fake_ask_salet)
    game = Game.named("original", mode="hard")
    spec = GameSpec(mode="hard")
    found = duel(PEERS["alex1770"], peer, game, spec, turns=2, openers=["salet", "crane"])
    assert order == ["ours", "peer"] * 4
    assert found.ratio == pytest.approx(5.0)
    salet, crane = found.timings
    assert (salet.total, salet.peer_total, salet.ratio) == (7920, 7920, 5.0)
    assert (crane.peer_total, crane.ratio) == (None, None)
    assert found.error == "peer on crane: cannot"
    line = (tmp_path / "log").read_text().splitlines()[0].split()
    assert line[4:] == ["-H", "-g6", "-w", "salet"]
    assert line[0::2][:2] == ["-a", "-h"]


def test_totals_that_differ_are_an_error(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_ask_salet", lambda *_: (7921, 0.5))
    game = Game.named("original")
    found = duel(PEERS["alex1770"], peer, game, GameSpec(), turns=1, openers=["salet"])
    assert found.error == "on salet the totals differ: [7920, 7921]"


def test_our_side_is_salet_solve() -> None:
    spec = GameSpec(game="original:first=5")
    total, seconds = peers._ask_salet(spec, "aback", 600)
    assert total == solve(Game.named(spec.game), opener="aback").total
    assert seconds >= 0
    with pytest.raises(ValueError, match="unknown"):
        peers._ask_salet(spec, "zzzzz", 600)


def test_peers_that_cannot_be_asked(peer: str, tmp_path: Path) -> None:
    game = Game.named("original:first=5")
    with pytest.raises(SaletError, match="unknown peer 'alex'"):
        check_peer("alex", peer, game)
    with pytest.raises(SaletError, match="not an executable program"):
        check_peer("alex1770", str(tmp_path / "nothing"), game)
    with pytest.raises(SaletError, match="cannot play present"):
        check_peer("alex1770", peer, game.replace(rule="present"))
    with pytest.raises(SaletError, match="cannot play standard, strict"):
        check_peer("alex1770", peer, game.replace(mode="strict"))
    with pytest.raises(ValueError, match="Time taken"):
        PEERS["alex1770"].read("Segmentation fault")
