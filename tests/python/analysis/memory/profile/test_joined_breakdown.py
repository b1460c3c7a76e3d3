"""What was in sampled memory at its peak: arrays of the snapshot, donated arguments of the program, and the rest."""

from pathlib import Path

import attrs
import numpy as np
import pytest

from made.program.programs import MadeProgram, profile_of
from scopelight.analysis.memory.profile.joined_breakdown import (
    ALL_OF_LESS,
    ALL_WITHOUT_SNAPSHOT,
    REST_OF_PROCESS,
    REST_WITHOUT_ARGUMENTS,
)
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Device, Program, ProgramRuns
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.memory.recorded import LiveMemory, MemoryReading, MemoryReadings, SnapshotFile
from scopelight.program.hlo.frames import Frame

MIB = 1 << 20
STARTED_NS = 1_000_000_000
HERE = LineOptions(roots=("/w",))


def snapshot(name, after_ns, *live):
    """A snapshot so many nanoseconds after the profile's first event; ``live`` are (line, count, bytes, device)."""
    alive = [
        LiveMemory((Frame("/w/train.py", line, "main"),), count, size, "buffer", device)
        for line, count, size, device in live
    ]
    return SnapshotFile(name, Path(name), STARTED_NS + after_ns, 0.001, lambda: alive)


def step_program():
    """Two layers' weights of 1 MiB that are given away, a batch of 2 MiB that is kept, and a small number."""
    made = MadeProgram()
    for number, (elements, line) in enumerate([(MIB // 4, 5), (MIB // 4, 5), (MIB // 2, 7), (4, 8)]):
        argument = made.instruction("parameter", elements, parameter_number=number, place=("/w/train.py", line))
        made.allocation(
            made.size(argument), (argument, 0), is_entry_computation_parameter=True, parameter_number=number
        )
    result = made.instruction("negate", MIB // 4, 1, place=("/w/train.py", 9))
    made.allocation(made.size(result), (result, 0), maybe_live_out=True)
    return made.finish(result)


@pytest.fixture
def breakdown_of():
    """The breakdown of a process of so many bytes at its peak, 50 µs after the profile's first event."""

    def make(*snapshots, peak_bytes=100 * MIB, runs_ps=(40_000_000, 20_000_000), device="cpu"):
        bare = profile_of(step_program(), ids=["7"])
        executions = attrs.evolve(
            bare.executions,
            devices=[Device(f"/device:{device.upper()}:0", device, ordinal=0)],
            programs=[Program("7", "jit_step")],
        )
        one = np.zeros(1, np.int32)
        start, duration = (np.array([each], np.int64) for each in runs_ps)
        readings = [
            MemoryReading(STARTED_NS + after_ns, size, {}) for after_ns, size in ((0, MIB), (50_000, peak_bytes))
        ]
        profile = attrs.evolve(
            bare,
            executions=executions,
            runs=ProgramRuns(one, one, one.astype(np.uint64), start, duration, start),
            memory=MemoryInUse(readings=lambda: MemoryReadings(readings), snapshots=snapshots),
            started_ns=STARTED_NS,
            duration_ps=100_000_000,
        )
        (process,) = memory_profile(profile, HERE).memories
        assert sum(row.bytes for row in process.breakdown) == process.peak_bytes == peak_bytes
        assert [row.line_key is None for row in process.breakdown] == [row.line is None for row in process.breakdown]
        return [
            (row.findings[0] if row.findings else row.op, row.line, row.count, row.bytes, row.basis)
            for row in process.breakdown
        ]

    return make


BATCH = (7, 1, 2 * MIB, "cpu:0")


def test_donated_arguments_of_the_running_program_are_rows_with_their_lines(breakdown_of):
    assert breakdown_of(snapshot("window-start", 10_000, BATCH)) == [
        (REST_WITHOUT_ARGUMENTS, None, 1, 96 * MIB, "measured"),
        ("main", 7, 1, 2 * MIB, "joined"),
        ("parameter.1", 5, 1, MIB, "joined"),
        ("parameter.2", 5, 1, MIB, "joined"),
    ]


def test_arguments_that_a_snapshot_may_hold_are_not_counted_twice(breakdown_of):
    both = snapshot("window-start", 10_000, BATCH, (3, 2, 2 * MIB, "cpu:0"))
    assert breakdown_of(both) == [
        (REST_OF_PROCESS, None, 1, 96 * MIB, "measured"),
        ("main", 3, 2, 2 * MIB, "joined"),
        ("main", 7, 1, 2 * MIB, "joined"),
    ]


@pytest.mark.parametrize("runs_ps", [(0, 49_000_000), (51_000_000, 9_000_000)])
def test_a_program_that_does_not_run_at_the_peak_is_not_joined(breakdown_of, runs_ps):
    assert [row[:2] for row in breakdown_of(snapshot("end", 10_000, BATCH), runs_ps=runs_ps)] == [
        (REST_OF_PROCESS, None),
        ("main", 7),
    ]


def test_arrays_of_an_accelerator_are_not_in_the_process(breakdown_of):
    on_gpu = snapshot("window-start", 10_000, (7, 1, 2 * MIB, "gpu:0"))
    assert breakdown_of(on_gpu, device="gpu") == [(REST_OF_PROCESS, None, 1, 100 * MIB, "measured")]


def test_a_snapshot_of_nothing_leaves_the_rest(breakdown_of):
    assert breakdown_of(snapshot("end", 10_000), runs_ps=(0, 1)) == [(REST_OF_PROCESS, None, 1, 100 * MIB, "measured")]


def test_no_more_is_joined_than_was_measured(breakdown_of):
    # The arguments would be more than there was beside the array, which is of another size than they.
    few = breakdown_of(snapshot("window-start", 10_000, (3, 1, 3 * MIB, "cpu:0")), peak_bytes=4 * MIB)
    assert few == [("main", 3, 1, 3 * MIB, "joined"), (REST_OF_PROCESS, None, 1, MIB, "measured")]
    # Arrays that are more than the peak together: which of them were in memory is not known.
    ((name, _, _, size, basis),) = breakdown_of(
        snapshot("window-start", 10_000, (3, 9, 9 * MIB, "cpu:0")), peak_bytes=4 * MIB
    )
    assert (name, size, basis) == (ALL_OF_LESS, 4 * MIB, "measured")


def test_an_array_larger_than_all_memory_is_left_out(breakdown_of):
    rows = breakdown_of(snapshot("out-of-memory", 10_000, BATCH, (3, 1, 1 << 40, "cpu:0")), runs_ps=(0, 1))
    assert [row[:2] for row in rows] == [(REST_OF_PROCESS, None), ("main", 7)]


def test_without_a_snapshot_by_then_the_whole_is_one_row(breakdown_of):
    ((name, _, _, size, _),) = breakdown_of(snapshot("end", 90_000_000, BATCH), runs_ps=(0, 1))
    assert (name, size) == (ALL_WITHOUT_SNAPSHOT, 100 * MIB)


def test_the_snapshot_that_the_peak_itself_brought_about_is_of_that_moment(breakdown_of):
    rows = breakdown_of(snapshot("high-1", 10_000), snapshot("high-2", 50_200, BATCH), runs_ps=(0, 1))
    assert [row[:2] for row in rows] == [(REST_OF_PROCESS, None), ("main", 7)]
