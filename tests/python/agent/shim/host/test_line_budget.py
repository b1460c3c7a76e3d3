"""What lines by events may cost: hot code goes dark, and the loop of the steps does not."""

import gc
import sys
import threading
import weakref

from scopelight_agent.shim.host import launching_code
from scopelight_agent.shim.host.codes import Codes, frames_of_others
from scopelight_agent.shim.host.line_monitor import LINE, LineMonitor


def test_a_hot_loop_goes_dark_and_leaves_its_time_on_the_line_that_calls_it(run):
    found = run(
        """
        def hot():
            for each in range(2_000_000):
                x = each
        def main():
            hot()
            after = 1
        monitor.start()
        monitor.take()
        main()
        monitor.stop()
        rows = told(monitor.take())
        answer(dark=[codes.by_id[key].co_name for key in monitor.dark], rows=len(rows), last=rows[-8:],
               left=local_events(hot, main))
        """
    )
    assert found["dark"] == ["hot"]
    assert found["rows"] < 20_000, "of four million events"
    assert (LINE, 8, "main") in [tuple(each[:3]) for each in found["last"]], "what called it is still watched"
    assert found["left"] == 0


LOOP = """
import time
import types
import shim.host.line_monitor
from shim.host.line_monitor import LINE

now_ns = 0

class {name}:
    def __call__(self, x):
        global now_ns
        now_ns += {step_ns}

def train():
    for each in range(3000):
        y = step(each)
        for other in range({inner}):
            z = y

step = {name}()
shim.host.line_monitor.time = types.SimpleNamespace(time_ns=time.time_ns, monotonic_ns=lambda: now_ns)
monitor.start()
monitor.take()
train()
monitor.stop()
rows = told(monitor.take())
answer(dark=[codes.by_id[key].co_name for key in monitor.dark],
       quiet=[codes.by_id[key].co_name for key in monitor.quiet],
       last=[line for kind, line, function, _ in rows[-200:] if kind == LINE and function == "train"],
       rows=len(rows), first=train.__code__.co_firstlineno)
"""


def test_the_loop_that_launches_the_steps_is_watched_on(run):
    # Of four events or so; it is hot enough to go dark where it launches nothing.
    assert "train" not in run(LOOP.format(name="PjitFunction", step_ns=40_000, inner=1))["dark"]
    assert "train" in run(LOOP.format(name="Other", step_ns=200_000, inner=1))["dark"]


def test_of_hot_loops_within_the_one_that_launches_each_line_is_told_once_in_a_step(run):
    found = run(LOOP.format(name="PjitFunction", step_ns=5_000_000, inner=1000))
    assert (found["dark"], found["quiet"]) == ([], ["train"])
    # The head of the inner loop is told twice: where it begins, and where it goes on.
    passes = [each - found["first"] for each in found["last"]]
    assert passes[-12:-2] == [1, 2, 3, 4, 3] * 2 or passes[-11:-1] == [1, 2, 3, 4, 3] * 2, passes
    assert found["rows"] < 3000 * 10, "of six million events"


def test_code_that_launches_and_is_called_too_often_goes_dark(run):
    found = run(
        """
        import time
        import types
        import shim.host.line_monitor

        now_ns = 0

        class PjitFunction:
            def __call__(self, x):
                return x

        def once(x):
            global now_ns
            now_ns += 1_000
            a = 1
            b = 2
            for c in range(2):
                d = c
                e = d
                f = e
            g = 3
            h = 4
            i = 5
            j = 6
            k = 7
            l = 8
            m = 9
            n = 10
            o = 11
            p = 12
            q = 13
            r = 14
            s = 15
            return step(x)

        def train():
            for each in range(3000):
                once(each)

        step = PjitFunction()
        shim.host.line_monitor.time = types.SimpleNamespace(time_ns=time.time_ns, monotonic_ns=lambda: now_ns)
        monitor.start()
        train()
        monitor.stop()
        answer(dark=[codes.by_id[key].co_name for key in monitor.dark])
        """
    )
    assert "once" in found["dark"]


