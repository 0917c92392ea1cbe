"""The wheel is the whole product: installed into an empty environment, outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a fresh environment that has the wheel and nothing else of ours."""
    where = tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(where), str(TOP)], check=True)
    (wheel,) = where.glob("salet-*.whl")
    venv.create(where / "env", with_pip=True)
    own_pip = [str(where / "env/bin/python"), "-m", "pip", "--quiet", "install"]
    subprocess.run([*own_pip, "--disable-pip-version-check", str(wheel)], check=True)
    return where


def run(where: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    home = {"HOME": str(where), "XDG_CACHE_HOME": str(where / "cache")}
    return subprocess.run(
        [str(where / "env/bin/salet"), *arguments],
        cwd=where,
        env={**kept, **home},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_every_pack_is_there(installed: Path) -> None:
    games = json.loads(run(installed, "games", "--json").stdout)["games"]
    sizes = {game["name"]: (game["answers"], game["guesses"]) for game in games}
    assert sizes["original"] == (2315, 12972)
    assert sizes["nyt-2023-07"] == (3158, 14855)
    assert "romanian" in sizes


@pytest.mark.slow
def test_it_plays_and_knows_no_checkout(installed: Path) -> None:
    ran = run(installed, "simulate", "--game", "original:first=100", "--json")
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert (result["answers"], result["losses"], result["commit"]) == (100, 0, None)


@pytest.mark.slow
def test_a_missing_extra_names_its_command(installed: Path) -> None:
    ran = run(installed, "simulate", "--game", "mastermind:2x3", "--plot", "x.png")
    assert ran.returncode == 2
    assert "pip install 'salet[plots]'" in ran.stderr


@pytest.mark.slow
def test_the_page_is_included_and_needs_no_extra(installed: Path, tmp_path: Path) -> None:
    (package,) = installed.glob("env/lib/python*/site-packages/salet")
    ours = TOP / "src/salet/site"
    for path in [*(ours / "static").rglob("*"), ours / "about.json"]:
        assert (package / "site" / path.relative_to(ours)).exists()
    ran = run(installed, "web", "--export", str(tmp_path / "site"))
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "site" / "engine" / "kernels.wasm").is_file()


@pytest.mark.slow
def test_what_is_proven_is_included(installed: Path) -> None:
    (package,) = installed.glob("env/lib/python*/site-packages/salet")
    for folder in ("plans", "opener_tables", "reply_books"):
        ours = {path.name for path in (TOP / "src/salet/search" / folder).iterdir()}
        assert ours == {path.name for path in (package / "search" / folder).iterdir()}


@pytest.mark.slow
def test_licences_are_included(installed: Path) -> None:
    (metadata,) = installed.glob("env/lib/python*/site-packages/salet-*.dist-info")
    names = {path.name for path in (metadata / "licenses").rglob("*") if path.is_file()}
    shipped = {path.name for path in (TOP / "licenses").iterdir()}
    assert names >= {"LICENSE", *shipped}
