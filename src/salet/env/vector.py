"""Thousands of games stepped at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from salet.arrays import Bools, Floats, Indices
from salet.env.observations import Features, observation_named
from salet.env.rewards import Reward, earned, reward_named
from salet.env.rulebook import Histories, Rulebook, legal_masks, rulebook
from salet.env.wordle import draw_answers, open_game, space_of
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.jit import kernel


@kernel
def _step(
    book: Rulebook,
    reward: Reward,
    histories: Histories,
    answers: Indices,
    actions: Indices,
    forbidden: Bools,
    was_over: Bools,
    rewards: Floats,
    won: Bools,
    out_of_guesses: Bools,
) -> None:
    """One guess in every game; a game that was over begins again instead."""
    for b in range(answers.shape[0]):
        rewards[b] = 0.0
        won[b] = False
        out_of_guesses[b] = False
        if was_over[b]:
            histories.turns[b] = 0
        elif forbidden[b]:
            rewards[b] = reward.loss if reward.only_end else reward.loss + reward.step
        else:
            turn = histories.turns[b]
            histories.guesses[b, turn] = actions[b]
            histories.patterns[b, turn] = book.table[actions[b], answers[b]]
            histories.turns[b] = turn + 1
            rewards[b] = earned(book, reward, histories, b, turn)
            won[b] = histories.patterns[b, turn] == book.win
            out_of_guesses[b] = not won[b] and turn + 1 == book.horizon


class WordleVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """Many games of `salet/Wordle-v0` in arrays, stepped by one kernel.

    Spaces, rewards and arguments are those of `WordleEnv`. A game that is over begins again with
    the next step, whose action is not used (Gymnasium's `NEXT_STEP`). `info["action_mask"]` has a
    row for each game; in normal mode they are one shared read-only row.
    `reset(options={"answers": [...]})` sets the secrets.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "original",
        mode: str | None = None,
        cap: int | str | None = "default",
        observation: str = "classic-313",
        reward: str | Reward = "guesses",
    ) -> None:
        if num_envs < 1:
            raise InputError(f"{num_envs} games at once: give at least 1")
        self.num_envs = num_envs
        self.game = open_game(game, mode, cap)
        self.book: Rulebook = rulebook(self.game)
        self.seen = observation_named(observation, self.book)
        self.reward = reward_named(reward)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game.guesses))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = space_of(self.seen)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        everything = np.ones((1, len(self.game.guesses)), np.int8)
        self._everything = np.broadcast_to(everything, (num_envs, everything.shape[1]))
        self._nothing_forbidden = np.zeros(num_envs, bool)
        self._answers = np.zeros(num_envs, np.int32)
        self._histories = Histories.blank(num_envs, self.book.horizon)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin every game; `options={"answers": WORDS}` sets the secrets."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed)
        given = (options or {}).get("answers")
        if given is None:
            self._answers = draw_answers(self.game, self.num_envs, self.np_random)
        elif len(given) != self.num_envs:
            raise InputError(f"{len(given)} answers for {self.num_envs} games; give one each")
        else:
            self._answers = np.array([self.game.answer_index(word) for word in given], np.int32)
        self._histories.turns[:] = 0
        self._over = np.zeros(self.num_envs, bool)
        return self.seen.of(self._histories), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Features, Floats, Bools, Bools, dict[str, Any]]:
        """Make a guess in every game."""
        chosen = np.asarray(actions, np.int32)
        if (
            chosen.shape != (self.num_envs,)
            or chosen.min() < 0
            or (chosen.max() >= len(self.game.guesses))
        ):
            raise InputError(
                f"actions are {self.num_envs} guesses, each from 0 to {len(self.game.guesses) - 1}"
            )
        forbidden = self._nothing_forbidden
        if self.game.mode != "normal":
            forbidden = self._mask[np.arange(self.num_envs), chosen] == 0
        begins = self._over
        again = int(begins.sum())
        if again:
            self._answers[begins] = draw_answers(self.game, again, self.np_random)
        rewards = np.empty(self.num_envs)
        won, last = np.empty((2, self.num_envs), bool)
        _step(self.book, self.reward, self._histories, self._answers, chosen, forbidden, begins,
              rewards, won, last)  # fmt: skip
        capped = self.game.cap is not None
        ended = won | last if capped else won
        ended |= forbidden & ~begins
        broken_off = np.zeros(self.num_envs, bool) if capped else last
        self._over = ended | broken_off
        return self.seen.of(self._histories), rewards, ended, broken_off, self._info()

    def _info(self) -> dict[str, Any]:
        if self.game.mode == "normal":
            self._mask = self._everything
        else:
            self._mask = legal_masks(self.game, self._histories).view(np.int8)
        return {"action_mask": self._mask}

    def state(self, place: int) -> State:
        """Where one of the games stands."""
        state = self.game.start()
        for turn in range(self._histories.turns[place]):
            guess = int(self._histories.guesses[place, turn])
            state = state.after(guess, int(self._histories.patterns[place, turn]))
        return state