HELPER = """
TEXT = '''
class PjitFunction:
    def __call__(self, x):
        return x

def step_once(x):
    a = x
    b = a
    c = b
    return step(c)

def train():
    for each in range(3000):
        y = each
        y += 1
        z = step_once(y)
        z += 1

step = PjitFunction()
'''
found = []
for attempt in range(12):
    # Made anew: what went dark once stays so.
    made = {}
    exec(compile(TEXT, sys.argv[0], "exec"), made)
    own = LineMonitor(codes, set())
    own.start()
    # Whatever runs at the moment when the budget is looked at.
    own._next_check += attempt * COLUMNS
    made["train"]()
    own.stop()
    found.append(sorted({codes.by_id[key].co_name for key in own._launching}))
answer(found=found)
"""


def test_whether_code_launches_is_told_when_it_runs(run):
    # The caller is where the budget is looked at as often as what it calls.
    assert all("step_once" in each for each in run(HELPER)["found"])


def test_code_that_goes_dark_in_one_thread_is_left_by_all(run):
    found = run(
        """
        import threading
        ready, ends = threading.Event(), threading.Event()
        def hot(count):
            if not count:
                ready.set()
                ends.wait()
            for each in range(count):
                x = each
        def other():
            hot(0)
        monitor.start()
        thread = threading.Thread(target=other)
        thread.start()
        ready.wait()
        hot(1_000_000)
        rows = told(monitor.take())
        ends.set()
        thread.join()
        monitor.stop()
        answer(dark=sorted(thread for kind, *_, thread in rows if kind == 5),
               threads=sorted([thread.ident, threading.get_ident()]))
        """
    )
    assert found["dark"] == found["threads"]


class PjitFunction:
    """By its name what launches programs."""


def launches(frame):
    return launching_code.launches(frame)


def test_code_is_found_in_whatever_thread_it_runs():
    ready, ends = threading.Event(), threading.Event()

    def waits():
        ready.set()
        ends.wait()

    def never_runs():
        ends.wait()

    thread = threading.Thread(target=waits)
    thread.start()
    ready.wait()
    monitor = LineMonitor(Codes(), set())
    try:
        assert monitor._frame_of(id(waits.__code__)).f_code is waits.__code__
        assert monitor._frame_of(id(never_runs.__code__)) is None
        here = sys._getframe()
        assert monitor._frame_of(id(here.f_code)) is here
    finally:
        ends.set()
        thread.join()


STEP = PjitFunction()


class Model:
    def __init__(self):
        self.step = PjitFunction()

    def fits(self):
        return launches(sys._getframe()), self.step

    def stops(self):
        return launches(sys._getframe()), None


def test_what_launches_may_be_local_or_global_or_held_by_an_object_and_has_to_be_named():
    def names_one_of_its_own():
        step = PjitFunction()
        return launches(sys._getframe()), step

    def names_it():
        return launches(sys._getframe()), STEP

    def names_nothing():
        return launches(sys._getframe()), 0

    assert names_one_of_its_own()[0]
    assert names_it()[0]
    assert not names_nothing()[0]
    assert Model().fits()[0]
    assert not Model().stops()[0]


class Batch:
    """What a frame holds."""


def test_what_a_frame_held_when_it_was_looked_at_is_let_go_of():
    batch = Batch()
    kept = weakref.ref(batch)
    assert not launches(sys._getframe())
    del batch
    assert kept() is None


def test_what_the_script_asked_for_itself_stays():
    batch = Batch()
    asked = locals()
    assert not launches(sys._getframe())
    assert asked["batch"] is batch


def test_no_frame_of_its_own_stays_behind():
    gc.disable()
    try:
        batch = Batch()
        kept = weakref.ref(batch)

        def holds(batch):
            monitor = LineMonitor(Codes(), set())
            here = id(sys._getframe().f_code)
            return monitor._frame_of(here) is not None, bool(frames_of_others())

        assert holds(batch)[0]
        del batch
        assert kept() is None
    finally:
        gc.enable()
