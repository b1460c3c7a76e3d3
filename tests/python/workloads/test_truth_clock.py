"""The clock that scripts carry says where they stood, and what that costs them."""

import importlib.util
import json
import subprocess
import sys
import textwrap
import time
import traceback

import pytest

from made.host.idle_truth import ELSEWHERE, stood

SCRIPT = """\
import time
import truth_clock

def inner(number):
    time.sleep(0.004)  # line: inner
    if number == 1:
        raise ValueError(number)
    return slept(0.003)  # line: returns

def slept(seconds):
    time.sleep(seconds)  # not watched

def made(numbers):
    for number in numbers:
        time.sleep(0.002)  # line: made
        yield number, slept(0.002)  # line: yields
    time.sleep(0.005)  # line: end

class Held:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        time.sleep(0.006)

def outer():
    for number, _ in made([0, 1]):  # line: asks
        try:
            inner(number)  # line: calls
        except ValueError:
            time.sleep(0.007)  # line: except
            continue
        with Held():  # line: with
            pass
        while slept(0.001):  # line: while
            pass

truth_clock.watch(inner, made, outer)
outer()
"""

EXPECTED_MS = {"inner": 8, "returns": 3, "made": 4, "yields": 4, "end": 5, "except": 7, "with": 6, "while": 1}
EXPECTED_MS_OF_OUTER = {"asks": 13, "calls": 11, "except": 7, "with": 6, "while": 1}


@pytest.fixture
def clock_folder(project):
    return project / "tests" / "workloads" / "host"


@pytest.fixture
def truth_clock(clock_folder, monkeypatch):
    specification = importlib.util.spec_from_file_location("truth_clock", clock_folder / "truth_clock.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setenv("TRUTH_CLOCK", "not written")
    monkeypatch.setattr(module.atexit, "register", lambda *_: None)
    return module


def test_each_line_has_the_time_that_was_spent_on_it(clock_folder, tmp_path):
    script, truth = tmp_path / "script.py", tmp_path / "truth.json"
    script.write_text(SCRIPT)
    subprocess.run(
        [sys.executable, script],
        env={"PYTHONPATH": str(clock_folder), "TRUTH_CLOCK": str(truth)},
        check=True,
    )
    written = json.loads(truth.read_text())
    readings = [(time_ns, place) for time_ns, thread, place in written["readings"] if thread == written["main_thread"]]
    found = stood(readings, written["places"], 0)
    for places, expected_ms in ((found.inner, EXPECTED_MS), (found.outer, EXPECTED_MS_OF_OUTER)):
        ms = dict.fromkeys(places, 0.0)
        for place, start_ps, end_ps in zip(places, found.start_ps, found.end_ps, strict=True):
            ms[place] += (end_ps - start_ps) / 1e9
        for number, row in enumerate(SCRIPT.splitlines(), 1):
            marked = row.partition("# line: ")[2]
            # A sleep is longer than it was asked for, by what the machine's other work takes.
            assert expected_ms.get(marked, 0) <= ms.get((str(script), number), 0) + 0.01
        assert sum(ms.values()) < sum(expected_ms.values()) + 15
        assert ms.get(ELSEWHERE, 0) < 1


def test_a_reading_costs_less_than_two_microseconds(truth_clock, tmp_path):
    code = "def loop(rows):\n    for row in rows:\n        row\n"
    script = tmp_path / "loop.py"
    script.write_text(code)
    scope = {}
    exec(compile(code, script, "exec"), scope)

    def seconds(loop):
        rows = range(50_000)
        return min(_took(loop, rows) for _ in range(5))

    bare = seconds(scope["loop"])
    truth_clock.watch(scope["loop"])
    # Before the statement, and where the loop goes back.
    assert (seconds(scope["loop"]) - bare) / 100_000 < 2e-6


def _took(loop, rows):
    started = time.perf_counter()
    loop(rows)
    return time.perf_counter() - started


def test_a_watched_function_keeps_its_lines_and_what_it_returns(truth_clock, tmp_path):
    code = textwrap.dedent(
        """\
        def fails(number):
            '''Documented.'''
            if number > 1:
                raise KeyError(number)
            return number, "kept"
        """
    )
    script = tmp_path / "fails.py"
    script.write_text(code)
    scope = {}
    exec(compile(code, script, "exec"), scope)
    fails = scope["fails"]
    truth_clock.watch(fails)
    assert fails(1) == (1, "kept")
    assert fails.__doc__ == "Documented."
    with pytest.raises(KeyError) as failure:
        fails(2)
    frame = traceback.extract_tb(failure.tb)[-1]
    assert (frame.filename, frame.lineno) == (str(script), 4)
    lines = {line for *_, line in fails.__code__.co_lines() if line}
    assert lines <= set(range(1, 6))


def test_nothing_is_watched_where_nobody_asks(truth_clock, monkeypatch):
    monkeypatch.delenv("TRUTH_CLOCK")
    code = _took.__code__
    truth_clock.watch(_took)
    assert _took.__code__ is code
