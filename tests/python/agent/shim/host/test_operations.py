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

from scopelight_agent.shim.host import operations as operations_module
from scopelight_agent.shim.host.operations import MOST_OPERATIONS, Operations, described
from scopelight_agent.shim.host.queues import Queues

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


class Other(Node):
    """Another operation of grain's."""


def test_what_is_gone_at_the_end_is_as_it_was_last_seen(grain):
    found = Operations(Queues())
    for each in (Node(), Other()):
        grain(each)
        found.look()
    del each
    gc.collect()
    assert described(Queues()) == []
    # The one of the epoch before is not shown beside it.
    assert [each["class"] for each in found.described()] == ["Other"]
    assert found.described() == [], "each recording has its own"


def test_what_is_there_at_the_end_is_all_that_there_is(grain):
    found = Operations(Queues())
    grain(Node())
    found.look()
    other = Other()
    grain(other)
    assert [each["id"] for each in found.described()] == [id(other)]


def test_it_is_read_less_and_less_often(monkeypatch):
    times, looks = [], 0
    monkeypatch.setattr(operations_module, "described", lambda _: times.append(looks) or [])
    found = Operations(Queues())
    for looks in range(1, 101):  # noqa: B007 (what describes reads it)
        found.look()
    assert times == [1, 2, 4, 8, 16, 32, 64]


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


class Turns(Node):
    """As grain's iterator that reads from processes in turn: through a thread for each."""

    def __init__(self, tree, *pids):
        super().__init__()
        self._iterators_in_use = []
        for pid in pids:
            process = SimpleNamespace(pid=pid)
            inner = Node(_iter_parent=tree, _prefetch_process=process, _buffer_size=2)
            thread = threading.current_thread()
            self._iterators_in_use.append(Node(inner, _maybe_nonnative_parent=inner, _prefetch_thread=thread))
        self._prefetch_ds_iter = Node(Node())


class WithOptionsIterDataset(Node):
    pass


def test_processes_of_grain_are_one_operation_over_what_they_were_given(grain):
    mapped = Node(Node(), _transform=Decode())
    turns = Turns(WithOptionsIterDataset(mapped), 71, 72)
    root = Node(turns)
    # It knows those inside as well.
    grain(root, turns._prefetch_ds_iter, *turns._iterators_in_use)
    found = {each["id"]: each for each in described(Queues())}
    assert list(found) == [id(root), id(turns), id(mapped), id(mapped._parents[0])]
    assert (found[id(turns)]["processes"], found[id(turns)]["capacity"]) == ([71, 72], 4)
    assert found[id(turns)]["inputs"] == [id(mapped)]
    assert found[id(turns)]["members"] == 2 * [threading.get_ident()]
    assert found[id(mapped)]["called"] == "Decode"


def test_what_is_read_in_turn_without_processes_is_the_inputs(grain):
    first, second = Node(), Node()
    root = Node(_iterators_in_use=[first, None, second], _prefetch_ds_iter=Node())
    grain(root)
    found = described(Queues())
    assert found[0]["inputs"] == [id(first), id(second)]
    assert found[0]["processes"] == []


def test_the_users_object_in_a_function_of_grains_own(grain):
    source = "def adapted(transform):\n    return lambda record: transform.map(record)"
    made = {}
    exec(compile(source, "/site-packages/grain/_src/python/data_loader.py", "exec"), made)
    root = Node(_transform=made["adapted"](Decode()))
    grain(root)
    (found,) = described(Queues())
    assert found["called"] == "Decode"
    assert found["function"][2] == Decode.map.__code__.co_firstlineno


class Slow:
    def __getitem__(self, index):
        return index


class Endless:
    """As a dataset that has no examples by number: the method is torch's own."""

    def __iter__(self):
        yield 0


OF_TORCH = {}
exec(compile("def __getitem__(self, index): ...", "/site-packages/torch/utils/data/dataset.py", "exec"), OF_TORCH)
Endless.__getitem__ = OF_TORCH["__getitem__"]


def torch_described(dataset, **own):
    loader = type("_SingleProcessDataLoaderIter", (), {})()
    loader.__dict__.update({"_dataset": dataset, "_num_workers": 0, **own})
    return loader, described(SimpleNamespace(alive=lambda kind: [loader] if kind == "torch" else []))


def test_a_loader_of_torch_reads_from_its_dataset_through_the_users_collate_function():
    dataset = Slow()
    loader, found = torch_described(dataset, _collate_fn=a_function)
    assert [each["class"] for each in found] == ["_SingleProcessDataLoaderIter", "a_function", "Slow"]
    of_loader, collate, made = found
    assert (of_loader["id"], of_loader["inputs"], of_loader["processes"]) == (id(loader), [collate["id"]], [])
    assert (collate["inputs"], collate["function"][1]) == ([id(dataset)], "a_function")
    assert made["function"][1].endswith("Slow.__getitem__" if sys.version_info >= (3, 11) else "__getitem__")


def test_a_dataset_that_is_iterated_has_the_line_of_that():
    _, found = torch_described(Endless())
    assert found[-1]["function"][2] == Endless.__iter__.__code__.co_firstlineno


def test_a_dataset_of_torchs_own_that_chooses_from_another_reads_from_it():
    subset = type("Subset", (), {"__module__": "torch.utils.data.dataset"})()
    subset.dataset = Slow()
    _, found = torch_described(subset)
    assert [each["class"] for each in found][1:] == ["Subset", "Slow"]
    assert found[1]["inputs"] == [id(subset.dataset)]


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
