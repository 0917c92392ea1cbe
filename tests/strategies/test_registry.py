"""Players by name, from files and from plug-ins; every registered one plays correctly."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint

import pytest

from players import SURE
from salet import Game, Strategy, simulate, strategy_named
from salet.errors import InputError, UnknownNameError
from salet.strategies import registry
from salet.strategies.greedy import Greedy, RandomCandidate
from salet.strategies.registry import STRATEGIES, strategy_names
from states import PAIRS

pytestmark = pytest.mark.usefixtures("own_cache")

REQUIRED = {"random", "entropy", "expected-size", "parts", "minimax", "entropic", "statistical"}


def test_built_in_players_come_first():
    assert set(STRATEGIES) >= REQUIRED
    assert strategy_names()[: len(STRATEGIES)] == list(STRATEGIES)


def test_every_built_in_player_can_be_made():
    for name, entry in STRATEGIES.items():
        assert issubclass(entry.load().func, Strategy)
        assert strategy_named(name).name == name


def test_listing_names_imports_no_player_and_no_compiler():
    program = (
        "import sys\n"
        "from salet.strategies.registry import STRATEGIES, strategy_names\n"
        "assert strategy_names()[:2] == ['random', 'entropy']\n"
        "heavy = {'numba', 'numpy', 'torch', 'salet.game', 'salet.search', 'salet.learn'}\n"
        "heavy |= {f'salet.strategies.{entry.module}' for entry in STRATEGIES.values()}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# ---------------------------------------------------------------------------- every player


@pytest.mark.tiny
@pytest.mark.parametrize("name", SURE)
@pytest.mark.parametrize(("rule", "mode"), PAIRS)
@pytest.mark.parametrize("ties", ["candidate", "first", "first-candidate"])
def test_every_player_wins_every_game_legally(name, rule, mode, ties):
    """Without a cap. `simulate` refuses an illegal guess with an error."""
    game = WORDS if rule != "pegs" else CODES
    result = simulate(game.replace(rule=rule, mode=mode), name, ties=ties)
    assert result.losses == 0
    assert sum(result.histogram.values()) == result.answers == game.answer_count
    assert result.total == sum(size * count for size, count in result.histogram.items())


WORDS = Game(
    ["eight", "fight", "light", "might", "night", "error", "elder", "geese", "crane", "trace"],
    [
        "eight",
        "fight",
        "light",
        "might",
        "night",
        "error",
        "elder",
        "geese",
        "crane",
        "trace",
        "lemon",
        "credo",
        "mamma",
    ],
)
CODES = Game(["11", "12", "13", "21", "22", "23", "31", "32", "33"], rule="pegs")


@pytest.mark.tiny
@pytest.mark.parametrize("name", SURE)
def test_every_player_plays_the_smallest_games(name):
    one = simulate(Game(["ab"], ["ab", "cd"]), name)
    assert (one.total, one.histogram) == (1, {1: 1})
    two = simulate(Game(["ab", "ba"], ["ab", "ba", "cd"]), name)
    assert (two.total, two.histogram) == (3, {1: 1, 2: 1})


@pytest.mark.tiny
@pytest.mark.parametrize("name", SURE)
def test_every_player_is_deterministic(name):
    state = WORDS.start()
    assert strategy_named(name).choose(state) == strategy_named(name).choose(state)


# ---------------------------------------------------------------------------- names and options


def test_names_and_settings():
    player = strategy_named("entropy", ties="first", seed=3)
    assert isinstance(player, Greedy)
    assert (player.name, player.ties, player.heuristic.name) == ("entropy", "first", "entropy")
    chance = strategy_named("random", ties="first", seed=3)
    assert isinstance(chance, RandomCandidate)
    assert (chance.seed, chance.ties) == (3, None)


def test_options():
    player = strategy_named("expected-size:temperature=0.25", seed=9)
    assert (player.temperature, player.seed) == (0.25, 9)
    assert player.name == "expected-size:temperature=0.25"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("entropie", "unknown strategy 'entropie'; did you mean"),
        ("qqq", "or your own as FILE.py:NAME"),
        ("", "unknown strategy ''"),
        ("entropy:heat=1", "'heat'"),
        ("entropy:temperature=hot", "temperature='hot' is not a number"),
        ("entropy:temperature=", "temperature='' is not a number"),
        ("mcts:iterations=1.5", "iterations='1.5' is not a whole number"),
        ("entropy:temperature=-1", "temperature -1.0"),
        ("random:temperature=1", "known: none"),
        ("plan:", "name the plan, as in 'plan:FILE'"),
        ("plan:orignal-hard", "unknown plan 'orignal-hard'; did you mean 'original-hard'"),
        ("mine.py", "FILE.py:NAME"),
        ("no/such/mine.py:Player", "no file 'no/such/mine.py'"),
    ],
)
def test_bad_names(spec, says):
    with pytest.raises(InputError) as caught:
        strategy_named(spec)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_ties():
    with pytest.raises(UnknownNameError, match="unknown tie rule 'last'"):
        strategy_named("entropy", ties="last")


# ---------------------------------------------------------------------------- one's own, in a file


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        textwrap.dedent(
            """
            from salet import Strategy

            class Last(Strategy):
                def choose(self, state):
                    return state.words[-1]

            class Duck:
                def choose(self, state):
                    return state.words[-1]

            class Tuned(Strategy):
                def __init__(self, ties="candidate", seed=0):
                    self.ties, self.seed = ties, seed
                def choose(self, state):
                    return int(state.candidates[-1])

            def function(state):
                return state.words[-1]

            instance = Last()
            number = 7
            """
        )
    )
    return path


@pytest.mark.parametrize("name", ["Last", "Duck", "Tuned", "function", "instance"])
def test_players_from_a_file(mine, name):
    player = strategy_named(f"{mine}:{name}")
    assert isinstance(player, Strategy)
    assert player.name == f"{mine}:{name}"
    assert WORDS.index(player.choose(WORDS.start())) == 9
    result = simulate(WORDS, f"{mine}:{name}")
    assert (result.opener, result.losses, result.strategy) == ("trace", 0, f"{mine}:{name}")


def test_players_from_a_file_are_given_ties_and_seed(mine):
    player = strategy_named(f"{mine}:Tuned", ties="first", seed=4)
    assert (player.ties, player.seed) == ("first", 4)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("last", "did you mean 'Last'"),
        ("", "unknown name in"),
        ("number", "'number' is neither a Strategy nor a function"),
    ],
)
def test_bad_players_from_a_file(mine, name, says):
    with pytest.raises(InputError) as caught:
        strategy_named(f"{mine}:{name}")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def choose(:", "SyntaxError"),
        ("raise RuntimeError('at home')", "fails with RuntimeError: at home"),
        ("import no_such_module", "ModuleNotFoundError"),
        ("x = '\0'", "fails with"),
    ],
)
def test_files_that_fail(tmp_path, source, says):
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(InputError) as caught:
        strategy_named(f"{path}:Player")
    assert says in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "class Player: pass",  # no choose
        "from salet import Strategy\nclass Player(Strategy): pass",  # no choose either
        "class Player:\n    def __init__(self, size): pass\n    def choose(self, state): return 0",
        "Player = int",
    ],
)
def test_objects_that_are_not_players(tmp_path, source):
    """One clear line, no traceback."""
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(InputError):
        strategy_named(f"{path}:Player")


def test_a_file_may_define_a_dataclass(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from salet import Strategy\n"
        "@dataclass\n"
        "class Player(Strategy):\n"
        "    size: int = 3\n"
        "    def choose(self, state): return state.words[-1]\n"
    )
    assert simulate(WORDS, f"{path}:Player").losses == 0


# ---------------------------------------------------------------------------- plug-ins


@pytest.fixture
def plugged(monkeypatch):
    """Another package registers players."""
    points = [
        EntryPoint("zeta", f"{Greedy.__module__}:Greedy", registry.GROUP),
        EntryPoint("alpha", f"{RandomCandidate.__module__}:RandomCandidate", registry.GROUP),
        EntryPoint("entropy", "no.such:Thing", registry.GROUP),  # a name of ours: ours goes first
    ]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: points if group == "salet.strategies" else []
    )


@pytest.mark.usefixtures("plugged")
def test_plug_ins():
    assert strategy_names()[: len(STRATEGIES)] == list(STRATEGIES)
    assert strategy_names()[-3:] == ["alpha", "entropy", "zeta"]
    player = strategy_named("alpha", seed=6)
    assert isinstance(player, RandomCandidate)
    assert (player.name, player.seed) == ("alpha", 6)
    assert isinstance(strategy_named("entropy"), Greedy)
    with pytest.raises(UnknownNameError, match="did you mean 'alpha'"):
        strategy_named("alfa")


def test_no_plug_ins_by_default():
    assert registry.GROUP == "salet.strategies"
    assert "alpha" not in strategy_names()
