"""Play every answer of a game by growing one decision tree, or one game against the adversary.

A deterministic player makes the same guess in the same state, so the games of all answers share one
tree: the root holds every answer, and each guess splits a state into its groups. The player is
asked once for each state, however many answers pass through it. Games with several boards are
sampled: see `joint_simulate`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import numpy as np

from salet.array_types import Bools
from salet.errors import InputError
from salet.game.game import Game
from salet.game.hosts import adversary_pattern
from salet.game.state import State
from salet.strategies.base import Strategy
from salet.strategies.registry import strategy_named
from salet.version import commit, version

Progress = Callable[[int, int], None]
"""called with (answers decided, number of answers)"""

_NOT_IN_JSON = ("games", "charges", "secrets")


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """The result of playing every answer, with all games.

    The fields before `games` are those of `salet simulate --json`.
    """

    game: str
    mode: str
    cap: int | None
    strategy: str
    ties: str | None
    opener: str
    answers: int
    total: int
    """guesses over all answers; a loss counts cap + 1 (uncapped: the guesses until it repeated)"""
    mean: float
    worst: int
    """number of guesses of the longest won game"""
    losses: int
    histogram: dict[int, int]
    """won games by number of guesses"""
    seconds: float
    version: str
    commit: str | None
    games: list[tuple[int, ...]]
    """games[answer]: indices of the guesses"""
    charges: list[int]
    """charges[answer]: the game's contribution to the total"""
    secrets: list[tuple[int, ...]]
    """secrets[game]: the answers of its boards"""

    def __repr__(self) -> str:
        shown = (name for name in self.__struct_fields__ if name not in _NOT_IN_JSON)
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__name__}({fields})"

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        names = [name for name in self.__struct_fields__ if name not in _NOT_IN_JSON]
        fields: dict[str, Any] = msgspec.to_builtins(
            {name: getattr(self, name) for name in names}, str_keys=True
        )
        return fields

    def _repr_html_(self) -> str:
        from html import escape

        top = max(self.histogram.values(), default=1)
        bars = "".join(
            f"<tr><td>{guesses}</td><td><div style='background:#6aaa64;color:#fff;text-align:right;"
            f"padding:0 .4em;width:{2 + 18 * count / top:.1f}em'>{count}</div></td></tr>"
            for guesses, count in self.histogram.items()
        )
        lost = f", {self.losses} lost" if self.losses else ""
        return (
            f"<p><b>{escape(self.strategy)}</b> on {escape(self.game)}: mean {self.mean:.4f} "
            f"({self.total} guesses for {self.answers} answers), worst {self.worst}{lost}</p>"
            f"<table>{bars}</table>"
        )


