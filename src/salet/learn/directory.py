"""The directory of a training run, whichever agent is trained: its checkpoint and its figures."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import io
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import torch

from salet.errors import DataError, InputError, TrainingError
from salet.game.game import Game
from salet.learn.files import CHECKPOINT, Arrays, read
from salet.storage import output

CHECKPOINT_FILE = "checkpoint.safetensors"
METRICS_FILE = "metrics.csv"
WEIGHTS_FILE = "weights.safetensors"
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


def read_checkpoint(directory: Path, kind: str) -> tuple[Arrays, dict[str, Any]]:
    """What the run in the directory goes on from; a run of another kind of agent is refused."""
    path = directory / CHECKPOINT_FILE
    if not path.exists():
        raise InputError(f"{str(directory)!r} holds no run to resume; leave --resume out to begin")
    arrays, header = read(path, CHECKPOINT)
    if header.get("kind") != kind:
        raise InputError(
            f"the run in {str(directory)!r} trains an agent of kind {header.get('kind')!r}, not "
            f"{kind!r}"
        )
    return arrays, header


def refuse_other(config: Any, saved: Any, directory: Path) -> None:
    """A run goes on with the configuration that it began with, or not at all."""
    for field in dataclasses.fields(config):
        now, then = getattr(config, field.name), getattr(saved, field.name)
        if now != then:
            raise InputError(
                f"the run in {str(directory)!r} has {field.name} = {then!r}, not {now!r}; resume "
                "it with its own configuration"
            )


def digest(*games: Game) -> str:
    """Tells lists of words apart: what is remembered of games are places in them."""
    words = (("answers", *game.answers, "guesses", *game.guesses) for game in games)
    return hashlib.sha256("\n".join(itertools.chain(*words)).encode()).hexdigest()


def refuse_other_words(found: str, saved: Any, name: str, directory: Path) -> None:
    """A run goes on with the words that it began with, or not at all."""
    if found != saved:
        raise InputError(
            f"the words of {name} are not those that the run in {str(directory)!r} began with; "
            "begin anew in another directory"
        )


def diverged(loss: float, number: int, directory: Path) -> TrainingError:
    """The error of a run whose loss is no number any more. To resume it would come to the same."""
    kept = ""
    if (directory / CHECKPOINT_FILE).exists():
        kept = f"; the last checkpoint in {str(directory)!r} is whole"
    return TrainingError(
        f"the loss became {loss} in round {number}{kept}; begin anew in another directory with a "
        "lower learning_rate"
    )


@contextmanager
def one_thread() -> Iterator[None]:
    """Small matrices: threads cost more than they bring."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


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
