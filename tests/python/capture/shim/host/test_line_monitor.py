"""Lines by the interpreter's own events, in processes of their own: what is told, what it costs, what it leaves."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import made
from scopelight.capture.shim.host.codes import Codes
from scopelight.capture.shim.host.line_monitor import BASE, LINE, ON_BASE, RETURN, START, LineMonitor

PROJECT = Path(made.__file__).parents[3]
CAPTURE = PROJECT / "daemon/scopelight/capture"
LONGEST_SECONDS = 60


@pytest.fixture(scope="module")
def python():
    """A Python that tells of lines; skips where there is none."""
    known = [str(PROJECT / f".venv-host-{version}/bin/python") for version in ("3.12", "3.13")]
    for each in (sys.executable, *known, "python3.12", "python3.13", "python3.14"):
        path = shutil.which(each)
        if path is None:
            continue
        asked = [path, "-c", "import sys; print(sys.version_info >= (3, 12))"]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == "True":
            return path
    pytest.skip("no Python 3.12 or later is there")


@pytest.fixture
def run(python, tmp_path):
    """Run a script that watches itself; what it answers."""

    def run_it(text):
        script = tmp_path / "script.py"
        script.write_text("from monitor_driver import *\n" + textwrap.dedent(text))
        environment = {**os.environ, "PYTHONPATH": f"{CAPTURE}{os.pathsep}{Path(made.__file__).parent}"}
        ran = subprocess.run(
            [python, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return json.loads(ran.stdout)

    return run_it


PROGRAM = """
import sys

def numbers(count):
    for each in range(count):
        yield each

def fails(why):
    raise ValueError(why)

def catches():
    try:
        fails("no reason")
    except ValueError:
        found = 1
    return found

def again(left):
    if left:
        again(left - 1)
    return left

def work():
    total = 0
    for each in numbers(3):
        total += each
    total += catches()
    again(2)
    closed = numbers(5)
    next(closed)
    closed.close()
    return sum(numbers(2)) + sum(x for x in [total])
"""

TRACED = """
seen = []

def trace(frame, event, argument):
    if frame.f_code.co_filename != sys.argv[0]:
        return None
    if event == "line":
        seen.append((frame.f_lineno, frame.f_code.co_name))
    return trace

def traced():
    seen.clear()
    sys.settrace(trace)
    work()
    sys.settrace(None)
    return list(seen)
"""


def test_the_lines_that_begin_are_those_that_a_debugger_sees(run):
    found = run(
        PROGRAM
        + TRACED
        + """
wanted = traced()
monitor.start()
monitor.take()
work()
monitor.stop()
rows = told(monitor.take())
answer(wanted=wanted, rows=rows)
"""
    )
    lines = [[line, function] for kind, line, function, _ in found["rows"] if kind == LINE and function != "<module>"]
    # A debugger hears of a line again where a loop jumps back in it.
    mine, wanted = ([line for line, _ in itertools.groupby(each)] for each in (lines, found["wanted"]))
    assert mine == [each for each in wanted if each[1] != "traced"]
    assert {"numbers", "fails", "catches", "again", "<genexpr>"} <= {name for _, name in mine}


def test_calls_pauses_and_returns_are_told_in_their_order(run):
    found = run(
        PROGRAM
        + """
