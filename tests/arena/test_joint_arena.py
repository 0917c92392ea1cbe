"""Several boards in the arena: both protocols, the example player, and what is refused."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from needs import needs
from salet import Game
from salet.arena.protocols import PROTOCOLS
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest
from salet.env.text.tasks import split_of
from salet.errors import InputError
from salet.game.joint_state import JointState, draw_tuples
from salet.strategies.joint_simulate import play_joint, play_sample
from salet.strategies.registry import strategy_named

NAME = "original:first=120,boards=3"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_served_strategy_plays_several_boards_as_in_simulation(protocol: str, tmp_path) -> None:
    """With a cap that some games reach: go-stop then ends with all green on every board."""
    game = Game.named(NAME, cap=5)
    player = shlex.join([sys.executable, "-m", "salet", "serve-player", "--strategy", "entropy",
                         "--protocol", protocol, "--game", NAME, "--cap", "5"])  # fmt: skip
    contest = make_contest(game, sample=25, seed=4)
    path = tmp_path / "games.txt"
    arena = run_arena(contest, [player], protocol=protocol, jobs=2, transcripts=path)
    (found,) = arena.result.players
    played = play_sample(game, strategy_named("entropy"), sample=25, seed=4)
    assert found.failures == {}
    assert found.losses == played.losses > 0
    assert found.histogram == played.histogram
    tuples = draw_tuples(game, 25, 4).tolist()
    secrets = ["/".join(game.answers[answer] for answer in row) for row in tuples]
    assert [outcome.secret for outcome in arena.outcomes[0]] == secrets
    assert secrets[0] in path.read_text()


@pytest.mark.parametrize("name", ["player.py", "player.js"])
def test_example_players_take_several_boards(name: str, top: Path, tmp_path: Path) -> None:
    words = Game.named("original").answers[::40]
    game = Game(words, name="sample", cap=None, boards=2)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(words) + "\n")

    def first(state: JointState) -> int:
        return int(state.open_boards[0].candidates[0])

    program, protocol = sys.executable, "go-stop"
    if name == "player.js":
        needs(shutil.which("node"), "node")
        program, protocol = "node", "jsonl"
    command = shlex.join([program, str(top / "examples" / name), str(path)])
    arena = run_arena(make_contest(game, sample=20, seed=2), [command], protocol=protocol)
    tuples = draw_tuples(game, 20, 2).tolist()
    expected = [play_joint(game, first, 0, answers) for answers in tuples]
    assert [outcome.guesses for outcome in arena.outcomes[0]] == [
        [game.guesses[guess] for guess in state.guesses] for state in expected
    ]
    assert all(outcome.won for outcome in arena.outcomes[0])


def test_what_is_refused(tmp_path: Path) -> None:
    game = Game.named(NAME)
    with pytest.raises(InputError, match="words of a file are for one board"):
        make_contest(game, tmp_path / "words.txt")
    with pytest.raises(InputError, match="unknown split 'tests'; did you mean 'test'"):
        make_contest(game, split="tests")
    with pytest.raises(InputError, match="a sample of 0: give at least 1 game"):
        make_contest(game, sample=0)
    repeated = make_contest(Game(["aa", "ab"], boards=2), sample=50)
    assert (len(repeated.tuples), len(repeated.secrets)) == (2, 50)


def test_tuples_of_a_split_have_only_its_answers() -> None:
    contest = make_contest(Game.named(NAME), sample=30, seed=3, split="test")
    words = {word for secret in contest.words for word in secret.split("/")}
    assert len(contest.words) == 30
    assert {split_of(word) for word in words} == {"test"}
