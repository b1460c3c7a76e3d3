"""Queues, found by who waits in them, and how full they are."""

import gc
import multiprocessing
import queue
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import pytest

from scopelight_agent.shim.host import queues as queues_module
from scopelight_agent.shim.host.codes import frames_of_others
from scopelight_agent.shim.host.queues import Queues, _grain_processes, _torch_loader

LONGEST_WAIT_SECONDS = 30


@pytest.fixture
def waiting():
    """Start a thread that waits in a call, until the end of the test, in which ``let_go`` ends its waiting."""
    ending = []

    def wait_in(call, let_go):
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        ending.append((thread, let_go))
        return thread

    yield wait_in
    for thread, let_go in ending:
        let_go()
        thread.join(LONGEST_WAIT_SECONDS)
        assert not thread.is_alive()


def look_until(queues, is_so):
    end = time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        queues.look(sys._current_frames())
        if is_so():
            return
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.005)


def rows(taken):
    return [tuple(taken[place : place + 4]) for place in range(0, len(taken), 4)]


def test_a_queue_that_a_thread_waits_in_is_found_and_counted_from_then_on(waiting):
    queues, of = Queues(), queue.Queue(3)
    thread = waiting(of.get, lambda: of.put(None))
    look_until(queues, lambda: queues.found)
    (found,) = queues.described()
    assert (found["kind"], found["class"], found["thread"], found["id"]) == ("queue", "Queue", thread.ident, id(of))
    before = time.time_ns()
    of.put(1)
    of.put(2)
    of.put(3)
    queues.take()
    queues.look({})
    ((at, number, held, capacity),) = rows(queues.take())
    assert at >= before
    assert (number, capacity) == (0, 3)
    # The thread that waited may have had one of them.
    assert held in (2, 3)
    assert not queues.take()


def test_how_often_each_thread_was_seen_at_each_end_is_told(waiting):
    queues, of = Queues(), queue.Queue(1)
    of.put(0)
    putting = [waiting(lambda: of.put(1), of.get) for _ in range(2)]
    look_until(queues, lambda: queues.found and len(queues._ends[0]) == 2)
    queues.look(sys._current_frames())
    (found,) = queues.described()
    ends = {ident: times for ident, name, times in found["ends"] if name == "put"}
    assert set(ends) == {each.ident for each in putting}
    assert min(ends.values()) >= 2
    assert queues.alive("queue") == [of]
    assert queues.alive("torch") == []


def test_queues_without_bounds_and_of_other_kinds_are_counted_too(waiting):
    queues, last = Queues(), queue.LifoQueue()
    waiting(last.get, lambda: last.put(None))
    look_until(queues, lambda: queues.found)
    assert queues.found[0]["class"] == "LifoQueue"
    assert rows(queues.take())[-1][2:] == (0, 0)


def test_a_queue_of_processes_is_found(waiting):
    queues, of = Queues(), multiprocessing.get_context("spawn").Queue(5)
    waiting(of.get, lambda: of.put(None))
    look_until(queues, lambda: queues.found)
    assert queues.found[0]["kind"] == "processes"
    assert rows(queues.take())[-1][2:] == (0, 5)


def test_a_queue_that_nobody_waits_in_is_not_found():
    queues, of = Queues(), queue.Queue()
    of.put(1)
    queues.look(sys._current_frames())
    assert not [each for each in queues.found if each["id"] == id(of)]


def test_no_queue_is_kept_alive(waiting):
    queues, of = Queues(), queue.Queue()
    thread = waiting(of.get, lambda: None)
    look_until(queues, lambda: queues.found)
    of.put(None)
    thread.join()
    gone = weakref.ref(of)
    del of
    gc.collect()
    assert gone() is None
    queues.take()
    queues.look({})
    assert not queues.take()
    assert len(queues.described()) == 1, "what is known of it stays"


def test_what_threads_hold_is_gone_with_their_frames_and_not_only_when_garbage_is_collected():
    class Batch:
        pass

    ready, enough = threading.Event(), threading.Event()
    held = []

    def load():
        batch = Batch()
        held.append(weakref.ref(batch))
        ready.set()
        enough.wait(LONGEST_WAIT_SECONDS)

    def sample(queues):
        # As the sampler does: were its own frame one of them, it would hold them all.
        frames = frames_of_others()
        queues.look(frames)

    thread = threading.Thread(target=load)
    gc.disable()
    try:
        thread.start()
        assert ready.wait(LONGEST_WAIT_SECONDS)
        sample(Queues())
        enough.set()
        thread.join(LONGEST_WAIT_SECONDS)
        assert held[0]() is None
    finally:
        gc.enable()


