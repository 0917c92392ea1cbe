"""The game as text: for language models that are trained or measured. Needs no extra.

`environment` has `TextEnv`; `tasks` what it plays, with splits of the answers; `rewards` what it
pays; `dialogue` the umpire; `wording` every sentence that a player reads.
"""

from salet.env.text.environment import TextEnv

__all__ = ["TextEnv"]
