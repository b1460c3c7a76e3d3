"""How long a thread has waited for a core, as the system tells it."""

import ctypes
import os
import sys
import time
from pathlib import Path

import pytest

from scopelight.capture.shim.host.core_waits import CoreWaits

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
