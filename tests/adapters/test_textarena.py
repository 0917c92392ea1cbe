"""TextArena's own loop plays the game."""

from __future__ import annotations

import random
import re

import pytest
import textarena as ta

import salet.env.adapters.textarena  # noqa: F401  (registers the environment)
from salet.errors import InputError
from salet.strategies.registry import strategy_named


class Scripted(ta.Agent):
    """Plays like a strategy, reading nothing but what it is told."""

    def __init__(self, game, first: list[str]) -> None:
        super().__init__()
        self.game, self.first, self.seen = game, first, ""
        self.player = strategy_named("entropy")

    def __call__(self, observation: str) -> str:
        self.seen += observation
        if self.first:
            return self.first.pop(0)
        state = self.game.start()
        for letters, marks in re.findall(r"^((?:\w )+\w)\n((?:[BYG] )+[BYG])$", self.seen, re.M):
            state = state.after(letters.replace(" ", ""), marks.replace(" ", ""))
        return f"I try [{self.game.guesses[self.game.index(self.player.choose(state))]}]"


def play(env, agent) -> tuple[dict, dict]:
    """The loop of TextArena's readme."""
    done = False
    while not done:
        _, observation = env.get_observation()
        done, _ = env.step(action=agent(observation))
    return env.close()


@pytest.mark.parametrize("seed", range(5))
def test_a_scripted_agent_plays_whole_games(seed: int) -> None:
    env = ta.make("salet/Wordle-v0", tasks="original", reward="guesses", split="test")
    env = ta.wrappers.LLMObservationWrapper(env=env)
    random.seed(1)
    before = random.getstate()
    env.reset(num_players=1, seed=seed)
    assert random.getstate() == before  # the global generator is left alone
    text = env.env.text
    agent = Scripted(text.dialogue.game, ["no idea", "[xyzzy]", "[salet]"])
    rewards, info = play(env, agent)
    assert text.done and rewards == {0: text.reward} and text.reward < -2
    assert info[0]["turn_count"] == text.dialogue.used
    secret = text.dialogue.answer
    assert not re.search(rf"\b{secret}\b", agent.seen.replace(f"[{secret}]", ""))
    assert "has no guess in it" in agent.seen and "'xyzzy' is not in the list" in agent.seen


def test_seeds_draw_the_same_secret() -> None:
    secrets = []
    for seed in (3, 3, 4):
        env = ta.make("salet/Wordle-v0", tasks="nyt")
        env.reset(num_players=1, seed=seed)
        secrets.append(env.text.dialogue.secrets)
    assert secrets[0] == secrets[1] != secrets[2]


def test_two_players_are_refused() -> None:
    with pytest.raises(InputError, match="2 players: the game is for 1"):
        ta.make("salet/Wordle-v0").reset(num_players=2)
