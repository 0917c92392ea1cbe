"""The option that names a cluster, and the connection to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from salet.cli.render.progress import live_progress
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.search.executor import Executor

scheduler_option = click.option(
    "--scheduler", metavar="tcp://HOST:PORT",
    help="Run on a dask cluster; --memory is then that of each worker.",
)  # fmt: skip


@contextlib.contextmanager
def executor_at(scheduler: str | None, game: Game, memory: float) -> Iterator[Executor | None]:
    """The executor of the cluster at this address while the block lasts; None without an address.

    `memory` is that of each worker, in gigabytes.
    """
    if scheduler is None:
        yield None
        return
    from salet.cluster import connected

    with contextlib.ExitStack() as stack:
        with live_progress(f"connecting to {scheduler}"):
            cluster = stack.enter_context(connected(scheduler))
        yield cluster.executor(game, memory)


def check_cluster_options(
    scheduler: str | None,
    *,
    threads: int | None,
    seconds: float | None = None,
    width: int | None = None,
) -> None:
    """Refuse options that a cluster cannot follow."""
    if scheduler is None:
        return
    if threads is not None:
        raise InputError("--threads is for this machine; with --scheduler give it to the workers")
    if seconds is not None:
        raise InputError("--seconds is for this machine; with --scheduler stop the run by Ctrl-C")
    if width is not None:
        raise InputError("--width is for this machine; leave it out, or --scheduler")
