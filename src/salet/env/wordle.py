"""The game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Bools
from salet.env.game_arrays import GameArrays, Histories, make_guess
from salet.env.observations import Features, Observer, observer_named
from salet.env.rewards import Reward, forfeit_reward, guess_reward, reward_named
from salet.errors import InputError, MissingExtraError, UnknownNameError
from salet.game.game import Game
from salet.game.notation import tiles
from salet.game.state import State

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError:
    raise MissingExtraError("a Gymnasium environment", "learn") from None

_SQUARES = "⬛🟨🟩"
_COLOURS = np.array([(120, 124, 126), (201, 180, 88), (106, 170, 100)], np.uint8)
_TILE, _GAP = 30, 2
"""pixels of a tile, and between two of them"""

Pixels = NDArray[np.uint8]
_DEFAULT = "default"


class WordleEnv(gymnasium.Env[Features, np.int64]):
    """
    ## Description
    The agent guesses a secret word, one of the game's answers. A guess is any listed word that the
    mode allows; the game answers it with a pattern of tiles.

    ## Action Space
    `Discrete(n)`: the index of the guess in `game.guesses`. In normal mode every guess is legal. In
    hard and strict mode `info["action_mask"]` tells which are, and an illegal guess loses the game
    at once, at the cost of all guesses that it leaves unmade.

    ## Observation Space
    `Box`, float32: the feature sets that `observation` names, see `salet.env.observations`.
    `classic-313` and `counts-313` are features of the hints, `candidates` are statistics of the
    answers still possible, and `history` is every tile so far. Names can be joined:
    `counts-313+candidates`.

    ## Rewards
    The scheme that `reward` names, see `salet.env.rewards`: `guesses` (-1 a guess, -2 for a wrong
    last one), `careful`, `founding`, `million`, or a `Reward`. An illegal guess costs as much as
    the guesses left plus a loss: with `guesses` the episode totals -(cap + 1), like any lost game.

    ## Starting State
    No guess has been made. The secret is drawn at random, by the game's weights if it has any;
    `reset(options={"answer": "crane"})` sets it.

    ## Episode End
    Terminated by the right guess, by the last guess that the cap allows, or by an illegal guess. A
    game without a cap is truncated after 32 guesses.

    ## Information
    `action_mask`: which guesses are legal (a copy; in normal mode `env.unwrapped.action_mask()` is
    one read-only array for all steps). `action_masks()` is the same as truth values, under the name
    that masking agents look for. `pattern`: the feedback to the last guess, as text.
    `answer`: the secret, once the game is over.

    ## Arguments
    `game`: a name from `salet games` or a `Game`. `mode`: normal, hard or strict. `cap`: maximum
    number of guesses, or None. `observation`, `reward`: as above. `render_mode`: "ansi" (text) or
    "rgb_array" (a picture of the tiles).

    ## Version History
    v0: initial version.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: Game | str = "original",
        mode: str | None = None,
        cap: int | str | None = _DEFAULT,
        observation: str = "classic-313",
        reward: str | Reward = "guesses",
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.game = open_game(game, mode, cap)
        self.arrays = GameArrays.of(self.game)
        self.observer = observer_named(observation, self.arrays)
        self.reward = reward_named(reward)
        self.action_space = spaces.Discrete(len(self.game.guesses))
        self.observation_space = observation_space(self.observer)
        self._all_legal = np.ones(len(self.game.guesses), np.int8)
        self._all_legal.setflags(write=False)
        self._start(0)
        self._started = False

    def _start(self, answer: int) -> None:
        self._answer = answer
        self._histories = Histories.empty(1, self.arrays.horizon)
        self.state: State = self.game.start()
        self._started, self._over = True, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Start a game; `options={"answer": WORD}` sets the secret."""
        super().reset(seed=seed)
        given = reset_option(options, "answer")
        if given is None:
            self._start(int(draw_answers(self.game, 1, self.np_random)[0]))
        else:
            self._start(answer_index(self.game, given))
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Make the guess with index `action`."""
        if not self._started:
            raise InputError("no game has started; call reset() first")
        if self._over:
            raise InputError("the game is over; call reset() to start another")
        if isinstance(action, str):
            raise InputError(f"action {action!r} is a word; give its index, game.index({action!r})")
        index: Any = action  # checked by the game
        guess, turn = self.game.index(index), self.state.turn
        if self.game.mode != "normal" and guess not in self.state.legal:
            self._over = True
            cost = float(forfeit_reward(self.arrays, self.reward, turn))
            return self._observation(), cost, True, False, self._info()
        pattern = int(make_guess(self.arrays, self._histories, 0, guess, self._answer))
        self.state = self.state.after(guess, pattern)
        reward = float(guess_reward(self.arrays, self.reward, self._histories, 0, turn))
        won, is_last = self.state.won, turn + 1 == self.arrays.horizon
        self._over = won or is_last
        terminated = won or (is_last and self.game.cap is not None)
        truncated = self._over and not terminated
        return self._observation(), reward, terminated, truncated, self._info()

    def _observation(self) -> Features:
        observation: Features = self.observer.observe(self._histories)[0]
        return observation

    def _info(self) -> dict[str, Any]:
        # Gymnasium's checker requires that infos share no memory, not even read-only arrays
        info: dict[str, Any] = {"action_mask": self.action_mask(copy=True)}
        if self.state.turn:
            info["pattern"] = self.state.turns[-1][1]
        if self._over:
            info["answer"] = self.game.guesses[self._answer]
        return info

    def action_mask(self, *, copy: bool = False) -> NDArray[np.int8]:
        """1 for every guess that is legal now; in normal mode always the same read-only array,
        unless a writable `copy` is asked for."""
        if self.game.mode == "normal":
            return self._all_legal.copy() if copy else self._all_legal
        mask = np.zeros(len(self.game.guesses), np.int8)
        mask[self.state.legal] = 1
        return mask

    def action_masks(self, *, copy: bool = False) -> Bools:
        """The action mask as truth values: what MaskablePPO asks for."""
        return self.action_mask(copy=copy).view(bool)

    def render(self) -> str | Pixels | None:
        """The game so far, one line or row of tiles for each guess."""
        if self.render_mode is None:
            return None
        return rendered(self.render_mode, self.state, self.arrays.horizon)


