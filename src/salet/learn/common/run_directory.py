"""The directory of a training run: its files, and the checks before it is resumed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from salet.errors import InputError, TrainingError
from salet.learn.common.tensor_file import Header, read_tensors, unpacking, write_tensors
from salet.learn.common.torch_utils import Arrays

CHECKPOINT_FILE = "checkpoint.safetensors"
METRICS_FILE = "metrics.csv"
WEIGHTS_FILE = "weights.safetensors"

FORMAT = "salet checkpoint 1"

Config = TypeVar("Config", bound=Any)


def create_run(directory: Path) -> None:
    """Create the directory of a new run; raises an error if it already holds a run."""
    if (directory / CHECKPOINT_FILE).exists():
        raise InputError(
            f"{str(directory)!r} already holds a run; add --resume to continue it, or give another "
            "directory"
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot create {str(directory)!r}: {reason}") from None


def write_checkpoint(
    directory: Path, kind: str, config: Any, words: str, arrays: Arrays, header: Header
) -> None:
    """Write everything that the rest of a run depends on; `words` is a digest of its word lists."""
    common = {"kind": kind, "words": words, "config": dataclasses.asdict(config)}
    write_tensors(directory / CHECKPOINT_FILE, FORMAT, arrays, {**common, **header})


def read_checkpoint(
    directory: Path, kind: str, config: Config, parse: Callable[[dict[str, Any]], Config]
) -> tuple[Arrays, Header]:
    """Read what `write_checkpoint` wrote, for the same kind of agent and configuration."""
    path = directory / CHECKPOINT_FILE
    if not path.exists():
        raise InputError(f"{str(directory)!r} holds no run to resume; leave out --resume to start")
    arrays, header = read_tensors(path, FORMAT)
    if header.get("kind") != kind:
        raise InputError(
            f"the run in {str(directory)!r} trains an agent of kind {header.get('kind')!r}, not "
            f"{kind!r}"
        )
    with unpacking_checkpoint(directory):
        saved = dataclasses.asdict(parse(header["config"]))
    for name, now in dataclasses.asdict(config).items():
        if now != saved[name]:
            raise InputError(
                f"the run in {str(directory)!r} has {name} = {saved[name]!r}, not {now!r}; resume "
                "it with its own configuration"
            )
    return arrays, header


def unpacking_checkpoint(directory: Path) -> AbstractContextManager[None]:
    """Turn the errors of unpacking a malformed checkpoint into a `DataError`."""
    return unpacking(f"the checkpoint in {str(directory)!r} is damaged")


def check_same_words(digest: str, saved: Any, game: str, directory: Path) -> None:
    """Raise an error if the word lists have changed: a checkpoint stores games as indices."""
    if digest != saved:
        raise InputError(
            f"the words of {game} are not those that the run in {str(directory)!r} was started "
            "with; start again in another directory"
        )


def divergence(loss: float, number: int, directory: Path) -> TrainingError:
    """The error of a run whose loss became infinite or NaN; resuming it would repeat it."""
    checkpoint = ""
    if (directory / CHECKPOINT_FILE).exists():
        checkpoint = f"; the last checkpoint in {str(directory)!r} is intact"
    return TrainingError(
        f"the loss became {loss} in round {number}{checkpoint}; start again in another directory "
        "with a lower learning_rate"
    )