monitor.start()
monitor.take()
work()
monitor.stop()
answer(rows=told(monitor.take()))
"""
    )
    stack, deepest = [], 0
    for kind, _, function, _ in found["rows"]:
        if function == "<module>":
            continue
        if kind == START:
            stack.append(function)
        elif kind == RETURN:
            # What raised has no return of its own.
            while stack[-1] != function:
                assert stack.pop() == "fails"
            stack.pop()
        else:
            assert function in stack
        deepest = max(deepest, stack.count("again"))
    assert stack == []
    assert deepest == 3


def test_where_threads_stand_when_it_begins_is_told_outermost_first(run):
    found = run(
        """
        import threading
        def outer():
            inner()
        def inner():
            monitor.start()
            monitor.stop()
        ready, ends = threading.Event(), threading.Event()
        def other():
            ready.set(); ends.wait()
        thread = threading.Thread(target=other)
        thread.start()
        ready.wait()
        outer()
        ends.set()
        answer(rows=told(monitor.take()), other=thread.ident)
        """
    )
    rows = [(kind, line, function) for kind, line, function, thread in found["rows"] if thread != found["other"]]
    assert rows[:3] == [(BASE, 15, "<module>"), (ON_BASE, 5, "outer"), (ON_BASE, 7, "inner")]
    theirs = [(kind, line, function) for kind, line, function, thread in found["rows"] if thread == found["other"]]
    assert theirs == [(BASE, 11, "other")]


def test_after_rows_are_taken_they_begin_anew(run):
    found = run(
        """
        def work():
            monitor.take()
            x = 1
            return told(monitor.take())
        monitor.start()
        answer(rows=work())
        """
    )
    kinds = [(kind, function) for kind, _, function, _ in found["rows"]]
    assert kinds[:2] == [(BASE, "<module>"), (ON_BASE, "work")]
    assert [line for kind, line, *_ in found["rows"] if kind == LINE] == [5, 6]


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
answer(dark=[codes.by_id[key].co_name for key in monitor.dark])
"""


def test_the_loop_that_launches_the_steps_is_watched_on(run):
    # Of four events or so; it is hot enough to go dark where it launches nothing.
    assert "train" not in run(LOOP.format(name="PjitFunction", step_ns=40_000, inner=1))["dark"]
    assert "train" in run(LOOP.format(name="Other", step_ns=200_000, inner=1))["dark"]


def test_a_loop_that_launches_and_is_hot_itself_goes_dark(run):
    assert "train" in run(LOOP.format(name="PjitFunction", step_ns=5_000_000, inner=1000))["dark"]


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


def test_nothing_is_left_when_it_stops(run):
    found = run(
        PROGRAM
        + """
before = [sys.monitoring.get_tool(each) for each in range(6)]
monitor.start()
during = [sys.monitoring.get_tool(each) for each in range(6)]
work()
monitor.stop()
monitor.take()
work()
answer(before=before, during=during, after=[sys.monitoring.get_tool(each) for each in range(6)],
       rows=len(monitor.take()), left=local_events(numbers, fails, catches, again, work))
"""
    )
    assert found["before"] == found["after"] == [None] * 6
    assert found["during"] == [None] * 4 + ["scopelight", None]
    assert (found["rows"], found["left"]) == (0, 0)


def test_it_can_begin_again(run):
    found = run(
        PROGRAM
        + """
def lines():
    monitor.start()
    monitor.take()
    work()
    monitor.stop()
    return [row[:3] for row in told(monitor.take()) if row[2] != "<module>" and row[2] != "lines"]
answer(first=lines(), second=lines())
"""
    )
    assert found["first"] == found["second"] != []


def test_with_one_id_taken_the_other_is_used_and_with_both_it_does_not_begin(run):
    found = run(
        """
        import sys
        from shim.host.line_monitor import is_available
        sys.monitoring.use_tool_id(4, "mine")
        one = monitor.start()
        used = sys.monitoring.get_tool(3)
        monitor.stop()
        sys.monitoring.use_tool_id(3, "mine")
        answer(one=one, used=used, both=monitor.start(), available=is_available(),
               tools=[sys.monitoring.get_tool(each) for each in (3, 4)], rows=len(told(monitor.take())) > 0)
        monitor.stop()
        """
    )
    assert (found["one"], found["used"]) == (True, "scopelight")
    assert (found["both"], found["available"]) == (False, False)
    assert found["tools"] == ["mine", "mine"]


def test_where_no_id_is_free_samples_tell_the_lines(run):
    found = run(
        """
        import sys
        from shim.host.recording import Recording
        from shim.host.sampler import ALONE_NS
        for each in (3, 4):
            sys.monitoring.use_tool_id(each, "mine")
        recording = Recording()
        own = sys.getswitchinterval()
        recording.begin(is_window=True)
        period = recording._sampler._period_ns
        recorded = recording.cut()
        has_lines = recording._described(recorded)["has_lines"]
        recording.end()
        answer(has_lines=has_lines, hurried=period == ALONE_NS, same=own == sys.getswitchinterval(),
               lines=len(recorded.rows["lines"]))
        """
    )
    assert found == {"has_lines": False, "hurried": True, "same": True, "lines": 0}


