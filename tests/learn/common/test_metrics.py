"""The metrics file of a run."""

from __future__ import annotations

import pytest

from salet.errors import DataError
from salet.learn.common.metrics import MetricsFile, MetricsRow, read_metrics


class Row(MetricsRow, frozen=True, kw_only=True):
    loss: float
    mean: float | None


def test_rows_are_read_as_they_were_written(tmp_path):
    metrics = MetricsFile(Row, tmp_path, 0)
    rows = [Row(round=1, loss=0.1 + 0.2, mean=None), Row(round=2, loss=1e-30, mean=3.5)]
    for row in rows:
        metrics.append(row)
    assert read_metrics(Row, tmp_path / "metrics.csv") == rows
    assert (tmp_path / "metrics.csv").read_text().splitlines()[0] == "round,loss,mean"


def test_rows_after_the_checkpoint_are_dropped_on_resuming(tmp_path):
    metrics = MetricsFile(Row, tmp_path, 0)
    for number in range(1, 5):
        metrics.append(Row(round=number, loss=0.0, mean=None))
    resumed = MetricsFile(Row, tmp_path, 2)
    assert [row.round for row in resumed.rows] == [1, 2]
    resumed.append(Row(round=3, loss=1.0, mean=None))
    assert [row.loss for row in read_metrics(Row, tmp_path / "metrics.csv")] == [0.0, 0.0, 1.0]


def test_missing_and_damaged_files(tmp_path):
    path = tmp_path / "metrics.csv"
    assert read_metrics(Row, path) == []
    path.write_text("round,loss,mean\n1,low,\n")
    with pytest.raises(DataError, match="is damaged"):
        read_metrics(Row, path)
