"""Pools of threads and of processes, as Python's own modules keep them: nothing is kept alive by being told of."""

import functools
import gc
import multiprocessing
import multiprocessing.pool
import threading
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import _process_chunk

import pytest

from scopelight_agent.shim.host.given import function_of
from scopelight_agent.shim.host.operations import described
from scopelight_agent.shim.host.pools import pools
from scopelight_agent.shim.host.queues import Queues

LONGEST_WAIT_SECONDS = 30


def pool_of(id_):
    return next((each for each in described(Queues()) if each["id"] == id_), None)


def double(number):
    return 2 * number


def test_an_executor_of_threads_with_those_that_it_has():
    enough = threading.Event()
    with ThreadPoolExecutor(3, thread_name_prefix="decoder") as pool:
        futures = [pool.submit(enough.wait) for _ in range(2)]
        found = pool_of(id(pool))
        assert (found["kind"], found["class"], found["called"]) == ("threads", "ThreadPoolExecutor", "decoder")
        # So many it may have, so many it has.
        assert (found["threads"], len(found["members"])) == (3, 2)
        assert set(found["members"]) == {each.ident for each in pool._threads}
        enough.set()
        assert all(each.result(LONGEST_WAIT_SECONDS) for each in futures)


def test_an_executor_without_a_name_is_called_by_its_class():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(double, 1).result(LONGEST_WAIT_SECONDS)
        assert "called" not in pool_of(id(pool))


def test_an_executor_that_is_gone_is_told_of_no_more():
    pool = ThreadPoolExecutor(1)
    pool.submit(double, 1).result(LONGEST_WAIT_SECONDS)
    key, kept, threads = id(pool), weakref.ref(pool), list(pool._threads)
    assert pool_of(key) is not None
    del pool
    gc.collect()
    assert kept() is None
    for each in threads:
        each.join(LONGEST_WAIT_SECONDS)
    gc.collect()
    assert pool_of(key) is None


def test_an_executor_of_processes_with_their_numbers_and_what_it_was_given():
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(1, context) as pool:
        enough = manager.Event()
        futures = [pool.submit(enough.wait), pool.submit(double, 1)]
        found = pool_of(id(pool))
        assert (found["kind"], found["class"], found["threads"]) == ("processes", "ProcessPoolExecutor", 1)
        assert found["processes"] == list(pool._processes)
        assert found["members"] == []
        enough.set()
        assert futures[1].result(LONGEST_WAIT_SECONDS) == 2


def test_the_function_behind_a_map_over_processes():
    line = double.__code__.co_firstlineno
    for given in (double, functools.partial(double, 1), functools.partial(_process_chunk, double)):
        found = function_of(given)
        assert (found["function"], found["called"]) == ([__file__, "double", line], "double")
    chunked = functools.partial(_process_chunk, functools.partial(double, 1))
    assert function_of(chunked)["function"] == [__file__, "double", line]
    assert function_of(functools.partial(_process_chunk)) == {}


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_pool_of_multiprocessing(kind):
    make = multiprocessing.pool.ThreadPool if kind == "threads" else multiprocessing.get_context("spawn").Pool
    with make(2) as pool:
        (found,) = (each for each in pools() if each["class"] == ("ThreadPool" if kind == "threads" else "Pool"))
        assert (found["kind"], found["workers"]) == (kind, 2)
        numbers = found["members" if kind == "threads" else "processes"]
        assert numbers == [each.ident if kind == "threads" else each.pid for each in pool._pool]
        # Whoever stops processes before they have come up waits for them in vain.
        assert pool.apply(double, (1,)) == 2
