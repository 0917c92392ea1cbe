"""Proofs on a cluster: a scheduler and workers on loopback, some of which die."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from salet import Game, SaletError, solve
from salet.cluster import connected, decide_job, dispatch, jobs, worker
from salet.cluster.worker import SharedGame
from salet.search.prove import Proof, ProofProgress, prove
from salet.search.solve import Solution
from salet.verification.certificate_check import check_certificate

TOP = Path(__file__).resolve().parents[2]
GAME = "original:first=120"


class DaskCluster:
    """A scheduler and its workers."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.running: list[subprocess.Popen[str]] = []
        page = (TOP / "docs" / "cluster.md").read_text().replace("192.168.0.2", "127.0.0.1")
        self.arguments = dict(re.findall(r"^(dask (?:scheduler|worker)) (.*)$", page, re.MULTILINE))
        listening = r"Scheduler at:\s+(tcp://127.0.0.1:\d+)"
        self.scheduler, self.address = self._start("dask scheduler", "8786", "0", listening)

    def worker(self) -> subprocess.Popen[str]:
        documented = "tcp://127.0.0.1:8786"
        process, _ = self._start("dask worker", documented, self.address, r"Registered to:\s+(\S+)")
        return process

    def _start(
        self, kind: str, documented: str, actual: str, ready: str
    ) -> tuple[subprocess.Popen[str], str]:
        """Start a program as docs/cluster.md does, and wait until it reports that it is ready."""
        arguments = self.arguments[kind].replace(documented, actual).split()
        if kind == "dask worker":  # nobody restarts it
            arguments.append("--no-nanny")
        process = subprocess.Popen(
            [sys.executable, "-m", *kind.split(), *arguments],
            cwd=self.directory,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.running.append(process)
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(ready, line):
                return process, found[1]
        raise AssertionError(f"{kind} did not start")

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.communicate()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskCluster]:
    started = DaskCluster(tmp_path)
    try:
        yield started
    finally:
        started.end()


def result(proof: Proof) -> tuple[object, ...]:
    return proof.best, proof.total, proof.ranking, proof.lower, proof.upper, proof.proven


@pytest.mark.slow
def test_a_killed_worker_costs_time_not_the_result(
    dask: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide_job, "BATCH_SECONDS", 0.5)
    game = Game.named(GAME)
    alone = prove(game, ranking=3)
    victim = dask.worker()
    dask.worker()
    seen: list[ProofProgress] = []

    def report(now: ProofProgress) -> None:
        seen.append(now)
        if victim.poll() is None and now.left < now.openers:
            assert now.left > 0
            victim.kill()
            victim.wait()

    with connected(dask.address, timeout=60) as there:
        run = there.executor(game, memory=0.2)
        together = prove(game, ranking=3, progress=report, executor=run, checkpoint=tmp_path / "c")
        assert victim.returncode == -signal.SIGKILL
        assert result(together) == result(alone)
        assert sum(together.openers.values()) == len(game.guesses)
        assert together.nodes > 0
        for moment in seen:
            assert moment.lower <= alone.total
            assert moment.upper is None or moment.upper >= alone.total
        # the checkpoint holds what the workers decided
        again = prove(game, ranking=3, checkpoint=tmp_path / "c")
        assert (result(again), again.nodes) == (result(alone), 0)

        weighted = Game.named("original:first=30").replace(weights=range(1, 31), mode="hard")
        assert result(prove(weighted, executor=there.executor(weighted, 0.1))) == result(
            prove(weighted)
        )


def facts(solution: Solution) -> dict[str, object]:
    known = solution.to_dict()
    for name in ("nodes", "seconds", "cpu_seconds", "peak_mb"):
        del known[name]
    return {**known, "plan": solution.plan and solution.plan.text()}


@pytest.mark.slow
def test_one_opener_is_shared_by_workers_that_come_and_go(
    dask: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide_job, "MAX_AT_ONCE", 3)  # every part is a task of its own
    first, busy = dask.worker(), set()
    hand_over = decide_job.DecideJob.collect

    def collect(
        job: decide_job.DecideJob, task: jobs.ClusterTask, outcome: worker.TaskResult
    ) -> None:
        if busy or job.root.split:
            busy.add(task.address)
        else:  # the only opener was decided before it was split: its parts are shared all the same
            outcome, task.stopping = replace(outcome, results=[]), "split"
        hand_over(job, task, outcome)
        if busy and first.poll() is None:  # after the first part one goes, and one comes
            first.kill()
            first.wait()
            dask.worker()

    monkeypatch.setattr(decide_job.DecideJob, "collect", collect)
    game = Game.named("bulls-and-cows:3x6")
    with connected(dask.address, timeout=60) as there:
        executor = there.executor(game, memory=0.1)
        together = prove(game, executor=executor, certificate=True)
        assert len(busy) == 2 and first.returncode == -signal.SIGKILL
        assert result(together) == result(prove(game))
        assert together.certificate is not None
        together.certificate.save(tmp_path / "c.cert")
        plan = solve(game, executor=executor)
        assert facts(plan) == facts(solve(game))
        assert plan.plan is not None
        plan.plan.save(tmp_path / "p.json")
    checked = check_certificate(tmp_path / "c.cert", game, plan=tmp_path / "p.json")
    assert checked.optimal


@pytest.mark.slow
def test_a_task_that_kills_its_workers_is_given_up(
    dask: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> worker.TaskResult:
        os._exit(1)

    dask.worker()
    monkeypatch.setattr(decide_job.worker, "decide", die)
    monkeypatch.setattr(dispatch, "_MAX_ATTEMPTS", 1)
    game = Game.named("mastermind:2x3")
    with (
        connected(dask.address, timeout=60) as there,
        pytest.raises(SaletError, match="workers die on 1 openers from number"),
    ):
        prove(game, executor=there.executor(game, memory=0.1))


@pytest.mark.slow
def test_a_lost_scheduler_is_reported(dask: DaskCluster) -> None:
    dask.worker()

    def report(_: ProofProgress) -> None:
        dask.scheduler.kill()
        dask.scheduler.wait()

    with (
        connected(dask.address, timeout=10) as there,
        pytest.raises(SaletError, match="is gone; restart it"),
    ):
        game = Game.named(GAME)
        prove(game, progress=report, executor=there.executor(game, memory=0.1))


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    task = SharedGame.of(Game.named("mastermind:2x2"), 0.01)
    assert task.open().name == "mastermind:2x2"
    monkeypatch.setattr(worker, "version", lambda: "9.9")
    with pytest.raises(SaletError, match=r"a worker has salet 9\.9 and this is"):
        task.open()


@pytest.mark.slow
def test_a_scheduler_without_workers(dask: DaskCluster) -> None:
    with (
        pytest.raises(SaletError, match=f"no workers .* dask worker {dask.address}"),
        connected(dask.address, timeout=0.5),
    ):
        pass


@pytest.fixture
def silent() -> Iterator[str]:
    """Address of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def closed() -> str:
    """Address that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("who", ["silent", "closed"])
def test_schedulers_that_do_not_answer(who: str, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue(who)
    with (
        pytest.raises(SaletError, match=f"no scheduler answers at {address}"),
        connected(address, timeout=0.5),
    ):
        pass


@pytest.mark.parametrize("address", ["", "host", "host:80", "http://a:1", "tcp://a", "tcp://a:b"])
def test_malformed_addresses(address: str) -> None:
    with pytest.raises(SaletError, match="tcp://HOST:PORT"), connected(address):
        pass


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SaletError, match=r"pip install 'salet\[cluster\]'"), connected("tcp://a:1"):
        pass
