"""The module by which verifiers finds salet's games: taskset `salet-verifiers`."""

from salet.env.adapters.verifiers import GamesConfig, GamesEnv, GamesEnvConfig, GamesTaskset

__all__ = ["GamesConfig", "GamesEnv", "GamesEnvConfig", "GamesTaskset"]
