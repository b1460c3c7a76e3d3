"""Tasks of asyncio: where coroutines stand that gave way, which of them launch steps, and what fills their queues."""

import asyncio
import contextlib
import queue
import sys
import threading
import time
import weakref

import pytest

from scopelight_agent.shim.host import tasks as tasks_module
from scopelight_agent.shim.host.awaiting import frames_awaiting, is_running
from scopelight_agent.shim.host.codes import Codes, frames_of_others, stack_of
from scopelight_agent.shim.host.queues import Queues
from scopelight_agent.shim.host.tasks import Tasks

LONGEST_WAIT_SECONDS = 30


class PjitFunction:
    """By its name what launches programs."""

    def __call__(self):
        pass


step = PjitFunction()


class Watched:
    """What a recording makes of tasks, with looks whenever they are asked for."""

    def __init__(self, monkeypatch):
        monkeypatch.setattr(tasks_module, "LOOK_NS", 0)
        monkeypatch.setattr(tasks_module, "RARER", 0)
        self.codes = Codes()
        self.queues = Queues()
        self.tasks = Tasks(self.codes, self.queues)

    def names(self, ident):
        """The functions on the stack of a thread, innermost first."""
        frame = frames_of_others()[ident]
        stack = self.tasks.stack_across(ident, frame, stack_of(frame, self.codes))
        return [self.codes.by_id[key].co_name for key in stack[::2]]

    def until(self, ident, is_so):
        end = time.monotonic() + LONGEST_WAIT_SECONDS
        while True:
            self.tasks.look()
            names = self.names(ident)
            if is_so(names):
                return names
            assert time.monotonic() < end, names
            time.sleep(0.002)


@pytest.fixture
def watched(monkeypatch):
    return Watched(monkeypatch)


@pytest.fixture
def looping():
    """Run coroutines in an event loop of a thread of its own, until the end of the test; gives the thread's ident."""
    ending = []

    def run(function):
        ready = queue.Queue()

        async def main():
            enough = asyncio.Event()
            ready.put((asyncio.get_running_loop(), enough))
            tasks = [asyncio.ensure_future(each) for each in function()]
            await enough.wait()
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
        thread.start()
        ending.append((thread, *ready.get(timeout=LONGEST_WAIT_SECONDS)))
        return thread.ident

    yield run
    for thread, loop, enough in ending:
        loop.call_soon_threadsafe(enough.set)
        thread.join(LONGEST_WAIT_SECONDS)
        assert not thread.is_alive()


def test_a_loop_that_waits_stands_where_the_coroutine_that_launches_gave_way(watched, looping):
    async def fetch(of):
        return await of.get()

    async def train(of):
        while True:
            await fetch(of)
            step()

    async def another():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    def start():
        of = asyncio.Queue(3)
        return another(), train(of), another()

    names = watched.until(looping(start), lambda names: names[0] == "get")
    assert names[:4] == ["get", "fetch", "train", "_run_once"]
    assert "select" not in names
    assert names[-1] == "_bootstrap"


def test_what_runs_meanwhile_stands_as_if_it_were_awaited(watched, looping):
    entered, goes_on = threading.Event(), threading.Event()

    async def produce(of):
        await asyncio.sleep(0)
        entered.set()
        goes_on.wait(LONGEST_WAIT_SECONDS)
        await of.put(1)

    async def train(of):
        while True:
            await of.get()
            step()

    def start():
        of = asyncio.Queue(3)
        return train(of), produce(of)

    ident = looping(start)
    assert entered.wait(LONGEST_WAIT_SECONDS)
    names = watched.until(ident, lambda names: "train" in names)
    assert [each for each in names if each in ("produce", "get", "train", "_run_once")] == [
        "produce",
        "get",
        "train",
        "_run_once",
    ]
    goes_on.set()


def test_the_generator_that_is_awaited_is_told(watched, looping):
    async def batches():
        while True:
            await asyncio.sleep(LONGEST_WAIT_SECONDS)
            yield 1

    async def train():
        async for _ in batches():
            step()

    names = watched.until(looping(lambda: [train()]), lambda names: names[0] == "sleep" and "train" in names)
    assert names[:4] == ["sleep", "batches", "train", "_run_once"]


