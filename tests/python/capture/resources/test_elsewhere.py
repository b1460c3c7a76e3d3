"""Resources where there is no /proc, by the library that is used there: it works on every system."""

import json
import subprocess
import sys

import psutil
import pytest

from scopelight.capture.resources.elsewhere import Elsewhere, memory_bytes
from scopelight.model.host.resource_lines import read_resources


@pytest.fixture
def burnt():
    """A process that has burnt 0.3 s and waits."""
    script = "import sys, time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\nsys.stdin.read()"
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    yield process
    process.communicate(b"")


def test_machine_and_process_are_read_in_the_same_form(burnt, tmp_path):
    part = Elsewhere(burnt.pid)
    lines = [{"time_ns": at, **part.read()} for at in (1_700_000_000_000_000_000, 1_700_000_000_050_000_000)]
    file = tmp_path / "file"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    read = read_resources(file)
    (process,) = read.processes
    assert process.pid == burnt.pid
    assert process.cpu.value[-1] >= 0.29e9
    assert process.resident.value[-1] > 1 << 20
    assert {"user", "system", "idle", "switches"} <= read.counters.keys()
    assert not [each for each in read.threads if len(each.waiting)], "for how long they waited is not told"
    assert not read.findings


def test_what_only_an_administrator_is_told_is_unknown(burnt, monkeypatch):
    def denied(*_):
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil.Process, "threads", denied)
    monkeypatch.setattr(psutil.Process, "io_counters", denied)
    monkeypatch.setattr(psutil, "disk_io_counters", lambda: None)
    said = Elsewhere(burnt.pid).read()
    assert "threads" not in said
    assert said["details"][0][4:] == [None, None]
    assert "disk_read_bytes" not in said["machine"]


def test_a_process_that_has_ended_is_told(burnt):
    part = Elsewhere(burnt.pid)
    assert "ended" not in part.read()
    burnt.communicate(b"")
    assert part.read()["ended"] == [1]


def test_memory_of_the_machine():
    assert memory_bytes() == psutil.virtual_memory().total
