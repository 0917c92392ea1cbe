"""The directory of a training run, whichever agent is trained: its checkpoint and its figures."""

from __future__ import annotations

import csv
import dataclasses
import io
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import torch

from salet.errors import DataError, InputError
from salet.learn.files import CHECKPOINT, Arrays, read
from salet.storage import output

CHECKPOINT_FILE = "checkpoint.safetensors"
METRICS_FILE = "metrics.csv"
_ADAM = ("step", "exp_avg", "exp_avg_sq")


# ---- the checkpoint


def make(directory: Path) -> None:
    """A place for a new run."""
    if (directory / CHECKPOINT_FILE).exists():
        raise InputError(
            f"{str(directory)!r} holds a run; add --resume to go on with it, or give another "
            "directory"
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot make {str(directory)!r}: {reason}") from None


def read_checkpoint(directory: Path) -> tuple[Arrays, dict[str, Any]]:
    """What the run in the directory goes on from."""
    path = directory / CHECKPOINT_FILE
    if not path.exists():
        raise InputError(f"{str(directory)!r} holds no run to resume; leave --resume out to begin")
    return read(path, CHECKPOINT)


def refuse_other(config: Any, saved: Any, directory: Path) -> None:
    """A run goes on with the configuration that it began with, or not at all."""
    for field in dataclasses.fields(config):
        now, then = getattr(config, field.name), getattr(saved, field.name)
        if now != then:
            raise InputError(
                f"the run in {str(directory)!r} has {field.name} = {then!r}, not {now!r}; resume "
                "it with its own configuration"
            )


def under(arrays: Arrays, label: str) -> Arrays:
    """The arrays whose names begin with a label, without it."""
    return {name[len(label) :]: a for name, a in arrays.items() if name.startswith(label)}


def restore_network(network: torch.nn.Module, arrays: Arrays) -> None:
    """Load what `state_dict` gave."""
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})


def moments(optimizer: torch.optim.Optimizer) -> Arrays:
    """What Adam remembers of each parameter."""
    return {
        f"{number}.{name}": state[name].numpy()
        for number, state in optimizer.state_dict()["state"].items()
        for name in _ADAM
    }


def restore_moments(optimizer: torch.optim.Optimizer, arrays: Arrays) -> None:
    """Remind Adam of what `moments` gave."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in arrays.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = torch.from_numpy(array)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


# ---- the figures


class Figures(msgspec.Struct, frozen=True):
    """A row of the figures of a run."""

    round: int


Row = TypeVar("Row", bound=Figures)


class Metrics(Generic[Row]):
    """The CSV file of a run. Rows after the checkpoint that a run goes on from are dropped."""

    def __init__(self, kind: type[Row], directory: Path, rounds: int) -> None:
        self._kind = kind
        self._path = directory / METRICS_FILE
        self.rows = [row for row in rows_of(kind, self._path) if row.round <= rounds]

    def write(self, row: Row) -> None:
        """Add a row."""
        self.rows.append(row)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._kind.__struct_fields__)
        writer.writerows(msgspec.structs.astuple(each) for each in self.rows)
        with output(self._path) as file:
            file.write(text.getvalue().encode())


def rows_of(kind: type[Row], path: Path) -> list[Row]:
    """The rows of a CSV file (what is empty was None); none where there is no file."""
    if not path.is_file():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        given = [{name: text or None for name, text in row.items()} for row in rows]
        return [msgspec.convert(row, kind, strict=False) for row in given]
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