def simulate(
    game: Game,
    strategy: Strategy | str,
    *,
    opener: str | None = None,
    ties: str = "candidate",
    seed: int = 0,
    jobs: int = 1,
    sample: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play every answer of the game; a strategy may be given by name.

    Of games with several boards `sample` tuples of answers are played, drawn with `seed`.

    >>> simulate(Game.named("mastermind:2x3"), "entropy").total
    21
    """
    player = (
        strategy_named(strategy, ties=ties, seed=seed) if isinstance(strategy, str) else strategy
    )
    if jobs < 1:
        raise InputError(f"{jobs} jobs: give at least 1")
    first = None if opener is None else game.index(opener)
    if sample is not None and game.boards == 1:
        raise InputError(
            f"a sample of {sample} is for several boards; for some answers of one board play "
            "original:sample=200"
        )
    game.table  # compiled before the clock starts  # noqa: B018
    player.prepare(game)
    if game.boards > 1:
        from salet.strategies.joint_simulate import play_sample

        return play_sample(
            game, player, opener=first, sample=sample, seed=seed, jobs=jobs, progress=progress
        )
    start = time.perf_counter()
    if game.host == "adversary":
        line, is_won = _against_adversary(game, player, first)
        return summarise(
            game, player, [(line[-1],)], [line], np.array([is_won]), time.perf_counter() - start
        )
    games: list[tuple[int, ...]] = [()] * game.answer_count
    won = np.zeros(game.answer_count, bool)
    decided = 0
    for state, guess in _grow(game, player, first, jobs):
        for answer, line, is_win in _endings(state, guess):
            games[answer] = line
            won[answer] = is_win
            decided += 1
        if progress is not None:
            progress(decided, game.answer_count)
    secrets = [(answer,) for answer in range(game.answer_count)]
    return summarise(game, player, secrets, games, won, time.perf_counter() - start)


def summarise(
    game: Game,
    player: Strategy,
    secrets: Sequence[tuple[int, ...]],
    games: list[tuple[int, ...]],
    won: Bools,
    seconds: float,
) -> Simulation:
    """The result of these games, played in `seconds`."""
    lost = None if game.cap is None else game.cap + 1
    charges = [
        len(line) if is_won or lost is None else lost
        for line, is_won in zip(games, won, strict=True)
    ]
    lengths = np.array([len(line) for line in games])
    counts = np.bincount(lengths[won])
    return Simulation(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        strategy=player.name or type(player).__name__,
        ties=player.ties,
        opener=game.guesses[games[0][0]],
        answers=len(games),
        total=sum(charges),
        mean=sum(charges) / len(games),
        worst=len(counts) - 1 if len(counts) else 0,
        losses=int((~won).sum()),
        histogram={size: int(count) for size, count in enumerate(counts) if count},
        seconds=round(seconds, 3),
        version=version(),
        commit=commit(),
        games=games,
        charges=charges,
        secrets=list(secrets),
    )


def _against_adversary(
    game: Game, player: Strategy, opener: int | None
) -> tuple[tuple[int, ...], bool]:
    """The guesses of the one game against the adversary, and whether it is won."""
    state = game.start()
    while True:
        is_first = opener is not None and state.turn == 0
        guess = state.check(opener if is_first else player.choose(state))  # type: ignore[arg-type]
        is_last = _is_last(state, guess)
        state = state.after(guess, adversary_pattern(state, guess))
        if state.won or is_last:
            return tuple(made for made, _ in state.history), state.won


def _grow(
    game: Game, player: Strategy, opener: int | None, jobs: int
) -> Iterator[tuple[State, int]]:
    """Yield every state that play reaches with the guess made there, level by level."""

    def choose(state: State) -> int:
        return state.check(player.choose(state))

    def choose_all(states: list[State]) -> Iterator[int]:
        if opener is not None and states[0].turn == 0:
            return iter([opener])
        if jobs > 1:
            return pool.map(choose, states)
        return map(State.check, states, player.choose_many(states))

    level = [game.start()]
    with ThreadPoolExecutor(jobs) as pool:
        while level:
            below: list[State] = []
            for state, guess in zip(level, choose_all(level), strict=True):
                yield state, guess
                if not _is_last(state, guess):
                    groups = state.groups(guess)
                    groups.pop(game.win, None)
                    below += groups.values()
            level = below


def _is_last(state: State, guess: int) -> bool:
    """Whether this guess ends all games of the state, won or lost.

    Without a cap, a repeated guess does: the player would repeat itself forever.
    """
    left = state.guesses_left
    return left == 1 if left is not None else any(guess == made for made, _ in state.history)


def _endings(state: State, guess: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Yield the games that end with this guess: (answer, guesses, won)."""
    line = (*(earlier for earlier, _ in state.history), guess)
    is_last = _is_last(state, guess)
    wins = state.game.table[guess, state.candidates] == state.game.win
    for answer, is_win in zip(state.candidates, wins, strict=True):
        if is_win:
            yield int(answer), line, True
        elif is_last:
            yield int(answer), line, False


def transcript(game: Game, played: Simulation) -> Iterator[str]:
    """Yield the lines of a transcript: `SECRET, G1 G2 … Gk ` for each game, then the total.

    The secrets of several boards are joined by `/`; that of the adversary is its last answer.
    """
    words = game.guesses
    for secrets, line in zip(played.secrets, played.games, strict=True):
        shown = "/".join(words[secret] for secret in secrets)
        yield f"{shown}, " + "".join(f"{words[guess]} " for guess in line)
    yield str(sum(map(len, played.games)))
