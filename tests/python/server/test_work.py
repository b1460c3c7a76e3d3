"""The cache: computations that several requests share, and what is kept of them."""

import asyncio
import threading
from pathlib import Path

import pytest

from scopelight.server import work
from scopelight.server.work import KEPT, THREADS, Cache, Key, Work, begin

pytestmark = pytest.mark.asyncio

RUN = Key("profile", Path("run"))


@pytest.fixture
def gate():
    """Holds computations until it is opened; it opens with the end of the test."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def cache():
    return Cache(Work())


async def test_requests_for_one_thing_share_one_computation(cache, gate):
    calls = []

    def compute():
        gate.wait()
        calls.append(1)
        return object()

    pending = [asyncio.create_task(cache.get(RUN, compute)) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    first, *others = await asyncio.gather(*pending)
    assert all(each is first for each in others)
    assert await cache.get(RUN, compute) is first
    assert len(calls) == 1
    assert cache.statistics("profile") == "computed 1, shared 2, reused 1, kept 1"


async def test_memory_is_given_back_once_no_work_has_ended_for_a_while(cache, monkeypatch):
    given_back = threading.Event()
    monkeypatch.setattr(work, "IDLE_SECONDS", 0.2)
    monkeypatch.setattr(work, "give_back_freed_memory", given_back.set)
    for number in range(3):
        await cache.get(Key("profile", Path(str(number))), object)
    assert not given_back.is_set()
    await asyncio.to_thread(given_back.wait, 10)
    assert given_back.is_set()
    given_back.clear()
    cache.forget(Path("2"))
    await asyncio.to_thread(given_back.wait, 10)
    assert given_back.is_set()


async def test_one_that_is_cancelled_leaves_the_others_waiting(cache, gate):
    cancelled, kept = (asyncio.create_task(cache.get(RUN, lambda: gate.wait() and "done")) for _ in range(2))
    await asyncio.sleep(0)
    cancelled.cancel()
    gate.set()
    assert await kept == "done"
    assert cancelled.cancelled()


async def test_what_no_one_waits_for_is_not_begun(cache, gate):
    began = []
    busy = [
        asyncio.create_task(cache.get(Key("profile", Path(str(number))), gate.wait))
        for number in range(THREADS["long"])
    ]
    waiting = asyncio.create_task(cache.get(RUN, lambda: began.append(1)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*busy)
    assert await cache.get(Key("profile", Path("another")), lambda: "done") == "done"
    assert began == []


async def test_what_was_begun_is_kept_for_the_next_who_asks(cache, gate):
    began = threading.Event()

    def compute():
        began.set()
        gate.wait()
        return "done"

    first = asyncio.create_task(cache.get(RUN, compute))
    await asyncio.sleep(0)
    began.wait()
    first.cancel()
    await asyncio.sleep(0)
    second = asyncio.create_task(cache.get(RUN, compute))
    await asyncio.sleep(0)
    gate.set()
    assert await second == "done"
    assert cache.statistics("profile").startswith("computed 1, shared 1")


async def test_errors_reach_all_who_wait_and_are_not_kept(cache):
    def fail():
        raise OSError("gone")

    results = await asyncio.gather(*(cache.get(RUN, fail) for _ in range(2)), return_exceptions=True)
    assert [str(error) for error in results] == ["gone", "gone"]
    assert await cache.get(RUN, lambda: "mended") == "mended"


async def test_a_request_just_after_a_failure_starts_anew(cache, gate):
    """The failed computation has ended, and the event loop has not come to say so."""

    def fail():
        gate.wait()
        raise OSError("gone")

    failed = asyncio.create_task(cache.get(RUN, fail))
    await asyncio.sleep(0)
    (running,) = cache._running.values()
    gate.set()
    with pytest.raises(OSError, match="gone"):
        # Blocks the loop until the thread has ended.
        running.future.result(60)
    assert await cache.get(RUN, lambda: "mended") == "mended"
    with pytest.raises(OSError, match="gone"):
        await failed


async def test_only_the_latest_results_of_each_kind_are_kept(cache):
    most = KEPT["profile"]
    for number in range(most + 1):
        key = Key("profile", Path(str(number)))
        await cache.get(key, lambda number=number: number)
        await cache.get(key, lambda: "never")
    await cache.get(Key("run", Path("0")), lambda: "of another kind")
    assert await cache.get(Key("profile", Path("0")), lambda: "again") == "again"
    assert await cache.get(Key("profile", Path(str(most))), lambda: "never") == most
    assert await cache.get(Key("run", Path("0")), lambda: "never") == "of another kind"


async def test_what_is_forgotten_is_computed_anew(cache):
    other = Key("profile", Path("other"))
    for key in (RUN, other):
        await cache.get(key, lambda: "before")
    await cache.get(Key("run", RUN.path), lambda: "before")
    cache.forget(RUN.path, "profile")
    assert await cache.get(RUN, lambda: "anew") == "anew"
    assert await cache.get(other, lambda: "never") == "before"
    assert await cache.get(Key("run", RUN.path), lambda: "never") == "before"


async def test_what_is_forgotten_does_not_come_back_from_running_work(cache, gate):
    waiting = asyncio.create_task(cache.get(RUN, lambda: gate.wait() and "mapped before"))
    await asyncio.sleep(0)
    cache.forget(RUN.path)
    gate.set()
    assert await waiting == "mapped before"
    await asyncio.sleep(0)
    assert cache.statistics("profile").endswith("kept 0")
    assert await cache.get(RUN, lambda: "anew") == "anew"


async def test_a_request_that_goes_on_after_its_run_was_forgotten_keeps_nothing(cache, gate):
    """Its first result is of before, and it computes the next one from that."""
    subject = Key("subject", RUN.path)

    async def request():
        begin()
        profile = await cache.get(RUN, lambda: gate.wait() and "mapped")
        return await cache.get(subject, lambda: f"{profile}, seen")

    waiting = asyncio.create_task(request())
    await asyncio.sleep(0)
    cache.forget(RUN.path)
    gate.set()
    assert await waiting == "mapped, seen"
    await asyncio.sleep(0)
    assert cache.statistics("subject").endswith("kept 0")

    async def later():
        begin()
        return await cache.get(subject, lambda: "anew")

    assert await asyncio.create_task(later()) == "anew"
    assert cache.statistics("subject").endswith("kept 1")
