"""Strategies and salet's game as programs, against each other and against foreign ones."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from needs import needs
from programs import WORDS
from salet import Game, SaletError, simulate, strategy_named
from salet.arena.connector import connect
from salet.arena.match import Limits
from salet.arena.protocols import PROTOCOLS, protocol_named
from salet.arena.run import run_arena
from salet.arena.serve import DecisionCache, Pipe, serve_player
from salet.arena.umpire import make_contest
from salet.strategies.base import Strategy
from salet.strategies.simulate import transcript

SALET = [sys.executable, "-m", "salet"]
FIRST = "original:first=120"


def ours(*arguments: str) -> str:
    return shlex.join([*SALET, *arguments])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_a_served_strategy_plays_as_in_simulation(protocol: str, mode: str, tmp_path) -> None:
    game = Game.named(FIRST, mode=mode)
    player = ours("serve-player", "--strategy", "entropy", "--protocol", protocol,
                  *("--game", FIRST, "--mode", mode))  # fmt: skip
    path = tmp_path / "games.txt"
    arena = run_arena(make_contest(game), [player], protocol=protocol, jobs=2, transcripts=path)
    played = simulate(game, "entropy")
    assert path.read_text() == "".join(f"{line}\n" for line in transcript(game, played))
    assert arena.result.players[0].total == played.total
    assert arena.result.players[0].histogram == played.histogram


def talk(data: bytes, protocol: str, game: Game | None, strategy: Strategy) -> bytes:
    """Return what a served player writes in reply to all of the data."""
    source, game_end = os.pipe()
    replies, sink = os.pipe()
    with os.fdopen(source), os.fdopen(replies, "rb") as said, os.fdopen(sink, "wb") as end:
        with os.fdopen(game_end, "wb") as file:
            file.write(data)
        spoken = protocol_named(protocol)
        serve_player(Pipe(spoken, source, sink), spoken, game, strategy)
        end.close()
        return said.read()


def test_decisions_are_cached() -> None:
    asked = []

    class Counting(Strategy):
        def choose(self, state):
            asked.append(state.history)
            return state.words[0]

    game = Game(WORDS)
    once = b"Go\nGWWGG\nGGWGG\nGGGGG\n"
    said = talk(once * 3 + b"Stop\nGo\n", "go-stop", game, Counting())
    assert said == b"apple\nangle\nankle\n" * 3
    assert len(asked) == len(set(asked)) == 3


def test_a_secret_that_is_no_answer() -> None:
    """The first legal guess that fits is played; if none fits, that is an error."""
    game = Game(["apple", "ample"], ["apple", "ample", "angle", "ankle"])
    first = strategy_named("entropy")
    said = talk(b"Go\nGWWGG\nGGWGG\nGGGGG\nStop\n", "go-stop", game, first)
    assert said == b"apple\nangle\nankle\n"
    with pytest.raises(SaletError, match="no word of custom fits apple:BBBBB"):
        talk(b"Go\nWWWWW\n", "go-stop", game, first)


@pytest.mark.parametrize(
    ("feedback", "message"),
    [
        (b"Go\nQQQQQ\n", "'Q' is not a tile|'q' is not a tile"),
        (b"Go\nGG\n", "2 tiles"),
        (b"Go\n\xff\xff\n", "UTF-8"),
    ],
)
def test_malformed_feedback(feedback: bytes, message: str) -> None:
    with pytest.raises(SaletError, match=message):
        talk(feedback, "go-stop", Game(WORDS), strategy_named("entropy"))


def test_malformed_jsonl_messages() -> None:
    player = strategy_named("entropy")
    with pytest.raises(SaletError, match="came before the game"):
        talk(b'{"type":"start"}\n', "jsonl", None, player)
    with pytest.raises(SaletError, match="has no 'answers'"):
        talk(b'{"type":"game"}\n', "jsonl", None, player)
    with pytest.raises(SaletError, match="feedback must have a pattern"):
        talk(b'{"type":"start"}\n{"type":"feedback"}\n', "jsonl", Game(WORDS), player)


def test_the_win_needs_no_decision() -> None:
    decisions = DecisionCache(Game(WORDS), strategy_named("entropy"), protocol_named("go-stop"))
    assert decisions.next(decisions.first(), "GGGGG") is None


@pytest.fixture
def foreign(tmp_path: Path, top: Path):
    """Build a C++ program in the working directory of the test."""
    import shutil

    needs(shutil.which("g++"), "g++")

    def build(source: str) -> list[str]:
        target = tmp_path / Path(source).stem
        subprocess.run(["g++", "-O1", "-o", str(target), str(top / source)], check=True)
        return [str(target)]

    return build


def test_a_foreign_game_against_our_player(foreign, tmp_path: Path, monkeypatch) -> None:
    """The game of 2022 gives the same transcript as salet's game."""
    words = [word.upper() for word in Game.named("original").answers[::40]]
    (tmp_path / "cuvinte_wordle.txt").write_text("\n".join(words) + "\n")
    monkeypatch.chdir(tmp_path)
    game_program = foreign("tests/arena/game_2022.cpp")
    files = ["--answers", "cuvinte_wordle.txt", "--guesses", "cuvinte_wordle.txt"]
    player = shlex.split(ours("serve-player", "--rule", "present", *files))
    result = connect(game_program, player, len(words), jobs=3, limits=Limits(600, 600))
    played = simulate(Game(words, rule="present"), "entropy")
    expected = list(transcript(Game(words, rule="present"), played))
    assert Path("desfasurareFin.txt").read_text().splitlines() == expected[:-1]
    assert result.total == played.total
    assert list(tmp_path.glob("desfasurare[0-9]*")) == []
    both = connect([*SALET, "serve-game", "--rule", "present", *files], player, len(words),
                   jobs=2, limits=Limits(600, 600))  # fmt: skip
    assert both.mean == result.mean


def test_a_foreign_player_against_our_game(foreign, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = Game.named("original").answers[::60]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n")
    player = [*foreign("examples/player.cpp"), "words.txt"]
    game = [*SALET, "serve-game", "--answers", "words.txt", "--guesses", "words.txt"]
    result = connect(game, player, len(words), jobs=2, limits=Limits(600, 600))
    first = simulate(Game(words), _First())
    assert result.total == first.total
    assert result.answers == len(words)


def test_the_player_of_2022_against_our_game(foreign, tmp_path: Path, monkeypatch) -> None:
    """The player of 2022 and ours give the same transcript."""
    words = sorted({"TAREI", *(word.upper() for word in Game.named("romanian").answers[::150])})
    (tmp_path / "cuvinte_wordle.txt").write_text("\n".join(words) + "\n")
    monkeypatch.chdir(tmp_path)
    options = ["--answers", "cuvinte_wordle.txt", "--guesses", "cuvinte_wordle.txt"]
    game = [*SALET, "serve-game", *options, "--rule", "present"]
    player = foreign("tests/arena/player_2022.cpp")
    connect(game, player, len(words), jobs=2, limits=Limits(600, 600))
    played = simulate(Game(words, rule="present"), "entropy", opener="TAREI",
                      ties="first-candidate")  # fmt: skip
    expected = list(transcript(Game(words, rule="present"), played))
    assert Path("desfasurareFin.txt").read_text().splitlines() == expected[:-1]


class _First(Strategy):
    def choose(self, state):
        return state.words[0]