def test_a_debugger_sees_what_it_sees_without_it(run):
    found = run(
        PROGRAM
        + TRACED
        + """
alone = traced()
monitor.start()
beside = traced()
monitor.stop()
answer(alone=alone, beside=beside, after=traced(), rows=len(told(monitor.take())))
"""
    )
    assert found["alone"] == found["beside"] == found["after"]
    assert len(found["alone"]) > 30 and found["rows"] > 30


COVERED = """
def covered(watch):
    m, lines, calls = sys.monitoring, set(), []

    def line(code, number):
        if code.co_filename == sys.argv[0]:
            lines.add((code.co_name, number))
        # As coverage does: each line once.
        return m.DISABLE

    def start(code, offset):
        if code.co_filename == sys.argv[0]:
            calls.append(code.co_name)

    m.use_tool_id(m.COVERAGE_ID, "coverage")
    m.use_tool_id(m.PROFILER_ID, "profiler")
    m.register_callback(m.COVERAGE_ID, m.events.LINE, line)
    m.register_callback(m.PROFILER_ID, m.events.PY_START, start)
    m.set_events(m.COVERAGE_ID, m.events.LINE)
    m.set_events(m.PROFILER_ID, m.events.PY_START)
    m.restart_events()
    if watch == "after":
        monitor.start()
    work()
    if watch == "during":
        monitor.stop()
        work()
    m.set_events(m.COVERAGE_ID, 0)
    m.set_events(m.PROFILER_ID, 0)
    m.free_tool_id(m.COVERAGE_ID)
    m.free_tool_id(m.PROFILER_ID)
    if watch == "after":
        monitor.stop()
    mine = [each for each in calls if each not in ("covered", "line", "start")]
    return sorted(each for each in lines if each[0] != "covered"), mine
"""


def test_tools_that_measure_coverage_or_profile_see_what_they_see_without_it(run):
    found = run(
        PROGRAM
        + COVERED
        + """
alone = covered("")
monitor.start()
before = covered("")
monitor.stop()
after = covered("after")
monitor.start()
during = covered("during")
answer(alone=alone, before=before, after=after, during=during)
"""
    )
    lines, calls = found["alone"]
    assert len(lines) > 15 and calls.count("again") == 3
    assert found["before"] == found["after"] == [lines, calls]
    assert found["during"] == [lines, calls * 2]


def test_threads_tell_their_own_lines(run):
    found = run(
        """
        import threading
        def one():
            x = 1
        def two():
            y = 2
        monitor.start()
        threads = [threading.Thread(target=each) for each in (one, two)]
        for each in threads:
            each.start(); each.join()
        names = {}
        for kind, line, function, thread in told(monitor.take()):
            names.setdefault(function, set()).add(thread)
        monitor.stop()
        answer(one=len(names["one"]), two=len(names["two"]), main=threading.get_ident() in names["one"] | names["two"])
        """
    )
    assert found == {"one": 1, "two": 1, "main": False}


def test_a_forked_child_is_not_recorded_and_holds_nothing_open(run):
    found = run(
        """
        import gc, os, sys, threading, time, warnings
        from shim.host.recording import Recording
        warnings.simplefilter("ignore")
        def state():
            return [sorted(os.listdir("/proc/self/fd")), len(threading.enumerate()), len(gc.callbacks),
                    [sys.monitoring.get_tool(each) for each in range(6)], sys.getswitchinterval()]
        def work():
            x = 1
        recording = Recording()
        before = state()
        recording.begin(is_window=True)
        while not recording._sampler._waits:
            time.sleep(0.001)
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            recording.leave_the_child()
            os.close(reads); os.close(writes)
            told_before = len(recording._monitor.rows)
            work()
            ok = state() == before and len(recording._monitor.rows) == told_before
            if state() != before:
                os.write(2, repr((state(), before)).encode())
            os._exit(0 if ok and not local_events(work) else 1)
        _, status = os.waitpid(child, 0)
        os.close(reads); os.close(writes)
        during = state()
        recording.end()
        answer(status=status, threads=during[1] - before[1], tool=during[3][4], same=state() == before)
        """
    )
    assert found == {"status": 0, "threads": 0, "tool": "scopelight", "same": True}


class PjitFunction:
    """By its name what launches programs."""


def launches(frame):
    return LineMonitor._launches(frame)


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
