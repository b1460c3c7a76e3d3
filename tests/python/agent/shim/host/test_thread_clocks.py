"""The clocks of threads: what a thread does on a core is told of it, and by what number Python knows it."""

import sys
import threading
import time

import numpy as np
import pytest

from scopelight_agent.shim.host.thread_clocks import COLUMNS, PROCESS, ThreadClocks

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone has such clocks")


def work(seconds):
    """Be on a core for so long."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def rows_of(rows):
    return np.array(rows, dtype=np.int64).reshape(-1, COLUMNS)


def of_clock(rows, number):
    """How long the thread of a clock was on a core by its readings, in seconds."""
    cpu_ns = rows[rows[:, 1] == number, 2]
    return (cpu_ns[-1] - cpu_ns[0]) / 1e9


def test_a_thread_is_known_by_its_ident_and_has_its_time():
    clocks = ThreadClocks()
    clocks.begin()
    work(0.05)
    clocks.read()
    rows, threads = clocks.take()
    rows = rows_of(rows)
    number = 1 + threads.index((threading.get_native_id(), threading.get_ident()))
    assert of_clock(rows, number) >= 0.05
    assert of_clock(rows, PROCESS) >= of_clock(rows, number)
    assert (rows[:, 3] < rows[:, 0]).all()


def test_a_thread_that_begins_later_has_all_its_time():
    clocks = ThreadClocks()
    clocks.begin()
    ends, worked, known = threading.Event(), threading.Event(), []

    def run():
        known.append((threading.get_native_id(), threading.get_ident()))
        work(0.05)
        worked.set()
        ends.wait()

    thread = threading.Thread(target=run)
    thread.start()
    worked.wait()
    while known[0] not in clocks.threads:
        clocks.read()
    rows, threads = clocks.take()
    assert of_clock(rows_of(rows), 1 + threads.index(known[0])) >= 0.05
    ends.set()
    thread.join()
    clocks.read()
    assert known[0] in clocks.threads


def test_a_thread_that_is_just_being_made_is_asked_again(monkeypatch):
    asked = []

    def of(self, tid):
        asked.append(tid)
        return None if asked.count(tid) == 1 else tid + 1

    monkeypatch.setattr("scopelight_agent.shim.host.thread_clocks._Idents.of", of)
    clocks = ThreadClocks()
    clocks.begin()
    assert {ident for _, ident in clocks.threads} == {None}
    assert all(ident == tid + 1 for tid, ident in clocks.take()[1])


def test_of_a_long_recording_readings_are_seldom_and_no_time_is_lost(monkeypatch):
    monkeypatch.setattr("scopelight_agent.shim.host.thread_clocks.MOST_ROWS", 1)
    clocks = ThreadClocks()
    clocks.begin()
    number = 1 + [ident for _, ident in clocks.threads].index(threading.get_ident())
    for _ in range(10):
        work(0.003)
        clocks.read()
    rows = rows_of(clocks.take()[0])
    assert np.count_nonzero(rows[:, 1] == number) == 2
    assert of_clock(rows, number) >= 0.03


def test_what_follows_begins_where_the_last_has_ended():
    clocks = ThreadClocks()
    clocks.begin()
    number = 1 + [ident for _, ident in clocks.threads].index(threading.get_ident())
    first = rows_of(clocks.take()[0])
    work(0.02)
    second = rows_of(clocks.take()[0])
    ended, began = first[first[:, 1] == number, 2][-1], second[second[:, 1] == number, 2][0]
    assert began == ended
    assert of_clock(second, number) >= 0.02


def test_where_there_are_no_such_clocks_nothing_is_read(monkeypatch):
    monkeypatch.setattr("scopelight_agent.shim.host.thread_clocks._TASKS", "/nowhere")
    clocks = ThreadClocks()
    clocks.begin()
    clocks.read()
    rows, threads = clocks.take()
    assert len(rows) == 0
    assert threads == ()


def test_without_the_system_call_threads_have_no_ident(monkeypatch):
    monkeypatch.setattr("scopelight_agent.shim.host.thread_clocks._GET_ROBUST_LIST", {})
    clocks = ThreadClocks()
    clocks.begin()
    assert {ident for _, ident in clocks.threads} == {None}