def test_what_has_taken_the_place_of_one_that_is_gone_is_another(monkeypatch):
    class Made:
        def get(self):
            queues.look({7: sys._getframe()})

        def qsize(self):
            return 1

        maxsize = 0

    monkeypatch.setattr(queues_module, "_WAITS", (("test_queues.py", ("get",), "queue", queues_module._plain),))
    queues = Queues()
    first = Made()
    first.get()
    key, second = id(first), Made()
    # As if the second had the place in memory that the first had.
    queues._known[id(second)] = queues._known.pop(key)
    second.get()
    assert [each["id"] for each in queues.found] == [key, id(second)]


def test_no_more_than_so_many_are_looked_at(monkeypatch):
    class Made:
        maxsize = 0

        def get(self):
            queues.look({7: sys._getframe()})

        def qsize(self):
            return 1

    monkeypatch.setattr(queues_module, "_WAITS", (("test_queues.py", ("get",), "queue", queues_module._plain),))
    monkeypatch.setattr(queues_module, "MOST_QUEUES", 3)
    queues, made = Queues(), [Made() for _ in range(5)]
    for each in made:
        each.get()
    assert len(queues.found) == 3


def test_what_cannot_be_counted_is_no_queue(monkeypatch):
    class Broken:
        def get(self):
            queues.look({7: sys._getframe()})

    monkeypatch.setattr(queues_module, "_WAITS", (("test_queues.py", ("get",), "queue", queues_module._plain),))
    queues = Queues()
    Broken().get()
    assert not queues.found
    assert not queues.rows


@pytest.mark.parametrize("pin_memory", [False, True])
@pytest.mark.parametrize(("turn", "held"), [(3, 1), (4, 3), (5, 2)])
def test_batches_of_torch_that_came_out_of_order_wait_for_the_one_that_is_missing(pin_memory, turn, held):
    filled, empty = queue.Queue(), queue.Queue()
    filled.put(1)
    loader = SimpleNamespace(
        _pin_memory=pin_memory,
        _worker_result_queue=empty if pin_memory else filled,
        _data_queue=filled if pin_memory else empty,
        _task_info={3: (0,), 4: (1, "batch"), 5: (0, "batch")},
        _rcvd_idx=turn,
        _prefetch_factor=2,
        _num_workers=3,
    )
    assert _torch_loader(loader) == (held, 6)


LOADER = "/site-packages/torch/utils/data/dataloader.py"


def loader_class(file, source):
    """A class whose methods are of a file."""
    made = {}
    exec(compile(source, file, "exec"), made)
    return made["Made"]


def test_a_loader_that_makes_its_data_itself_is_found_and_is_no_queue():
    of_library = loader_class(LOADER, "class Made:\n    def _next_data(self):\n        return self.make()")
    queues = Queues()

    class Loader(of_library):
        def make(self):
            queues.look({7: sys._getframe()})

    loader, other = Loader(), Loader()
    loader._dataset_fetcher = "as torch has it"
    loader._next_data()
    loader._next_data()
    other._next_data()
    assert queues.alive("torch") == [loader]
    assert queues.described() == []
    kept = weakref.ref(loader)
    del loader
    gc.collect()
    assert kept() is None
    assert queues.alive("torch") == []


def test_a_queue_in_which_a_loader_waits_is_a_part_of_it(waiting):
    of_library = loader_class(LOADER, "class Made:\n    def _next_data(self):\n        return self._queue.get()")
    queues, loader = Queues(), of_library()
    loader._queue = loader._worker_result_queue = queue.Queue()
    loader._pin_memory, loader._task_info, loader._rcvd_idx = False, {}, 0
    loader._prefetch_factor, loader._num_workers = 2, 1
    waiting(loader._next_data, lambda: loader._queue.put(None))
    look_until(queues, lambda: queues.found)
    queues.look(sys._current_frames())
    assert [(each["kind"], each["id"]) for each in queues.found] == [("torch", id(loader))]


def test_of_processes_that_are_asked_in_turn_the_next_ones_count():
    def process(in_thread, in_process):
        ahead, shared = queue.Queue(1), queue.Queue()
        for each, number in ((ahead, in_thread), (shared, in_process)):
            for _ in range(number):
                each.put(0)
        return SimpleNamespace(_buffer=ahead, _maybe_nonnative_parent=SimpleNamespace(_buffer=shared, _buffer_size=2))

    def held(turn, *own):
        return _grain_processes(SimpleNamespace(_next_index_in_cycle=turn, _iterators_in_use=own))

    assert held(0, process(1, 2), process(1, 2)) == (6, 6)
    # The one whose turn it is has nothing, however much the other has.
    assert held(0, process(0, 0), process(1, 2)) == (0, 6)
    assert held(1, process(0, 0), process(1, 2)) == (1, 6)
    assert held(0, process(1, 0), None, process(1, 2)) == (2, 6)
