"""Many games stepped at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from salet.array_types import Bools, Floats, Indices, Ints
from salet.env.action_masks import update_masks
from salet.env.game_arrays import GameArrays, Histories, make_guess
from salet.env.observations import Features, observer_named
from salet.env.rewards import Reward, forfeit_reward, guess_reward, reward_named
from salet.env.wordle import (
    Pixels,
    answer_index,
    check_render_mode,
    draw_answers,
    observation_space,
    open_game,
    rendered,
    reset_option,
)
from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import LETTERS
from salet.game.state import State
from salet.numeric.jit import kernel


class WordleVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """
    ## Description
    Many games of `salet/Wordle-v0`, held in arrays and stepped by one kernel. Spaces, rewards and
    arguments are those of `WordleEnv`, batched.

    ## Starting State
    As in `WordleEnv`; `reset(options={"answers": [...]})` sets the secrets, one for each game. With
    `reset(seed=[...])` every game draws its secrets by a seed of its own, as a single game would.

    ## Episode End
    As in `WordleEnv`. A game that is over starts again at the next step, whose action is ignored
    (Gymnasium's `AutoresetMode.NEXT_STEP`).

    ## Information
    The entries of `WordleEnv`, as arrays with one element for each game. `action_mask` has a row
    for each game; it is read-only, and the next step changes it (in normal mode all rows are one,
    which never changes). `copy_masks` makes it a writable copy at every step, and
    `action_masks(copy=True)` makes one when it is needed. `_pattern` and `_answer` tell which games
    have a `pattern` and an `answer`; the others have None. `state(index)` is the `State` of one
    game.

    ## Arguments
    `num_envs`: number of games. `copy_masks`: as above. The others are those of `WordleEnv`.

    ## Version History
    v0: initial version.
    """

    metadata = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "original",
        mode: str | None = None,
        cap: int | str | None = "default",
        observation: str = "classic-313",
        reward: str | Reward = "guesses",
        render_mode: str | None = None,
        copy_masks: bool = False,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs = {num_envs}: give at least 1")
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self.game = open_game(game, mode, cap)
        self.arrays = GameArrays.of(self.game)
        self.observer = observer_named(observation, self.arrays)
        self.reward = reward_named(reward)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game.guesses))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = observation_space(self.observer)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.copy_masks = copy_masks
        self._masks = self._fresh_masks()
        self._shown_masks = _read_only(self._masks)
        self._pattern_texts = _pattern_texts(self.arrays)
        self._words = np.array(self.game.answers, object)
        self._none_illegal = np.zeros(num_envs, bool)
        self._answers = np.zeros(num_envs, np.int32)
        self._histories = Histories.empty(num_envs, self.arrays.horizon)
        self._over = np.zeros(num_envs, bool)
        self._started = False
        self._generators: list[np.random.Generator] | None = None

    def _fresh_masks(self) -> NDArray[np.int8]:
        """Masks that allow everything; in normal mode one row for all games."""
        shape = (self.num_envs, len(self.game.guesses))
        if self.game.mode == "normal":
            return np.broadcast_to(np.ones(shape[1], np.int8), shape)
        return np.ones(shape, np.int8)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Features, dict[str, Any]]:
        """Start every game; `options={"answers": WORDS}` sets the secrets, and a list of seeds
        gives every game one of its own."""
        self._seed(seed)
        given = reset_option(options, "answers")
        if given is None:
            self._answers = self._draw(np.arange(self.num_envs))
        else:
            self._answers = self._answer_indices(given)
        self._histories.turns[:] = 0
        self._over = np.zeros(self.num_envs, bool)
        self._started = True
        return self.observer.observe(self._histories), self._info()

    def _seed(self, seed: Any) -> None:
        if seed is None or isinstance(seed, int | np.integer):
            if seed is not None:
                self._generators = None
            super().reset(seed=None if seed is None else int(seed))
            return
        seeds = [seed] if isinstance(seed, str | float) else list(seed)
        for one in seeds:
            if not (one is None or isinstance(one, int | np.integer)):
                raise InputError(f"seed {one!r} is not a whole number")
        if len(seeds) != self.num_envs:
            raise InputError(f"{len(seeds)} seeds for {self.num_envs} games; give one for each")
        self._generators = [np_random(None if one is None else int(one))[0] for one in seeds]

    def _draw(self, games: Ints) -> Indices:
        """New secrets for these games."""
        if self._generators is None:
            return draw_answers(self.game, len(games), self.np_random)
        drawn = (draw_answers(self.game, 1, self._generators[game])[0] for game in games)
        return np.fromiter(drawn, np.int32, len(games))

    def restart(self, over: Bools) -> Features:
        """Start some games again at once, and return their observations.

        For loops that do not wait for the next step to restart a game.
        """
        games = np.flatnonzero(over)
        self._answers[games] = self._draw(games)
        self._histories.turns[games] = 0
        self._over = self._over & ~over
        self._narrow_masks()
        return self.observer.observe(self._histories.take(games))

    def _answer_indices(self, words: object) -> Indices:
        if not isinstance(words, Sequence | np.ndarray) or isinstance(words, str):
            raise InputError(f"answers {words!r} are not a list; give {self.num_envs} words")
        if len(words) != self.num_envs:
            raise InputError(f"{len(words)} answers for {self.num_envs} games; give one for each")
        return np.array([answer_index(self.game, word) for word in words], np.int32)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Features, Floats, Bools, Bools, dict[str, Any]]:
        """Make a guess in every game."""
        if not self._started:
            raise InputError("no games have started; call reset() first")
        guesses = self._checked(actions)
        illegal = self._none_illegal
        if self.game.mode != "normal":
            illegal = self._masks[np.arange(self.num_envs), guesses] == 0
        restarts = self._over
        if restarts.any():
            self._answers[restarts] = self._draw(np.flatnonzero(restarts))
        rewards = np.empty(self.num_envs)
        won, out_of_guesses = np.empty((2, self.num_envs), bool)
        _step(self.arrays, self.reward, self._histories, self._answers, guesses, illegal, restarts,
              rewards, won, out_of_guesses)  # fmt: skip
        terminated, truncated = won | (illegal & ~restarts), out_of_guesses
        if self.game.cap is not None:
            terminated, truncated = terminated | out_of_guesses, np.zeros(self.num_envs, bool)
        self._over = terminated | truncated
        return self.observer.observe(self._histories), rewards, terminated, truncated, self._info()

    def _checked(self, actions: object) -> Indices:
        """The actions as indices; a cast alone would accept fractions and truth values."""
        given = np.asarray(actions)
        last = len(self.game.guesses) - 1
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            problem = f"an array of shape {given.shape} and type {given.dtype}"
        elif given.min() < 0 or given.max() > last:
            problem = f"guess number {given[(given < 0) | (given > last)][0]}"
        else:
            return given.astype(np.int32)
        raise InputError(
            f"{problem}: give {self.num_envs} guesses, each an integer from 0 to {last}"
        )

    def _info(self) -> dict[str, Any]:
        self._narrow_masks()
        turns = self._histories.turns
        has_pattern = turns > 0
        games = np.flatnonzero(has_pattern)
        patterns = np.full(self.num_envs, None)
        patterns[games] = self._pattern_texts[self._histories.patterns[games, turns[games] - 1]]
        answers = np.full(self.num_envs, None)
        answers[self._over] = self._words[self._answers[self._over]]
        return {
            "action_mask": self._masks.copy() if self.copy_masks else self._shown_masks,
            "pattern": patterns,
            "_pattern": has_pattern,
            "answer": answers,
            "_answer": self._over.copy(),
        }

    def _narrow_masks(self) -> None:
        if self.game.mode != "normal":
            update_masks(self.game, self._histories, self._masks.view(bool))

    def action_masks(self, *, copy: bool = False) -> Bools:
        """masks[game, guess]: whether the guess is legal now. Read-only, and changed by the next
        step, unless a writable `copy` is asked for."""
        return (self._masks.copy() if copy else self._shown_masks).view(bool)

    def render(self) -> tuple[str | Pixels, ...] | None:
        """Every game so far, one line or row of tiles for each guess."""
        if self.render_mode is None:
            return None
        mode, rows = self.render_mode, self.arrays.horizon
        return tuple(rendered(mode, self.state(game), rows) for game in range(self.num_envs))

    def state(self, index: int) -> State:
        """The state of one of the games."""
        if not 0 <= index < self.num_envs:
            raise InputError(f"game number {index} is not in 0 to {self.num_envs - 1}")
        state = self.game.start()
        for turn in range(self._histories.turns[index]):
            guess = int(self._histories.guesses[index, turn])
            state = state.after(guess, int(self._histories.patterns[index, turn]))
        return state


@kernel
def _step(
    game: GameArrays,
    reward: Reward,
    histories: Histories,
    answers: Indices,
    guesses: Indices,
    illegal: Bools,
    restarts: Bools,
    rewards: Floats,
    won: Bools,
    out_of_guesses: Bools,
) -> None:
    """Make one guess in every game, or start it again if it was over."""
    for b in range(answers.shape[0]):
        rewards[b] = 0.0
        won[b] = False
        out_of_guesses[b] = False
        turn = histories.turns[b]
        if restarts[b]:
            histories.turns[b] = 0
        elif illegal[b]:
            rewards[b] = forfeit_reward(game, reward, turn)
        else:
            won[b] = make_guess(game, histories, b, guesses[b], answers[b]) == game.win
            rewards[b] = guess_reward(game, reward, histories, b, turn)
            out_of_guesses[b] = not won[b] and turn + 1 == game.horizon


def _read_only(array: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same numbers, not to be written through."""
    shown = array.view()
    shown.setflags(write=False)
    return shown


def _pattern_texts(game: GameArrays) -> NDArray[np.object_]:
    """Every pattern as text, by id."""
    signs = np.array(list(LETTERS))[game.colours]
    return signs.view(f"U{signs.shape[1]}")[:, 0].astype(object)
