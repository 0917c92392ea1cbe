"""What `import salet` promises."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys

import pytest

import salet

HEAVY = ("numba", "numpy", "torch", "gymnasium", "click", "rich", "msgspec", "platformdirs")


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", salet.__all__)
def test_every_public_name_resolves(name):
    assert getattr(salet, name) is not None
    assert name in dir(salet)


def test_all_is_sorted_and_unique():
    assert list(salet.__all__) == sorted(set(salet.__all__))
    assert {"Game", "State", "Strategy", "score", "simulate"} <= set(salet.__all__)


def test_star_import():
    names: dict[str, object] = {}
    exec("from salet import *", names)
    assert set(salet.__all__) <= set(names)


def test_the_version_is_a_text():
    assert salet.__version__[0].isdigit()


def test_unknown_names_raise():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        salet.nothing  # noqa: B018


def test_results_are_short_at_a_prompt():
    """No table, tree or list of games; the rules, the rows and the figures."""
    game = salet.Game.named("original")
    state = game.state("crane:bybbg slate:bbbyg")
    assert repr(state) == "State(original, crane:BYBBG, slate:BBBYG, 2 answers)"
    assert repr(salet.Coach(game)) == f"Coach({game!r}, weights equal)"
    small = salet.Game.named("mastermind:2x3")
    solution = salet.solve(small)
    assert repr(solution.plan) == "Plan(mastermind:2x3, normal, opener 12)"
    shown = repr(salet.simulate(small, "entropy"))
    assert "total=21" in shown and "games=" not in shown
    for value in (salet.Coach(game).position("crane:bybbg"), solution, shown):
        assert len(str(value)) < 700


def test_a_game_may_be_given_as_text_or_as_words():
    coach = salet.Coach(salet.Game(["apple", "angle", "ankle"], cap=6))
    assert coach.analyse("apple angle").to_dict() == coach.analyse(["apple", "angle"]).to_dict()
    *_, advice = coach.suggest([("apple", "gbbgg")])
    assert advice.guess in ("angle", "ankle")
    boards = salet.Coach(salet.Game(["apple", "angle", "ankle"], boards=2))
    assert boards.analyse_joint("angle apple", "apple/angle").won


def test_import_is_light():
    loaded = run("import sys, salet; print(*sorted({name.split('.')[0] for name in sys.modules}))")
    assert "salet" in loaded.split()
    assert not set(loaded.split()) & set(HEAVY)


@pytest.mark.parametrize("name", salet.__all__)
def test_a_name_means_the_same_whatever_was_imported_before(name):
    """Importing a submodule binds it in the package; that must not hide a public name."""
    program = (
        "import importlib, pkgutil, salet\n"
        "for module in pkgutil.iter_modules(salet.__path__):\n"
        "    if not module.name.startswith('_'):\n"
        "        importlib.import_module(f'salet.{module.name}')\n"
        f"print(type(salet.{name}).__name__)\n"
    )
    assert run(program) != "module"


def test_no_public_name_is_that_of_a_package():
    packages = {module.name for module in pkgutil.iter_modules(salet.__path__) if module.ispkg}
    assert {"game", "search", "strategies", "cli"} <= packages
    assert not packages & set(salet.__all__)


def test_public_names_are_explained():
    for name in salet.__all__:
        value = getattr(salet, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


def test_optional_packages_are_not_needed():
    """The core works where no extra is installed."""
    program = (
        "import sys\n"
        "for name in ('torch', 'gymnasium', 'segno', 'distributed', 'matplotlib', 'wordfreq'):\n"
        "    sys.modules[name] = None\n"
        "import salet\n"
        "print(salet.simulate(salet.Game.named('mastermind:2x3'), 'entropy').answers)\n"
    )
    assert run(program) == "9"