def test_a_task_is_known_as_the_one_that_launches_when_what_it_calls_does(watched, looping):
    calls, goes_on = threading.Event(), threading.Event()

    def helper():
        calls.set()
        goes_on.wait(LONGEST_WAIT_SECONDS)
        step()

    async def train():
        helper()
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    ident = looping(lambda: [train()])
    assert calls.wait(LONGEST_WAIT_SECONDS)
    watched.until(ident, lambda names: "helper" in names)
    goes_on.set()
    assert watched.until(ident, lambda names: names[0] == "sleep")[:2] == ["sleep", "train"]


def test_without_a_task_that_launches_nothing_changes(watched, looping):
    async def waits():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    ident = looping(lambda: [waits()])
    names = watched.until(ident, lambda names: names[0] == "select")
    assert "waits" not in names


def test_the_loops_of_threads_are_told_apart(watched, looping):
    async def first():
        step()
        await asyncio.sleep(LONGEST_WAIT_SECONDS)
        step()

    async def second():
        step()
        await asyncio.Event().wait()
        step()

    one, other = looping(lambda: [first()]), looping(lambda: [second()])
    assert "second" not in watched.until(one, lambda names: "first" in names)
    assert "first" not in watched.until(other, lambda names: "second" in names)


def test_a_task_that_has_ended_is_stood_in_no_more(watched, looping):
    ends = []

    async def train():
        ends.append((asyncio.get_running_loop(), asyncio.current_task()))
        step()
        await asyncio.sleep(LONGEST_WAIT_SECONDS)
        step()

    ident = looping(lambda: [train()])
    watched.until(ident, lambda names: "train" in names and ends)
    loop, task = ends[0]
    loop.call_soon_threadsafe(task.cancel)
    watched.until(ident, lambda names: names[0] == "select")


def test_the_queue_is_found_with_its_name_and_what_fills_it(watched, looping):
    made = []

    class Reader:
        def __init__(self, ready):
            self.ready = ready

        async def read_ahead(self):
            while True:
                await asyncio.sleep(0.001)
                await self.ready.put(1)

    async def train(batches):
        while True:
            await batches.get()
            step()
            await asyncio.sleep(0.001)

    def start():
        of = asyncio.Queue(3)
        made.append(of)
        return train(of), Reader(of).read_ahead(), Reader(of).read_ahead()

    ident = looping(start)
    watched.until(ident, lambda _: any(each["fills"] for each in watched.tasks.described()))
    watched.until(ident, lambda _: watched.queues.described()[0]["ends"])
    (found,) = watched.queues.described()
    assert (found["kind"], found["class"], found["id"], found["called"] in ("ready", "batches")) == (
        "asyncio",
        "Queue",
        id(made[0]),
        True,
    )
    assert [end[:2] for end in found["ends"]] == [[ident, "get"]]
    watched.queues.look({})
    assert watched.queues.take()[-1] == 3
    (operation,) = watched.tasks.described()
    assert (operation["kind"], operation["called"], operation["fills"], operation["threads"]) == (
        "tasks",
        "read_ahead",
        [id(made[0])],
        2,
    )
    assert operation["stood"][1].endswith("read_ahead")


def test_a_queue_that_is_never_waited_for_is_known_as_the_steps_own(watched, looping):
    async def fill(of):
        while True:
            await of.put(1)

    async def train(of):
        while True:
            await asyncio.sleep(LONGEST_WAIT_SECONDS)
            of.get_nowait()
            step()

    def start():
        of = asyncio.Queue(2)
        return fill(of), train(of)

    ident = looping(start)
    watched.until(ident, lambda _: watched.queues.found and watched.queues.described()[0]["ends"])
    assert [end[:2] for end in watched.queues.described()[0]["ends"]] == [[ident, "get"]]
    assert watched.queues.found[0]["called"] == "of"


