"""The game as text, for training and evaluating language models. Needs no extra.

`environment` has `TextEnv`; `tasks` the games it plays and the splits of their answers; `rewards`
the rewards; `dialogue` the umpire; `wording` every sentence that a player reads.
"""

from salet.env.text.environment import TextEnv

__all__ = ["TextEnv"]