def open_game(game: Game | str, mode: str | None, cap: int | str | None) -> Game:
    """The game of that name, or the given one, with the mode and cap if they are given."""
    if isinstance(game, str):
        return Game.named(game, mode=mode or "normal", cap=cap)
    if not isinstance(game, Game):
        raise InputError(f"{game!r} is not a game; give a name from `salet games` or a Game")
    changes: dict[str, Any] = {} if mode is None else {"mode": mode}
    if cap != _DEFAULT:
        changes["cap"] = cap
    return game.replace(**changes) if changes else game


def check_render_mode(mode: str | None, known: Collection[str]) -> str | None:
    """The render mode, if the environment supports it."""
    if mode is not None and mode not in known:
        raise InputError(f"unknown render mode {mode!r}; known: {', '.join(map(repr, known))}")
    return mode


def observation_space(observer: Observer) -> Any:
    """The space of an observer's observations."""
    return spaces.Box(0.0, float(observer.high), (observer.width,), np.float32)


def reset_option(options: dict[str, Any] | None, name: str) -> Any:
    """The value of the only option that `reset` accepts, or None if it is not given."""
    for given in options or ():
        if given != name:
            raise UnknownNameError("option of reset", str(given), [name])
    return (options or {}).get(name)


def answer_index(game: Game, word: object) -> int:
    """The index of a secret that was given as a word."""
    if not isinstance(word, str):
        raise InputError(f"answer {word!r} is not a word; give one such as {game.answers[0]!r}")
    return game.answer_index(word)


def draw_answers(game: Game, count: int, generator: np.random.Generator) -> NDArray[np.int32]:
    """Random secrets, by the game's weights if it has any."""
    if game.weights is None:
        drawn = generator.integers(game.answer_count, size=count)
    else:
        drawn = generator.choice(game.answer_count, count, p=game.weights / game.weights.sum())
    return drawn.astype(np.int32)


def rendered(mode: str, state: State, rows: int) -> str | Pixels:
    """The game so far in that render mode; a picture has that many rows."""
    if mode == "ansi":
        return _text(state.game, state.history)
    return _picture(state.game, state.history, rows)


def _text(game: Game, history: Sequence[tuple[int, int]]) -> str:
    """A history as text, one line for each guess."""
    return "\n".join(
        f"{game.guesses[guess]} " + "".join(_SQUARES[colour] for colour in tiles(code, game.length))
        for guess, code in history
    )


def _picture(game: Game, history: Sequence[tuple[int, int]], rows: int) -> Pixels:
    """The tiles of a history as a picture with that many rows; those not yet filled are white."""
    step = _TILE + _GAP
    picture = np.full((rows * step, game.length * step, 3), 255, np.uint8)
    for row, (_, code) in enumerate(history):
        for column, colour in enumerate(tiles(code, game.length)):
            top, left = row * step, column * step
            picture[top : top + _TILE, left : left + _TILE] = _COLOURS[colour]
    return picture
