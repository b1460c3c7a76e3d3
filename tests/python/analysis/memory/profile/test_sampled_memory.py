"""Memory that was sampled: its peak is the greatest of all samples, and the window has a peak of its own."""

import attrs
import pytest

from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.formats.lenient import from_json
from scopelight.model.memory.in_use import MemoryInUse
from scopelight.model.memory.recorded import DeviceMemory, MemoryReading, MemoryReadings
from scopelight.model.run.information import CaptureWindow, RecordedOutOfMemory, RunInformation

STARTED_NS = 1_000_000
WINDOW = CaptureWindow("steps", started_ns=STARTED_NS - 1_000, closed_ns=STARTED_NS + 9_000)


def told(*readings, peak=None):
    """Readings of a process and a device, each some nanoseconds from the profile's first event, and so many bytes."""
    return MemoryReadings(
        [
            MemoryReading(STARTED_NS + after_ns, size, {"gpu:0": DeviceMemory(size // 2, peak, 10_000, None)})
            for after_ns, size in readings
        ]
    )


@pytest.fixture
def memories_of(profile_of):
    """The device's record and the process's, of readings."""

    def make(readings, **capture):
        profile = attrs.evolve(
            profile_of([], capture=RunInformation(**capture)),
            memory=MemoryInUse(readings=lambda: readings),
            started_ns=STARTED_NS,
            duration_ps=8_000_000,
        )
        return memory_profile(profile).memories

    return make


def test_the_peak_is_the_greatest_sample_and_the_window_has_its_own(memories_of):
    readings = told((-5_000, 900), (-1_000, 500), (4_000, 600), (9_000, 400), (9_001, 800))
    device, process = memories_of(readings, window=WINDOW)
    # Times count from the first sample, 5 µs before the profile's first event.
    assert (process.peak_bytes, process.peak_ps, process.lifetime_peak_bytes) == (900, 0, 900)
    assert (process.window_peak_bytes, process.window_peak_ps) == (600, 9_000_000)
    assert (device.peak_bytes, device.peak_ps, device.lifetime_peak_bytes) == (450, 0, 450)
    assert (device.window_peak_bytes, device.window_peak_ps) == (300, 9_000_000)
    assert process.sample_count == len(process.samples) == 5
    assert [each.time_ps for each in process.samples] == [0, 4_000_000, 9_000_000, 14_000_000, 14_001_000]


def test_what_an_allocator_says_of_its_lifetime_is_kept(memories_of):
    device, _ = memories_of(told((-5_000, 900), (4_000, 600), peak=1_000), window=WINDOW)
    assert (device.peak_bytes, device.window_peak_bytes, device.lifetime_peak_bytes) == (450, 300, 1_000)


def test_without_a_recorded_window_the_trace_is_it(memories_of):
    _, process = memories_of(told((-1, 900), (0, 500), (8_000, 600), (8_001, 800)))
    assert (process.peak_bytes, process.window_peak_bytes) == (900, 600)


def test_a_script_that_ran_out_of_memory_has_its_end_in_the_window(memories_of):
    ended = RecordedOutOfMemory("Out of memory allocating 64 bytes.", (), during_compilation=False)
    _, process = memories_of(told((-5_000, 900), (4_000, 600), (50_000, 800)), window=WINDOW, out_of_memory=ended)
    assert (process.peak_bytes, process.window_peak_bytes) == (900, 800)


@pytest.mark.parametrize("kind", ["probe", "whole"])
def test_a_script_that_ended_in_the_window_has_its_last_sample_in_it(memories_of, kind):
    _, process = memories_of(told((-5_000, 900), (4_000, 600), (50_000, 800)), window=attrs.evolve(WINDOW, kind=kind))
    assert (process.peak_bytes, process.window_peak_bytes) == (900, 800)


def test_where_no_sample_is_in_the_window_it_has_no_peak(memories_of):
    _, process = memories_of(told((-5_000, 900), (50_000, 800)), window=WINDOW)
    assert (process.peak_bytes, process.window_peak_bytes, process.window_peak_ps) == (900, None, None)


@pytest.mark.parametrize("window", [{"started_ns": "soon", "closed_ns": None}, {}])
def test_a_damaged_window_is_none(memories_of, window):
    _, process = memories_of(told((-1, 900), (0, 500)), window=from_json(window, CaptureWindow))
    assert (process.peak_bytes, process.window_peak_bytes) == (900, 500)
