"""Allocator events made by hand and by chance: sums agree, and nonsense is no breakdown."""

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes, values
from scopelight.analysis.memory.profile.allocator_memory import OTHERS, STACK, allocator_memory
from scopelight.analysis.memory.profile.records import MemoryStep
from scopelight.model.memory.recorded import AllocatorEvents, TextColumn

SIZES = st.integers(1, 1 << 20)


def events_of(rows, *, capacity=1 << 40, before=0, stack=0):
    """Events from (is_allocation, address, bytes); heap and free are what an allocator would say after each."""
    heap, heaps, times = before, [], []
    for number, (is_allocation, _, size) in enumerate(rows):
        heap += size if is_allocation else -size
        heaps.append(heap)
        times.append(number * 10)
    count = len(rows)
    heaps = np.array(heaps, np.int64)
    nothing = TextColumn(np.full(count, -1, np.int32), ())
    free = capacity - stack - heaps
    return AllocatorEvents(
        id="GPU_0_bfc",
        host=0,
        ordinal=0,
        kind="accelerator",
        time_ps=np.array(times, np.int64),
        stack_bytes=np.full(count, stack, np.int64),
        heap_bytes=heaps,
        free_bytes=free,
        peak_bytes=np.maximum.accumulate(heaps),
        fragmentation_ratio=np.linspace(0, 1, count),
        is_allocation=np.array([each[0] for each in rows], np.bool_),
        requested_bytes=np.array([each[2] for each in rows], np.int64),
        allocated_bytes=np.array([each[2] for each in rows], np.int64),
        address=np.array([each[1] for each in rows], np.int64),
        op=nothing,
        region=nothing,
        shape=nothing,
        data_type=np.zeros(count, np.int64),
    )


@st.composite
def histories(draw):
    """Allocations and deallocations that a real allocator could have done, some of earlier memory."""
    rows, alive, address = [], {}, 0
    before = {-1 - number: size for number, size in enumerate(draw(st.lists(SIZES, max_size=4)))}
    early = dict(before)
    for _ in range(draw(st.integers(1, 30))):
        gone = [*alive, *early]
        if gone and draw(st.booleans()):
            where = draw(st.sampled_from(gone))
            size = alive.pop(where) if where in alive else early.pop(where)
            rows.append((False, where, size))
        else:
            size = draw(SIZES)
            # Addresses are used again.
            free = [each for each in range(address) if each not in alive]
            where = draw(st.sampled_from(free)) if free and draw(st.booleans()) else address
            address = max(address, where + 1)
            alive[where] = size
            rows.append((True, where, size))
    return rows, sum(before.values())


@given(history=histories(), stack=st.integers(0, 1 << 20))
def test_the_breakdown_sums_to_heap_and_stack_at_the_peak(history, stack):
    rows, before = history
    record, findings = allocator_memory(events_of(rows, before=before, stack=stack), (), "GPU 0")
    usage = [sample.heap_bytes + sample.stack_bytes for sample in record.samples]
    assert record.peak_bytes == max(usage)
    assert sum(row.bytes for row in record.breakdown) == record.peak_bytes
    assert all(row.bytes > 0 and row.count > 0 for row in record.breakdown)
    assert list(findings) == []
    assert sum(row.bytes for row in record.breakdown if STACK in row.findings) == stack
    # What was there before and is alive at the peak is all that is not told apart.
    last = max(number for number, used in enumerate(usage) if used == max(usage))
    freed = sum(size for is_allocation, where, size in rows[: last + 1] if not is_allocation and where < 0)
    assert sum(row.bytes for row in record.breakdown if OTHERS in row.findings) == before - freed
    assert record.capacity_bytes == 1 << 40


@given(history=histories())
def test_fragmentation_is_a_share_or_unknown(history):
    rows, before = history
    events = events_of(rows, before=before)
    wild = np.resize(np.array([np.nan, -1.0, 0.5, 2.0, np.inf]), len(events))
    record, _ = allocator_memory(attrs.evolve(events, fragmentation_ratio=wild), (), "GPU 0")
    for sample, ratio in zip(record.samples, wild.tolist(), strict=True):
        assert sample.fragmentation_ratio == (ratio if ratio == 0.5 else None)


def test_equal_allocations_are_put_together_and_the_last_peak_counts():
    rows = [(True, 1, 100), (True, 2, 100), (False, 2, 100), (True, 3, 100)]
    record, _ = allocator_memory(events_of(rows), (), "GPU 0")
    assert (record.peak_bytes, record.peak_ps) == (200, 30)
    (row,) = record.breakdown
    assert (row.bytes, row.requested_bytes, row.count) == (200, 200, 2)


def test_samples_know_their_step_and_deallocations_what_they_free():
    rows = [(True, 1, 100), (False, 1, 100), (False, 9, 7)]
    events = attrs.evolve(events_of(rows), requested_bytes=np.array([90, -1, -1], np.int64))
    steps = (MemoryStep("1", 0, 10), MemoryStep("2", 10, 20))
    record, _ = allocator_memory(events, steps, "GPU 0")
    assert [sample.step for sample in record.samples] == ["1", "2", None]
    assert [sample.activity for sample in record.samples] == ["allocation", "deallocation", "deallocation"]
    assert [sample.requested_bytes for sample in record.samples] == [90, 90, None]


def test_events_that_contradict_each_other_are_not_told_apart():
    events = attrs.evolve(events_of([(True, 1, 500), (True, 2, 600)]), heap_bytes=np.array([10, 20], np.int64))
    record, findings = allocator_memory(events, (), "GPU 0")
    (row,) = record.breakdown
    assert (row.findings, row.bytes) == ((OTHERS,), record.peak_bytes)
    assert codes(findings) == ["allocations-not-told-apart"]
    assert values(findings, "allocations-not-told-apart") == {"memory": "GPU 0"}


def test_what_is_not_recorded_is_unknown():
    nothing = np.full(1, -1, np.int64)
    events = attrs.evolve(
        events_of([(True, 1, 100)]),
        free_bytes=nothing,
        stack_bytes=nothing,
        peak_bytes=nothing,
        requested_bytes=nothing,
    )
    record, _ = allocator_memory(events, (), "GPU 0")
    assert (record.capacity_bytes, record.lifetime_peak_bytes) == (None, None)
    (sample,) = record.samples
    assert (sample.stack_bytes, sample.free_bytes, sample.requested_bytes) == (None, None, None)
