"""Allocator events of real captures against XProf's memory profile of them.

Where the two differ, the test says why XProf errs: it takes the time of an event from the start of its thread instead
of the profile's (seen where threads start at different times), and leaves out allocations of earlier steps.
"""

import json
import lzma
from collections import Counter

import pytest

from made.recorded import DATA
from scopelight.analysis.memory.profile.allocator_memory import OTHERS, STACK, allocator_memory
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.model.opening.profile import open_profile

FILES = {
    "tpu-v6e-host-offload": "tpu_inference_2.xplane.pb",
    "mi300x-conv": "tw003.xplane.pb",
    "v100-tensorflow": "worker.xplane.pb",
}
UNMAPPED = "unused preallocated device memory"
IN_ONE_ORDER = {"tpu-v6e-host-offload", "v100-tensorflow"}
"""Captures whose allocator events lie on threads that start together, or on one thread for each allocator."""


@pytest.fixture(scope="module", params=FILES)
def capture(request):
    """A capture's name, its allocators by id, and XProf's figures of them."""
    file = DATA / request.param / FILES[request.param]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    profile = open_profile(file)
    with lzma.open(DATA / request.param / "xprof" / "memory_profile.json.xz") as stream:
        oracle = json.load(stream)["memoryProfilePerAllocator"]
    return request.param, {each.id: each for each in profile.memory.allocators()}, oracle, profile


def record_of(events):
    return allocator_memory(events, (), events.id)[0]


def test_every_allocator_is_found(capture):
    _, allocators, oracle, _ = capture
    assert set(allocators) == set(oracle)


def test_peaks_capacities_and_lifetime_peaks(capture):
    _, allocators, oracle, _ = capture
    for name, events in allocators.items():
        record, theirs = record_of(events), oracle[name]["profileSummary"]
        stats = theirs["peakStats"]
        assert record.peak_bytes == int(stats["heapAllocatedBytes"]) + int(stats["stackReservedBytes"])
        assert record.capacity_bytes == int(theirs["memoryCapacity"])
        reported = int(theirs["peakBytesUsageLifetime"])
        # A lifetime's peak is no less than a window's: some allocators report the heap's alone, or too late.
        assert record.lifetime_peak_bytes == max(reported, record.peak_bytes)


def sample_key(stack, heap, free, ratio, activity):
    return (int(stack), int(heap), int(free), round(float(ratio), 6), activity)


def test_samples_are_the_same(capture):
    name, allocators, oracle, _ = capture
    for identifier, events in allocators.items():
        ours = record_of(events).samples
        theirs = oracle[identifier]["sampledTimelineSnapshots"]
        assert len(ours) == len(theirs) == len(events)
        our_keys = [
            sample_key(
                each.stack_bytes, each.heap_bytes, each.free_bytes, each.fragmentation_ratio, each.activity.upper()
            )
            for each in ours
        ]
        their_keys = []
        for each in theirs:
            stats = each["aggregationStats"]
            values = [stats[key] for key in ("stackReservedBytes", "heapAllocatedBytes", "freeMemoryBytes")]
            their_keys.append(sample_key(*values, stats["fragmentation"], each["activityMetadata"]["memoryActivity"]))
        assert Counter(our_keys) == Counter(their_keys)
        if name in IN_ONE_ORDER:
            assert our_keys == their_keys
            shift = ours[0].time_ps - int(theirs[0]["timeOffsetPs"])
            assert [each.time_ps - int(other["timeOffsetPs"]) for each, other in zip(ours, theirs, strict=True)] == [
                shift
            ] * len(ours)


