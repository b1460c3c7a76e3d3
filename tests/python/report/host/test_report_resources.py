"""Resources in the terminal: what is measured with its unit, what is unknown not at all, names of others harmless."""

import io
from pathlib import Path

import attrs
import pytest
from rich.console import Console

from scopelight.analysis.host.resources.records import (
    ResourceDevice,
    ResourceProcess,
    ResourceSeries,
    ResourcesRecord,
    ResourceThread,
)
from scopelight.findings import advice, empty
from scopelight.report.host.resources import render_resources

S = 10**12
SERIES = ResourceSeries(
    "cpu_user_ratio", "cpu_user_ratio", "", 1, is_rest=False, pid=None, is_main=False,
    values=(0.0, 0.5, None, 1.0), step_values=(), steps_mean=0.5, window_mean=0.6, run_mean=0.4,
)  # fmt: skip
PROCESS = ResourceProcess(
    "process 1", "python", 41, None, -S, None, 2, 1.5, 1.25, 0.25, 0.4, 1 << 29, 0.0, None, S, S, 2 * S, 0, 0, 0
)
THREAD = ResourceThread("thread 2", "decode", 42, 1, 41, "python", 0.75, 0.1, 420.4, S, S, S, 0, 0, 0)
RECORD = ResourcesRecord(
    cores=4,
    usable_cores=1.5,
    memory_bytes=1 << 34,
    readings=121,
    period_ps=50 * 10**9,
    reading_ratio=0.0041,
    span="steps",
    span_ps=S,
    edges_ps=(0, 1, 2, 3, 4),
    series=(SERIES,),
    processes=(PROCESS,),
    threads=(THREAD, attrs.evolve(THREAD, key="main", name="python", tid=41)),
)


def rendered(record, limit=20):
    text = io.StringIO()
    render_resources(record, Console(file=text, width=200), base=Path(), limit=limit)
    return text.getvalue()


def test_the_machine_then_processes_then_threads():
    text = rendered(RECORD)
    assert (
        "4 cores, 1.5 of them for the script, 16 GiB of memory; 121 readings, 50.0 ms apart, for 0.4 % of a core."
        in text
    )
    assert "Means are over the complete steps, 1.00 s." in text
    (user,) = (line for line in text.splitlines() if line.startswith("all cores: user"))
    assert user.split()[3:] == ["50.0", "%", "40.0", "%", "100.0", "%", "▄", "█"]
    (process,) = (line for line in text.splitlines() if line.startswith("python") and "512 MiB" in line)
    assert "150.0 %" in process and "0 B/s" in process
    assert "decode" in text and "420/s" in text and "python (main thread)" in text


def test_what_is_unknown_is_left_out():
    unknown = attrs.evolve(
        RECORD,
        cores=None,
        memory_bytes=None,
        reading_ratio=None,
        processes=(attrs.evolve(PROCESS, user_ratio=None, system_ratio=None, waiting_ratio=None, resident_bytes=None),),
        threads=(),
    )
    text = rendered(unknown)
    assert "Cores unknown; 121 readings, 50.0 ms apart." in text
    assert not [word for word in ("waits for a core", "resident", "system", "None") if word in text]


@pytest.mark.parametrize(
    ("number", "name"), [(0, "(threads that came and went between looks)"), (7, "(7 other threads)")]
)
def test_threads_without_a_row_of_their_own(number, name):
    rest = attrs.evolve(THREAD, key="rest", name="", tid=None, number=number, switches_per_s=None)
    assert name in rendered(attrs.evolve(RECORD, threads=(rest,)))


def test_accelerators_and_advice():
    device = ResourceDevice("gpu 0", "gpu", 0, "H100", 0.93, 3 << 30, 80 << 30)
    found = advice("resources-throttled", usable_cores=1.5, throttled_ratio=0.2)
    text = rendered(attrs.evolve(RECORD, devices=(device,), findings=(found,)))
    assert "GPU 0" in text and "93.0 %" in text and "80 GiB" in text
    assert "Raise the limit" in text


def test_names_cannot_write_to_the_terminal():
    hostile = attrs.evolve(PROCESS, name="a\x1b[31m\nb")
    assert "\x1b" not in rendered(attrs.evolve(RECORD, processes=(hostile,)))


def test_long_lists_are_cut_and_say_so():
    many = tuple(attrs.evolve(THREAD, key=str(each), tid=100 + each) for each in range(9))
    text = rendered(attrs.evolve(RECORD, threads=many), limit=3)
    assert "3 of 9 threads." in text


def test_an_empty_record_says_why_alone():
    text = rendered(ResourcesRecord(findings=(empty("resources-not-read"),)))
    assert text.splitlines() == [
        "The resources of the host were not read: the script was captured with --no-resources.",
        "Capture again without it.",
    ]
