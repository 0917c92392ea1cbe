"""Safetensors files with a JSON header."""

from __future__ import annotations

import numpy as np
import pytest

from salet.errors import DataError, InputError
from salet.learn.common.tensor_file import read_tensors, unpacking, write_tensors


def test_arrays_and_header_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "f.safetensors"
    arrays = {"a": np.arange(6, dtype=np.int16).reshape(2, 3).T, "b": np.array([0.1])}
    write_tensors(path, "kind 1", arrays, {"name": "é", "sizes": [1, 2]})
    found, header = read_tensors(path, "kind 1")
    assert (header["name"], header["sizes"], header["format"]) == ("é", [1, 2], "kind 1")
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "f.safetensors"
    with pytest.raises(InputError, match=r"no file '.*f\.safetensors'"):
        read_tensors(path, "kind 1")
    write_tensors(path, "kind 1", {"a": np.zeros(100)}, {})
    with pytest.raises(DataError, match="is not a file of format 'kind 2'"):
        read_tensors(path, "kind 2")
    good = path.read_bytes()
    for text in (good[:50], good[:-50], b"", b"\x80\x04pickle", b'{"a": 1}'):
        path.write_bytes(text)
        with pytest.raises(DataError, match="is damaged or not a salet file"):
            read_tensors(path, "kind 1")


def test_errors_of_unpacking_become_data_errors():
    with (
        pytest.raises(DataError, match="the file is damaged: 'round'"),
        unpacking("the file is damaged"),
    ):
        {}["round"]
    with pytest.raises(InputError, match="wrong"), unpacking("damaged"):
        raise InputError("wrong")
    with pytest.raises(DataError, match="damaged: wrong"), unpacking("damaged", InputError):
        raise InputError("wrong")
