"""The game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.env.observations import Features, Observation, observation_named
from salet.env.rewards import Reward, earned, forfeit, reward_named
from salet.env.rulebook import Histories, Rulebook, rulebook
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
_DEFAULT = "default"


def open_game(game: Game | str, mode: str | None, cap: int | str | None) -> Game:
    """A game by name or as it is, with another mode or cap if asked for."""
    if isinstance(game, str):
        return Game.named(game, mode=mode or "normal", cap=cap)
    if not isinstance(game, Game):
        raise InputError(f"{game!r} is no game; give a name of `salet games` or a Game")
    changes: dict[str, Any] = {} if mode is None else {"mode": mode}
    if cap != _DEFAULT:
        changes["cap"] = cap
    return game.with_(**changes) if changes else game


def option_of(options: dict[str, Any] | None, name: str) -> Any:
    """The one option that a reset knows, or None where it is not given."""
    for given in options or ():
        if given != name:
            raise UnknownNameError("option of reset", str(given), [name])
    return (options or {}).get(name)


def answer_of(game: Game, given: object) -> int:
    """The place of a secret that was given as a word."""
    if not isinstance(given, str):
        raise InputError(f"answer {given!r} is no word; give one, as in {game.answers[0]!r}")
    return game.answer_index(given)


def check_render_mode(mode: str | None, known: Collection[str]) -> str | None:
    """A way to draw that the environment knows, or None."""
    if mode is not None and mode not in known:
        raise InputError(f"render mode {mode!r}: there is {', '.join(map(repr, known))}")
    return mode


def picture(game: Game, history: Sequence[tuple[int, int]]) -> str:
    """A game so far, a line for each guess."""
    return "\n".join(
        f"{game.guesses[guess]} " + "".join(_SQUARES[colour] for colour in tiles(code, game.length))
        for guess, code in history
    )


def space_of(observation: Observation) -> Any:
    """Where an observation's numbers lie."""
    return spaces.Box(0.0, float(observation.greatest), (observation.width,), np.float32)


def draw_answers(game: Game, count: int, generator: np.random.Generator) -> NDArray[np.int32]:
    """Secrets at random, by the game's weights where it has some."""
    if game.weights is None:
        drawn = generator.integers(game.answer_count, size=count)
    else:
        drawn = generator.choice(game.answer_count, count, p=game.weights / game.weights.sum())
    return drawn.astype(np.int32)


class WordleEnv(gymnasium.Env[Features, np.int64]):
    """
    ## Description
    The secret is one of the game's answers. A guess is any listed word that the mode allows; the
    game answers with a pattern of tiles. The episode ends with the right guess or with the last
    that the cap allows.

    ## Action Space
    `Discrete(n)`: the guess, as its place in `game.guesses`. In normal mode every guess is
    allowed. In hard and strict mode `info["action_mask"]` says which are, and a forbidden guess
    loses the game at once, at the price of all guesses that it leaves out.

    ## Observation Space
    `Box`, float32: what `observation` names, see `salet.env.observations`. `classic-313` and
    `counts-313` are features of the hints; `candidates` are statistics of the answers still
    possible; `history` is every tile so far. Kinds can be joined: `counts-313+candidates`.

    ## Rewards
    What `reward` names, see `salet.env.rewards`: `guesses` (-1 a guess, -2 for a last one that is
    wrong), `careful`, `founding`, `million`, or a `Reward`. A forbidden guess costs as much as the
    guesses left and a loss: with `guesses` such a game totals -(cap + 1), like any lost one.

    ## Starting State
    No guess made; the secret is drawn at random, by the game's weights where it has some.
    `reset(options={"answer": "crane"})` sets it.

    ## Episode End
    Terminated by the right guess, the last guess that the cap allows, or a forbidden guess. A game
    without a cap is truncated after 32 guesses.

    ## Information
    `action_mask`: which guesses are allowed (a copy; `env.unwrapped.action_mask()` is in normal
    mode one read-only array for all steps); `pattern`: the feedback to the last guess as text;
    `answer`: the secret, once the game is over.

    ## Arguments
    `game`: a name of `salet games` or a `Game`; `mode`: normal, hard or strict; `cap`: most
    guesses, or None; `observation`; `reward`; `render_mode`: "ansi".

    ## Version History
    v0: first version.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  (Gymnasium's own form)

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
        self.book: Rulebook = rulebook(self.game)
        self.seen = observation_named(observation, self.book)
        self.reward = reward_named(reward)
        self.action_space = spaces.Discrete(len(self.game.guesses))
        self.observation_space = space_of(self.seen)
        self._everything = np.ones(len(self.game.guesses), np.int8)
        self._everything.setflags(write=False)
        self._begin(0)
        self._begun = False

    def _begin(self, answer: int) -> None:
        self._answer = answer
        self._histories = Histories.blank(1, self.book.horizon)
        self.state: State = self.game.start()
        self._begun, self._over = True, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin a game; `options={"answer": WORD}` sets the secret."""
        super().reset(seed=seed)
        given = option_of(options, "answer")
        if given is None:
            self._begin(int(draw_answers(self.game, 1, self.np_random)[0]))
        else:
            self._begin(answer_of(self.game, given))
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Make a guess, given as its place in the order of guesses."""
        if not self._begun:
            raise InputError("no game has begun; reset() begins one")
        if self._over:
            raise InputError("the game is over; reset() begins another")
        guess = self._place(action)
        if self.game.mode != "normal" and guess not in self.state.legal:
            self._over = True
            cost = float(forfeit(self.book, self.reward, self.state.turn))
            return self._observation(), cost, True, False, self._info()
        pattern = int(self.book.table[guess, self._answer])
        turn = self.state.turn
        self._histories.guesses[0, turn] = guess
        self._histories.patterns[0, turn] = pattern
        self._histories.turns[0] = turn + 1
        self.state = self.state.after(guess, pattern)
        reward = float(earned(self.book, self.reward, self._histories, 0, turn))
        is_last = self.state.turn == self.book.horizon
        won, capped = self.state.won, self.game.cap is not None
        self._over = won or is_last
        ended, broken_off = won or (is_last and capped), is_last and not won and not capped
        return self._observation(), reward, ended, broken_off, self._info()

    def _place(self, action: Any) -> int:
        if isinstance(action, str):
            raise InputError(f"action {action!r} is a word; give its place, game.index({action!r})")
        return self.game.index(action)

    def _observation(self) -> Features:
        seen: Features = self.seen.of(self._histories)[0]
        return seen

    def _info(self) -> dict[str, Any]:
        # Gymnasium's checker asks that infos share nothing, not even what nobody can write to
        info: dict[str, Any] = {"action_mask": self.action_mask().copy()}
        if self.state.turn:
            info["pattern"] = self.state.turns[-1][1]
        if self._over:
            info["answer"] = self.game.guesses[self._answer]
        return info

    def action_mask(self) -> NDArray[np.int8]:
        """1 for every guess that the mode allows now; in normal mode always the same array."""
        if self.game.mode == "normal":
            return self._everything
        mask = np.zeros(len(self.game.guesses), np.int8)
        mask[self.state.legal] = 1
        return mask

    def render(self) -> str | None:
        """The game so far, a line for each guess."""
        if self.render_mode is None:
            return None
        return picture(self.game, self.state.history)
