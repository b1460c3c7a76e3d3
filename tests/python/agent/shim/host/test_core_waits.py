"""How long a thread has waited for a core, as the system tells it."""

import ctypes
import os
import sys
import time
from pathlib import Path

import pytest

from scopelight_agent.shim.host.core_waits import CoreWaits

SCHEDSTAT = Path("/proc/thread-self/schedstat")

pytestmark = pytest.mark.skipif(not SCHEDSTAT.exists(), reason="the system does not tell it")


@pytest.fixture(params=["ctypes", "no ctypes", "no pread"])
def way(request, monkeypatch):
    """What the script has: `ctypes` or not, and a C library with the function or without."""
    monkeypatch.setitem(sys.modules, "ctypes", ctypes)
    if request.param == "no ctypes":
        monkeypatch.delitem(sys.modules, "ctypes")
    if request.param == "no pread":
        monkeypatch.setattr(ctypes, "PyDLL", lambda _: object())


@pytest.mark.usefixtures("way")
def test_what_is_told_of_several_times_is_the_whole_wait():
    began_ns = int(SCHEDSTAT.read_text().split()[1])
    waits = CoreWaits()
    told_ns = 0
    for _ in range(50):
        time.sleep(0.001)
        told_ns += waits.since_last()
    ended_ns = int(SCHEDSTAT.read_text().split()[1])
    waits.close()
    assert began_ns <= told_ns <= ended_ns
    assert told_ns > 0


@pytest.mark.usefixtures("way")
def test_nothing_is_told_once_it_is_closed():
    waits = CoreWaits()
    waits.since_last()
    waits.close()
    assert waits.since_last() <= 0


def test_it_does_not_let_go_of_the_interpreter_where_that_can_be_helped(monkeypatch):
    let_go = []
    monkeypatch.setattr(os, "pread", lambda *of: let_go.append(of) or b"")
    waits = CoreWaits()
    waits.since_last()
    waits.close()
    assert not let_go


def test_a_file_of_the_scripts_that_has_its_number_by_now_stays_open(tmp_path):
    waits = CoreWaits()
    os.close(waits._file)
    own = os.open(tmp_path / "own", os.O_RDWR | os.O_CREAT)
    assert own == waits._file
    waits.since_last()
    waits.close()
    os.write(own, b"still open")
    os.close(own)


@pytest.mark.parametrize("name", ["open", "fstat", "close"])
def test_whatever_the_script_has_in_place_of_a_function_it_does_not_fail(monkeypatch, name):
    def fails(*_, **__):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(os, name, fails)
        waits = CoreWaits()
        assert waits.since_last() >= 0
        waits.close()
