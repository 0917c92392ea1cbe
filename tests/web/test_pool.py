"""The pool: bounded, fair to newcomers, and done with clients that have left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from salet.web.pool import BusyError, Pool
from salet.web.settings import Settings


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(Settings(workers=1, waiting=2, per_client=2))
    yield made
    made.close()


async def _all(pool: Pool, work: Callable[..., Iterator[int]]) -> list[int]:
    return [result async for result in pool.stream(work)]


def test_results_come_in_order(pool: Pool) -> None:
    assert asyncio.run(_all(pool, lambda _stop: iter(range(5)))) == [0, 1, 2, 3, 4]


def test_an_error_of_the_work_is_raised_to_whoever_waits(pool: Pool) -> None:
    def work(_stop: object) -> Iterator[int]:
        yield 1
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(_all(pool, work))
    assert asyncio.run(_all(pool, lambda _stop: iter([7]))) == [7]  # the worker lives on


def test_whoever_leaves_stops_the_work(pool: Pool) -> None:
    stopped = threading.Event()

    def work(stop: Callable[[], bool]) -> Iterator[int]:
        try:
            yield 0
            while not stop():
                yield 1
        finally:
            stopped.set()

    async def leave() -> None:
        results = pool.stream(work)
        async for _ in results:
            break
        await results.aclose()

    asyncio.run(leave())
    assert stopped.wait(20)


def test_a_newcomer_is_served_before_those_who_wait_for_better(pool: Pool) -> None:
    order: list[str] = []
    begun = threading.Event()

    def long(_stop: object) -> Iterator[int]:
        for step in range(4):
            order.append(f"long {step}")
            if step == 0:
                begun.wait(20)  # until the newcomer stands in the queue
            yield step

    def short(_stop: object) -> Iterator[int]:
        order.append("short")
        yield 0

    async def both() -> None:
        first = asyncio.create_task(_all(pool, long))
        await asyncio.sleep(0)
        second = asyncio.create_task(_all(pool, short))
        await asyncio.sleep(0)
        begun.set()
        await asyncio.gather(first, second)

    asyncio.run(both())
    assert order.index("short") == 1


def test_seats_are_counted_by_client_and_in_all(pool: Pool) -> None:
    with pool.seat("a"), pool.seat("a"):
        with pytest.raises(BusyError, match="2 searches under way") as told, pool.seat("a"):
            pass
        assert told.value.status == 429
        with pool.seat("b"):
            with pytest.raises(BusyError, match="queue is full") as told, pool.seat("c"):
                pass
            assert told.value.status == 503
    assert not pool.seats


def test_a_closed_pool_keeps_nobody_waiting(pool: Pool) -> None:
    pool.close()
    with pytest.raises(BusyError, match="being stopped"):
        asyncio.run(_all(pool, lambda _stop: iter([1])))


def test_the_api_says_when_it_is_busy(make_client) -> None:
    for settings, status in (({"per_client": 0}, 429), ({"workers": 1, "waiting": -1}, 503)):
        client = make_client(**settings)
        for path in ("/api/suggest", "/api/suggest/stream"):
            found = client.post(path, json={"game": "original"})
            assert found.status_code == status
            assert found.headers["retry-after"] == "2"
            assert found.json()["detail"]
