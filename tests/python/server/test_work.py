"""Computations that several requests share."""

import asyncio
import threading

import pytest

from scopelight.server.work import LONG_THREADS, Shared, Work

pytestmark = pytest.mark.asyncio


@pytest.fixture
def gate():
    """Holds computations until it is opened; it opens with the end of the test."""
    event = threading.Event()
    yield event
    event.set()


async def test_requests_for_one_thing_share_one_computation(gate):
    shared = Shared(Work(), kept=2)
    calls = []

    def compute():
        gate.wait()
        calls.append(1)
        return object()

    pending = [asyncio.create_task(shared.get("run", compute)) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    first, *others = await asyncio.gather(*pending)
    assert all(each is first for each in others)
    assert await shared.get("run", compute) is first
    assert (len(calls), shared.computed, shared.joined, shared.reused) == (1, 1, 2, 1)


async def test_one_that_is_cancelled_leaves_the_others_waiting(gate):
    shared = Shared(Work(), kept=2)
    cancelled, kept = (asyncio.create_task(shared.get("run", lambda: gate.wait() and "done")) for _ in range(2))
    await asyncio.sleep(0)
    cancelled.cancel()
    gate.set()
    assert await kept == "done"
    assert cancelled.cancelled()


async def test_what_no_one_waits_for_is_not_begun(gate):
    shared = Shared(Work(), kept=2)
    began = []
    busy = [asyncio.create_task(shared.get(number, gate.wait)) for number in range(LONG_THREADS)]
    waiting = asyncio.create_task(shared.get("run", lambda: began.append(1)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*busy)
    assert await shared.get("another", lambda: "done") == "done"
    assert began == []


async def test_what_was_begun_is_kept_for_the_next_who_asks(gate):
    shared = Shared(Work(), kept=2)
    began = threading.Event()

    def compute():
        began.set()
        gate.wait()
        return "done"

    first = asyncio.create_task(shared.get("run", compute))
    await asyncio.sleep(0)
    began.wait()
    first.cancel()
    await asyncio.sleep(0)
    second = asyncio.create_task(shared.get("run", compute))
    await asyncio.sleep(0)
    gate.set()
    assert await second == "done"
    assert shared.computed == 1


async def test_errors_reach_all_who_wait_and_are_not_kept():
    shared = Shared(Work(), kept=2)

    def fail():
        raise OSError("gone")

    results = await asyncio.gather(*(shared.get("run", fail) for _ in range(2)), return_exceptions=True)
    assert [str(error) for error in results] == ["gone", "gone"]
    # The failed one is dropped in one of the loop's next turns.
    while True:
        try:
            assert await shared.get("run", lambda: "mended") == "mended"
        except OSError:
            await asyncio.sleep(0)
        else:
            break


async def test_only_the_latest_results_are_kept():
    shared = Shared(Work(), kept=2)
    for key in "abc":
        await shared.get(key, lambda key=key: key)
        await shared.get(key, lambda: "never")
    await shared.get("a", lambda: "again")
    assert shared.computed == 4
    shared.forget(lambda key: key == "a")
    assert await shared.get("a", lambda: "anew") == "anew"
