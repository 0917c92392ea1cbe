"""Plots are drawn in every format, and only where they can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet.cli.render.plots import check_plot, plot_histogram
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.strategies.simulate import simulate


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".PDF", b"%PDF")]
)
def test_histogram(tmp_path: Path, suffix: str, start: bytes) -> None:
    result = simulate(Game.named("mastermind:2x3", cap=2), "random")
    assert result.losses
    path = tmp_path / f"plot{suffix}"
    plot_histogram(result, path)
    assert path.read_bytes().startswith(start)


def test_what_cannot_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"'x.gif'.*\.svg, \.png, \.pdf"):
        check_plot(Path("x.gif"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match="plots"):
        check_plot(Path("x.svg"))
