"""What ``run.json`` says of memory, from what the hook tells and how the script ended."""

import os
import signal

import pytest

from made.findings import said
from scopelight.capture.publishing import memory_record
from scopelight.capture.publishing.memory_record import MemoryRecord
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.model.run.information import RecordedOutOfMemory, RunInformation


@pytest.fixture
def run(tmp_path):
    return RunDirectory.create(tmp_path / "run", tmp_path, "script", RunInformation(state="running"))


def taken(name, number):
    return {"event": "snapshot", "name": name, "file": f"memory/{name}.pprof", "time_ns": number, "cost_seconds": 0.1}


def test_the_latest_snapshot_of_a_name_counts_and_dropped_ones_go(run):
    record = MemoryRecord(run)
    for message in (taken("window-start", 1), taken("high-1", 2), taken("window-start", 3)):
        record.hear(message)
    record.hear({"event": "snapshot-dropped", "name": "high-1"})
    record.hear({"event": "memory-watched", "readings": 7, "seconds": 0.5, "problems": ["It failed (x)"]})
    memory = run.information.memory
    assert [(each.name, each.time_ns) for each in memory.snapshots] == [("window-start", 3)]
    assert (memory.readings, memory.seconds) == (7, 0.5)
    assert said(run.information) == "It failed (x)."


@pytest.mark.parametrize(
    ("returncode", "kills", "is_for_memory"),
    [
        (-signal.SIGKILL, (3, 4), True),
        # Killed by someone else, by another signal, or on a system that does not count.
        (-signal.SIGKILL, (3, 3), False),
        (-signal.SIGTERM, (3, 4), False),
        (-signal.SIGKILL, (None, None), False),
        (1, (3, 4), False),
    ],
)
def test_a_script_that_the_kernel_killed(run, monkeypatch, returncode, kills, is_for_memory):
    counts = iter(kills)
    monkeypatch.setattr(memory_record, "_kills_for_want_of_memory", lambda: next(counts))
    MemoryRecord(run).ended(returncode)
    assert (run.information.out_of_memory is not None) == is_for_memory


def test_what_the_script_said_itself_is_kept(run, monkeypatch):
    counts = iter((3, 4))
    monkeypatch.setattr(memory_record, "_kills_for_want_of_memory", lambda: next(counts))
    record = MemoryRecord(run)
    said = {"message": "RESOURCE_EXHAUSTED: ...", "stack": [], "during_compilation": False, "in_thread": False}
    record.hear({"event": "out-of-memory", **said, "dump": None, "is_certain": True})
    record.ended(-signal.SIGKILL)
    assert run.information.out_of_memory == RecordedOutOfMemory(said["message"])


@pytest.mark.parametrize(("returncode", "is_for_memory"), [(1, True), (0, False), (-signal.SIGTERM, True)])
def test_a_script_that_left_with_the_error_failed_of_it_unless_it_says_that_all_went_well(
    run, returncode, is_for_memory
):
    record = MemoryRecord(run)
    said = {"message": "RESOURCE_EXHAUSTED: ...", "stack": [], "during_compilation": False, "in_thread": False}
    record.hear({"event": "out-of-memory", **said, "dump": None, "is_certain": False})
    assert run.information.out_of_memory is None
    record.ended(returncode)
    expected = RecordedOutOfMemory(said["message"], caught=True) if is_for_memory else None
    assert run.information.out_of_memory == expected


@pytest.mark.parametrize(
    ("returncode", "then", "is_for_memory"),
    [
        (2, (), True),
        (0, (), False),
        # Killed later, by something else; ended by another error.
        (-signal.SIGTERM, (), False),
        (1, ({"event": "other-error"},), False),
    ],
)
def test_an_error_that_was_caught_some_time_before_is_told_where_nothing_else_failed(
    run, returncode, then, is_for_memory
):
    record = MemoryRecord(run)
    said = {"message": "RESOURCE_EXHAUSTED: ...", "stack": [], "during_compilation": False, "in_thread": False}
    for message in ({"event": "memory-error", **said, "dump": None}, *then):
        record.hear(message)
    assert run.information.out_of_memory is None
    record.ended(returncode)
    expected = RecordedOutOfMemory(said["message"], caught=True) if is_for_memory else None
    assert run.information.out_of_memory == expected


def test_the_plan_of_this_script_is_kept_and_no_older_one(run, tmp_path):
    dump = tmp_path / "dump"
    dump.mkdir()
    old = dump / "module_0.jit_old.after_optimizations.hlo.pb"
    old.write_bytes(b"old")
    os.utime(old, (1, 1))
    record = MemoryRecord(run)
    said = {"message": "", "stack": [], "during_compilation": True, "in_thread": False, "is_certain": True}
    message = {"event": "out-of-memory", **said, "dump": str(dump)}
    record.hear(message)
    kept = run.path / "memory" / "without-room.hlo.pb"
    assert not kept.exists()
    (dump / "module_1.jit_new.after_optimizations.hlo.pb").write_bytes(b"new")
    record.hear(message)
    assert kept.read_bytes() == b"new"
    record.hear({**message, "dump": str(tmp_path / "absent")})
    assert kept.read_bytes() == b"new"
