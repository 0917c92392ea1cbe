"""Safetensors files with a JSON header: written whole or not at all, and never pickled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from salet.errors import DataError, InputError
from salet.learn.common.torch_utils import Arrays
from salet.storage import output
from salet.version import version

Header = dict[str, Any]


def write_tensors(path: Path, file_format: str, arrays: Arrays, header: Header) -> None:
    """Write the arrays and the header; on an error the old file stays as it was."""
    text = json.dumps({"format": file_format, "version": version(), **header})
    packed = save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"salet": text})
    with output(path) as file:
        file.write(packed)


def read_tensors(path: Path, file_format: str) -> tuple[Arrays, Header]:
    """Read what `write_tensors` wrote; a file of any other format is refused."""
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    try:
        with safe_open(path, "numpy") as file:
            header = json.loads((file.metadata() or {}).get("salet", "null"))
            if not isinstance(header, dict) or header.get("format") != file_format:
                raise DataError(f"{str(path)!r} is not a file of format {file_format!r}")
            return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged or not a salet file: {error}") from None


@contextmanager
def unpacking(complaint: str, *also: type[Exception]) -> Iterator[None]:
    """Turn the errors of unpacking a malformed header or array into a `DataError`."""
    errors: tuple[type[Exception], ...] = (KeyError, TypeError, ValueError, RuntimeError, *also)
    try:
        yield
    except errors as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"{complaint}: {reason}") from None
