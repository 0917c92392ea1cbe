"""Training configurations as TOML files, for every kind of agent."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from salet.errors import InputError, UnknownNameError
from salet.learn.dqn.config import DqnConfig, dqn_config_from
from salet.learn.pair.config import PairConfig, pair_config_from
from salet.learn.policy.config import PolicyConfig, policy_config_from

AnyConfig = DqnConfig | PairConfig | PolicyConfig

KINDS: Mapping[str, Callable[[dict[str, Any]], AnyConfig]] = MappingProxyType(
    {"dqn": dqn_config_from, "pair": pair_config_from, "policy": policy_config_from}
)
"""kind of agent -> its configuration from plain data"""


def read_config(path: Path) -> AnyConfig:
    """The configuration in a TOML file; its key `kind` names the agent (default: dqn)."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"no file {str(path)!r}; give a configuration in TOML") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from None
    try:
        fields = tomllib.loads(text)
        kind = fields.pop("kind", "dqn")
        if not isinstance(kind, str) or kind not in KINDS:
            raise UnknownNameError("kind of agent", str(kind), KINDS)
        return KINDS[kind](fields)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{str(path)!r} is not valid TOML: {error}") from None
    except InputError as error:
        raise InputError(f"{str(path)!r}: {error}") from None


def read_dqn_config(path: Path) -> DqnConfig:
    """The configuration in a TOML file, which must be of kind `dqn`."""
    config = read_config(path)
    if not isinstance(config, DqnConfig):
        kind = "policy" if isinstance(config, PolicyConfig) else "pair"
        raise InputError(f"{str(path)!r} is of kind {kind!r}; give one of kind 'dqn'")
    return config
