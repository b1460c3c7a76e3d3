"""Snapshots that count what cannot be in memory: arrays larger than it, and more arrays than the process ever had."""

import attrs
import pytest

from made.findings import codes, said, values
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.memory.recorded import DeviceMemory, LiveMemory, MemoryReading, MemoryReadings, SnapshotFile
from scopelight.model.run.information import RaisedFrame, RecordedOutOfMemory, RunInformation

GIB = 1 << 30
FAILED = RaisedFrame("/w/train.py", 9, "main")
KEPT = RaisedFrame("/w/train.py", 4, "keep")


@pytest.fixture
def record(profile_of):
    """The memory profile of a script on a machine of 24 GiB that had ``resident`` bytes, with snapshots of ``live``."""

    def make(*live, resident=GIB, limit=None, total=24 * GIB):
        devices = {} if limit is None else {"gpu:0": DeviceMemory(0, None, limit, None)}
        readings = MemoryReadings([MemoryReading(1, resident, devices)], total)
        snapshots = [
            SnapshotFile(f"s{number}", None, number, 0.001, lambda each=each: each) for number, each in enumerate(live)
        ]
        recorded = RecordedOutOfMemory("RESOURCE_EXHAUSTED: Out of memory allocating 64 bytes.", (FAILED,))
        profile = profile_of([], capture=RunInformation(cwd="/w", out_of_memory=recorded))
        memory = MemoryInUse(snapshots=snapshots, readings=lambda: readings)
        return memory_profile(attrs.evolve(profile, memory=memory), LineOptions(roots=("/w",)))

    return make


def array(frame, size, count=1, device="cpu:0"):
    return LiveMemory((frame,), count, size, "buffer", device)


@pytest.mark.parametrize(("device", "limit"), [("cpu:0", None), ("gpu:0", 80 * GIB)])
def test_an_array_larger_than_all_memory_is_not_alive(record, device, limit):
    made = record([array(FAILED, 3000 * GIB, device=device), array(KEPT, GIB // 2, device=device)], limit=limit)
    (snapshot,) = made.snapshots
    assert snapshot.bytes == GIB // 2
    assert {row.line: (row.bytes, row.count, row.unknown_count) for row in snapshot.rows} == {
        4: (GIB // 2, 1, 0),
        9: (0, 1, 1),
    }
    # It took nothing, and is no culprit but for the request.
    assert [(each.line, each.basis, codes(each)) for each in made.out_of_memory.culprits] == [
        (4, "snapshot", ["arrays-alive"]),
        (9, "traceback", ["asked-for-it"]),
    ]
    assert values(made, "snapshots-count-the-impossible") == {"snapshots": ("s0",)}


def test_arrays_that_are_as_large_as_memory_only_together_may_be_alive(record):
    made = record([array(KEPT, 30 * GIB, 3)], resident=30 * GIB)
    assert made.snapshots[0].bytes == 30 * GIB
    assert codes(made, "warning") == []
    # Of a device nothing is known but what it says itself, and of main memory nothing without samples.
    assert codes(record([array(KEPT, 90 * GIB, device="gpu:0")]), "warning") == []
    assert codes(record([array(KEPT, 90 * GIB)], total=None, resident=None), "warning") == []


def test_far_more_arrays_than_the_process_had_in_memory_are_said_not_to_be_there(record):
    few, many = [array(KEPT, GIB, 32)], [array(KEPT, 20 * GIB, 640)]
    made = record(few, many)
    assert [each.bytes for each in made.snapshots] == [GIB, 20 * GIB]
    assert values(made, "snapshots-count-more-than-was") == {
        "snapshots": ("s1",),
        "counted_bytes": 20 * GIB,
        "resident_bytes": GIB,
    }
    assert values(made.out_of_memory.culprits[0], "arrays-alive") == {"arrays": 640, "beyond_memory": True}
    assert codes(record(few), "warning") == []
    assert said(record(many, many, many, many, many), "warning").startswith(
        "The snapshots s0, s1, s2 and 2 more count 20 GiB of arrays"
    )


def test_what_fits_between_two_samples_is_not_doubted(record):
    assert codes(record([array(KEPT, GIB + GIB // 4)]), "warning") == []