def test_what_the_allocator_did_is_the_same(capture):
    name, allocators, oracle, _ = capture
    if name not in IN_ONE_ORDER:
        pytest.skip("XProf has the events in another order")
    for identifier, events in allocators.items():
        theirs = oracle[identifier]["sampledTimelineSnapshots"]
        for ours, other in zip(record_of(events).samples, theirs, strict=True):
            said = other["activityMetadata"]
            assert (ours.op or "") == said["tfOpName"]
            assert (ours.region or "") == said["regionType"]
            assert (ours.data_type or "INVALID") == said["dataType"]
            assert (ours.shape or "") == said["tensorShape"]
            # A TPU's deallocations do not say how much: here it is that of the allocation.
            if int(said["allocationBytes"]):
                assert ours.allocated_bytes == int(said["allocationBytes"])
                assert ours.requested_bytes == int(said["requestedBytes"])


def _name(row):
    if STACK in row.findings:
        return "stack"
    return row.findings[0].code if row.findings else row.op


def breakdown_of_oracle(theirs):
    rows = Counter()
    for each in theirs["activeAllocations"]:
        index, special = int(each["snapshotIndex"]), int(each["specialIndex"])
        said = (
            theirs["memoryProfileSnapshots"][index]["activityMetadata"]
            if index >= 0
            else theirs["specialAllocations"][special]
        )
        count = int(each["numOccurrences"])
        op = OTHERS.code if said["tfOpName"] == UNMAPPED else said["tfOpName"]
        rows[op, int(said["allocationBytes"]) * count, said["regionType"], count] += 1
    return rows


def test_the_breakdown_at_the_peak(capture):
    name, allocators, oracle, _ = capture
    for identifier, events in allocators.items():
        record = record_of(events)
        ours = Counter((_name(row), row.bytes, row.region or "", row.count) for row in record.breakdown)
        theirs = breakdown_of_oracle(oracle[identifier])
        assert sum(row.bytes for row in record.breakdown) == record.peak_bytes
        if events.kind == "accelerator" and name in IN_ONE_ORDER:
            assert ours == theirs
        else:
            # More is told apart here: what XProf has before the peak's step, or puts behind it, was alive as well.
            unmapped = sum(key[1] for key in theirs if key[0] == OTHERS.code)
            assert sum(row.bytes for row in record.breakdown if OTHERS in row.findings) <= unmapped


def test_an_independent_replay_gives_the_same_breakdown(capture):
    _, allocators, _, _ = capture
    for events in allocators.values():
        record = record_of(events)
        alive = {}
        for row in range(len(events)):
            if events.time_ps[row] > record.peak_ps:
                break
            if events.is_allocation[row]:
                alive[int(events.address[row])] = int(events.allocated_bytes[row])
            else:
                alive.pop(int(events.address[row]), None)
        seen = sum(row.bytes for row in record.breakdown if row.region not in ("persist/dynamic", "stack"))
        others = sum(row.bytes for row in record.breakdown if OTHERS in row.findings)
        stack = sum(row.bytes for row in record.breakdown if STACK in row.findings)
        assert seen + others + stack == record.peak_bytes
        assert others == record.peak_bytes - stack - sum(alive.values())


def test_what_has_no_name_is_joined_with_the_plan_of_the_program(capture):
    name, _, _, profile = capture
    record = memory_profile(profile)
    for memory in record.memories:
        assert sum(row.bytes for row in memory.breakdown) == memory.peak_bytes
    if name == "mi300x-conv":
        memory = next(each for each in record.memories if each.id == "GPU_3_bfc")
        row = memory.breakdown[0]
        # The outputs of two runs of the convolution: the compiler planned 572,026,880 bytes for one.
        assert (row.bytes, row.count, row.basis, row.line) == (2 * 572_026_880, 2, "joined", 23)
        assert row.path.endswith("generate_conv_trace.py")
    elif name == "tpu-v6e-host-offload":
        joined = [row for row in record.memories[0].breakdown if row.basis == "joined"]
        # jit_f keeps four arrays of 5 GiB in the stack.
        assert [row.bytes for row in joined[:4]] == [5 << 30] * 4
    else:
        assert not [row for memory in record.memories for row in memory.breakdown if row.basis == "joined"]
