"""Fixtures and settings for the whole suite."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from drawn import ANSWERS, OTHERS
from needs import needs

if TYPE_CHECKING:
    from salet import Game

hypothesis.settings.register_profile(
    "salet",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[
        hypothesis.HealthCheck.too_slow,
        hypothesis.HealthCheck.function_scoped_fixture,
    ],
)
hypothesis.settings.load_profile("salet")

# A shell lets its background jobs ignore Ctrl-C, and programs that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

TOP = Path(__file__).resolve().parents[1]

SPREAD = frozenset({"test_docs.py", "test_random_games.py", "test_toytext.py"})
"""Files whose tests go to any worker; those of other files stay together, with their fixtures."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first, so that no worker is left alone with one of them."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Says which tests must run in the same worker (`--dist loadfile`)."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return nodeid if Path(file).name in SPREAD else file

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory for what the test makes; compiled kernels stay where they are."""
    import salet.game.table  # noqa: F401  (importing any kernel settles where kernels live)

    directory = tmp_path / "cache"
    monkeypatch.setenv("SALET_CACHE_DIR", str(directory))
    return directory


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory for what a user keeps."""
    directory = tmp_path / "data"
    monkeypatch.setenv("SALET_DATA_DIR", str(directory))
    return directory


@pytest.fixture(scope="session")
def top() -> Path:
    """The top of the repository."""
    return TOP


@pytest.fixture(scope="session")
def shared() -> Path:
    """The founders' material beside the repository."""
    path = TOP.parent / "shared"
    needs(path.is_dir(), "../shared beside the repository")
    return path


@pytest.fixture(scope="session")
def tiny_game() -> Callable[..., Game]:
    """Makes a game of twenty answers and eleven other guesses, with the options that are given."""
    from salet import Game

    def make(**options: Any) -> Game:
        return Game(ANSWERS, [*ANSWERS, *OTHERS], name="tiny", **options)

    return make
