"""When Python's collector ran, and where."""

import gc
import threading
import time

import pytest

from scopelight_agent.shim.host.codes import Codes
from scopelight_agent.shim.host.garbage_spans import GarbageSpans


@pytest.fixture
def codes():
    return Codes()


@pytest.fixture
def garbage(codes):
    made = GarbageSpans(codes)
    gc.collect()
    gc.disable()
    before = list(gc.callbacks)
    made.start()
    yield made
    made.stop()
    gc.enable()
    assert gc.callbacks == before


def rows(taken):
    return [tuple(taken[place : place + 4]) for place in range(0, len(taken), 4)]


def test_a_collection_is_told_with_its_thread_and_where_it_was(codes, garbage):
    before = time.time_ns()
    gc.collect()
    after = time.time_ns()
    taken, stacks = garbage.take()
    ((start, end, thread, number),) = rows(taken)
    assert before <= start <= end <= after
    assert thread == threading.get_ident()
    (stack,) = (stack for stack, each in stacks.items() if each == number)
    assert codes.by_id[stack[0]].co_name == "test_a_collection_is_told_with_its_thread_and_where_it_was"


def test_collections_of_other_threads_are_theirs(garbage):
    thread = threading.Thread(target=gc.collect)
    thread.start()
    thread.join()
    gc.collect()
    taken, _ = garbage.take()
    other, own = (row[2] for row in rows(taken))
    assert own == threading.get_ident() != other


def test_what_is_taken_is_taken_once(garbage):
    gc.collect()
    assert len(garbage.take()[0]) == 4
    taken, stacks = garbage.take()
    assert (len(taken), len(stacks)) == (0, 0)


def test_one_place_has_one_stack(garbage):
    for _ in range(3):
        gc.collect()
    taken, stacks = garbage.take()
    assert [row[3] for row in rows(taken)] == [0, 0, 0]
    assert len(stacks) == 1


def test_after_it_is_stopped_it_hears_nothing(garbage):
    garbage.stop()
    gc.collect()
    assert not garbage.take()[0]
    garbage.stop()


def test_a_collection_whose_start_was_not_heard_is_left_out(codes):
    garbage = GarbageSpans(codes)
    garbage._collects("stop", {})
    assert not garbage.rows