def test_tasks_that_the_steps_wait_for_say_so(watched, looping):
    async def fetch():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    async def decode():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    async def another():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    async def train():
        await asyncio.gather(asyncio.ensure_future(fetch()), asyncio.ensure_future(decode()))
        step()

    watched.until(looping(lambda: [train(), another()]), lambda _: len(watched.tasks.described()) == 2)
    assert {each["called"]: each["is_awaited"] for each in watched.tasks.described()} == {"fetch": True, "decode": True}


def test_the_task_that_launches_is_looked_at_however_many_others_there_are(watched, looping, monkeypatch):
    async def another():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)

    async def train(of):
        while True:
            step()
            await of.get()

    ident = looping(lambda: [train(asyncio.Queue()), *(another() for _ in range(20))])
    watched.until(ident, lambda names: names[0] == "get")
    monkeypatch.setattr(tasks_module, "MOST_TASKS", 0)
    watched.queues.found.clear()
    watched.queues._known.clear()
    watched.queues._queues.clear()
    watched.queues._ends.clear()
    watched.until(ident, lambda _: watched.queues.found)
    assert watched.queues.found[0]["kind"] == "asyncio"


def test_tasks_that_use_a_pool_say_so(watched, looping):
    async def read_ahead(of):
        loop = asyncio.get_running_loop()
        while True:
            await loop.run_in_executor(None, time.sleep, 0.002)
            await of.put(1)

    async def train(of):
        while True:
            await of.get()
            step()

    def start():
        of = asyncio.Queue(3)
        return train(of), read_ahead(of)

    watched.until(looping(start), lambda _: any(each["is_pooled"] for each in watched.tasks.described()))


def test_what_asks_for_attributes_itself_is_left_alone(watched, looping):
    asked = []

    class Own(asyncio.Task):
        def __getattribute__(self, name):
            if threading.get_ident() == mine:
                asked.append(name)
            return super().__getattribute__(name)

    mine = threading.get_ident()

    async def train():
        await asyncio.sleep(LONGEST_WAIT_SECONDS)
        step()

    async def start_own():
        asyncio.get_running_loop().set_task_factory(lambda loop, coroutine, **named: Own(coroutine, loop=loop, **named))
        await asyncio.ensure_future(train())

    ident = looping(lambda: [start_own()])
    watched.until(ident, lambda names: names[0] == "select")
    assert not asked


def test_nothing_that_a_task_holds_is_kept_alive(watched, looping):
    class Batch:
        pass

    held, ends = [], []

    async def train(of):
        batch = Batch()
        held.append(weakref.ref(batch))
        ends.append((asyncio.get_running_loop(), asyncio.current_task()))
        # What is cancelled would keep its frames, with its exception.
        with contextlib.suppress(asyncio.CancelledError):
            await of.get()
            step()

    def start():
        return [train(asyncio.Queue())]

    ident = looping(start)
    watched.until(ident, lambda names: "train" in names and ends)
    loop, task = ends.pop()
    loop.call_soon_threadsafe(task.cancel)
    watched.until(ident, lambda names: "train" not in names)
    assert held[0]() is None


def test_asyncio_is_not_imported_for_it(watched, monkeypatch):
    monkeypatch.delitem(sys.modules, "asyncio.base_events")
    monkeypatch.delitem(sys.modules, "asyncio.tasks")
    frame = sys._getframe()
    stack = stack_of(frame, watched.codes)
    assert watched.tasks.stack_across(threading.get_ident(), frame, stack) is stack
    watched.tasks.look()
    assert watched.tasks.described() == []
    assert "asyncio.tasks" not in sys.modules


def test_the_frames_of_what_is_awaited():
    async def inner():
        await asyncio.sleep(0)

    async def outer():
        await inner()

    coroutine = outer()
    assert not is_running(coroutine)
    assert [each.f_code.co_name for each in frames_awaiting(coroutine)] == ["outer"]
    coroutine.send(None)
    assert [each.f_code.co_name for each in frames_awaiting(coroutine)] == [
        "__sleep0",
        "sleep",
        "inner",
        "outer",
    ]
    coroutine.close()
    assert frames_awaiting(coroutine) == []
    assert frames_awaiting(object()) == []
