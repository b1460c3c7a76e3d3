"""Of what operations the input is made: what libraries hold is told, and nothing of it is disturbed or kept."""

import functools
import gc
import queue
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import pytest

from scopelight.capture.shim.host.operations import MOST_OPERATIONS, described
from scopelight.capture.shim.host.queues import Queues

STATS = "grain._src.python.dataset.stats"


class Node:
    """As grain's operations are: what they read from, and what they were given."""

    def __init__(self, *parents, **own):
        self._parents = parents
        self.__dict__.update(own)


class Decode:
    def map(self, element):
        return element


def a_function(element):
    return element


@pytest.fixture
def grain(monkeypatch):
    """Make iterators those that the script reads from."""

    def make(*roots):
        registry = {weakref.ref(each) for each in roots}
        monkeypatch.setitem(sys.modules, STATS, SimpleNamespace(_iter_weakref_registry=registry))

    return make


def test_without_libraries_there_is_nothing():
    assert described(Queues()) == []


def test_the_tree_of_grain_from_the_iterator_down(grain):
    source = Node()
    mapped = Node(source, _transform=Decode())
    root = Node(_map_parent=mapped, _target_num_threads=2, _target_prefetch_buffer_size=4)
    grain(root)
    found = {each["id"]: each for each in described(Queues())}
    assert list(found) == [id(root), id(mapped), id(source)]
    assert (found[id(root)]["threads"], found[id(root)]["capacity"]) == (2, 4)
    assert [each["inputs"] for each in found.values()] == [[id(mapped)], [id(source)], []]
    file, name, line = found[id(mapped)]["function"]
    assert (file, name, line) == (__file__, name, Decode.map.__code__.co_firstlineno)
    assert name.endswith("map")
    assert found[id(mapped)]["called"] == "Decode"
    assert "function" not in found[id(source)]


@pytest.mark.parametrize(
    "given",
    [
        a_function,
        functools.partial(a_function),
        functools.wraps(a_function)(lambda *given: a_function(*given) or given),
    ],
)
def test_the_function_behind_what_wraps_it(grain, given):
    root = Node(_map_fn=given)
    grain(root)
    (found,) = described(Queues())
    assert found["function"][1:] == [a_function.__name__, a_function.__code__.co_firstlineno]


def test_what_is_not_as_expected_is_left_out(grain):
    class Broken:
        @property
        def __dict__(self):
            raise RuntimeError

    root = Node(_parents=None, _transform=object(), _target_num_threads="many", _target_prefetch_buffer_size=-1)
    grain(root)
    assert [(each.get("function"), each["threads"]) for each in described(Queues())] == [(None, None)]
    broken = Broken()
    grain(broken)
    assert described(Queues()) == []


def test_a_circle_and_a_large_tree_end(grain):
    root = Node()
    root._parents = (root, *(Node() for _ in range(2 * MOST_OPERATIONS)))
    grain(root)
    assert len(described(Queues())) <= MOST_OPERATIONS


def test_nothing_is_kept_alive(grain):
    root = Node(Node())
    kept = weakref.ref(root)
    grain(root)
    found = described(Queues())
    assert len(found) == 2
    del root
    gc.collect()
    assert kept() is None
    assert described(Queues()) == []


def test_no_code_of_the_users_runs(grain):
    ran = []

    class Loud:
        def __getattribute__(self, name):
            ran.append(name)
            return object.__getattribute__(self, name)

        def __str__(self):
            ran.append("str")
            return ""

        def map(self, element):
            ran.append(element)

    root = Node(_transform=Loud())
    grain(root)
    assert [each["called"] for each in described(Queues())] == ["Loud"]
    # Nor by being compared or asked for its class.
    assert set(ran) <= {"__class__"}


def look(queues, until):
    """Look at the frames of all threads until something is so."""
    end = time.monotonic() + 10
    while not until():
        assert time.monotonic() < end
        queues.look({ident: frame for ident, frame in sys._current_frames().items() if ident != threading.get_ident()})
        time.sleep(0.002)


def test_a_queue_knows_who_stands_at_which_end():
    queues, full, empty = Queues(), queue.Queue(1), queue.Queue()
    full.put(1)
    threads = [
        threading.Thread(target=full.put, args=(2,), daemon=True),
        threading.Thread(target=empty.get, daemon=True),
    ]
    for each in threads:
        each.start()
    look(queues, lambda: len(queues.found) == 2)
    look(queues, lambda: all(sum(times for *_, times in each["ends"]) > 2 for each in queues.described()))
    ends = {(each["id"], ident, name) for each in queues.described() for ident, name, _ in each["ends"]}
    assert ends == {(id(full), threads[0].ident, "put"), (id(empty), threads[1].ident, "get")}
    assert {id(each) for each in queues.alive("queue")} == {id(full), id(empty)}
    assert queues.alive("torch") == []
    full.get()
    empty.put(1)
    for each in threads:
        each.join(5)
