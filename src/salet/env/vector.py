"""Thousands of games stepped at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from salet.array_types import Bools, Floats, Indices
from salet.env.observations import Features, observation_named
from salet.env.rewards import Reward, earned, forfeit, reward_named
from salet.env.rulebook import Histories, Rulebook, masks_after, rulebook
from salet.env.wordle import (
    answer_of,
    check_render_mode,
    draw_answers,
    open_game,
    option_of,
    picture,
    space_of,
)
from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import LETTERS
from salet.game.state import State
from salet.numeric.jit import kernel


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
            rewards[b] = forfeit(book, reward, histories.turns[b])
        else:
            turn = histories.turns[b]
            histories.guesses[b, turn] = actions[b]
            histories.patterns[b, turn] = book.table[actions[b], answers[b]]
            histories.turns[b] = turn + 1
            rewards[b] = earned(book, reward, histories, b, turn)
            won[b] = histories.patterns[b, turn] == book.win
            out_of_guesses[b] = not won[b] and turn + 1 == book.horizon


def _texts(book: Rulebook) -> NDArray[np.object_]:
    """Every pattern as text."""
    signs = np.array(list(LETTERS))[book.colours]
    return signs.view(f"U{signs.shape[1]}")[:, 0].astype(object)


class WordleVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """Many games of `salet/Wordle-v0` in arrays, stepped by one kernel.

    Spaces, rewards and arguments are those of `WordleEnv`. A game that is over begins again with
    the next step, whose action is not used (Gymnasium's `NEXT_STEP`). `state(place)` is where one
    of the games stands; `reset(options={"answers": [...]})` sets the secrets.

    Infos are those of `WordleEnv`, in arrays with a place for each game. `action_mask` has a row
    for each; in normal mode they are one shared read-only row. `_pattern` and `_answer` say which
    games have a `pattern` and an `answer`; the others have None there.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "original",
        mode: str | None = None,
        cap: int | str | None = "default",
        observation: str = "classic-313",
        reward: str | Reward = "guesses",
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"{num_envs} games at once: give at least 1")
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self.game = open_game(game, mode, cap)
        self.book: Rulebook = rulebook(self.game)
        self.seen = observation_named(observation, self.book)
        self.reward = reward_named(reward)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game.guesses))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = space_of(self.seen)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._mask = np.broadcast_to(
            np.ones(len(self.game.guesses), np.int8), (num_envs, len(self.game.guesses))
        )
        self._texts = _texts(self.book)
        self._words = np.array(self.game.answers, object)
        self._nothing_forbidden = np.zeros(num_envs, bool)
        self._answers = np.zeros(num_envs, np.int32)
        self._histories = Histories.blank(num_envs, self.book.horizon)
        self._over = np.zeros(num_envs, bool)
        self._begun = False

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin every game; `options={"answers": WORDS}` sets the secrets."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed)
        given = option_of(options, "answers")
        if given is None:
            self._answers = draw_answers(self.game, self.num_envs, self.np_random)
        else:
            self._answers = self._secrets(given)
        self._histories.turns[:] = 0
        self._over = np.zeros(self.num_envs, bool)
        self._begun = True
        return self.seen.of(self._histories), self._info()

    def _secrets(self, given: object) -> Indices:
        """The places of the answers in a list of words."""
        if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
            raise InputError(f"answers {given!r} are no list; give {self.num_envs} words")
        if len(given) != self.num_envs:
            raise InputError(f"{len(given)} answers for {self.num_envs} games; give one each")
        return np.array([answer_of(self.game, word) for word in given], np.int32)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Features, Floats, Bools, Bools, dict[str, Any]]:
        """Make a guess in every game."""
        if not self._begun:
            raise InputError("no games have begun; reset() begins them")
        chosen = self._places(actions)
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

    def _places(self, actions: object) -> Indices:
        """The guesses, if they are whole numbers in range: a cast would make some of any others."""
        given = np.asarray(actions)
        last = len(self.game.guesses) - 1
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            what = f"an array of shape {given.shape} and type {given.dtype}"
        elif given.min() < 0 or given.max() > last:
            what = f"guess number {given[(given < 0) | (given > last)][0]}"
        else:
            return given.astype(np.int32)
        raise InputError(
            f"{what}: actions are {self.num_envs} guesses, whole numbers each from 0 to {last}"
        )

    def _info(self) -> dict[str, Any]:
        if self.game.mode != "normal":
            masks = masks_after(self.game, self._histories, self._mask.view(bool))
            self._mask = masks.view(np.int8)
        patterns = np.full(self.num_envs, None)
        turns = self._histories.turns
        made = turns > 0
        places = np.flatnonzero(made)
        patterns[places] = self._texts[self._histories.patterns[places, turns[places] - 1]]
        answers = np.full(self.num_envs, None)
        answers[self._over] = self._words[self._answers[self._over]]
        return {
            "action_mask": self._mask,
            "pattern": patterns,
            "_pattern": made,
            "answer": answers,
            "_answer": self._over.copy(),
        }

    def render(self) -> tuple[str, ...] | None:
        """The games so far, a line for each guess."""
        if self.render_mode is None:
            return None
        return tuple(picture(self.game, self.state(b).history) for b in range(self.num_envs))

    def state(self, place: int) -> State:
        """Where one of the games stands."""
        state = self.game.start()
        for turn in range(self._histories.turns[place]):
            guess = int(self._histories.guesses[place, turn])
            state = state.after(guess, int(self._histories.patterns[place, turn]))
        return state
