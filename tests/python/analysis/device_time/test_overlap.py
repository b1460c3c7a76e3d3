"""Overlap: computation, communication and free time make up the window, exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named, ops_of_module
from made.recorded import DATA
from scopelight.analysis.device_time.overlap import AsyncSpans, overlap
from scopelight.model.opening.profile import open_profile
from scopelight.model.spans import Spans, merge_spans

COMPUTE = named("fusion", "loop fusion")
COMMUNICATE = named("all-reduce", "all-reduce")
TRANSFER = named("copy-done", "copy-done")
WAIT = named("infeed", "infeed")
LOOP = named("while", "while")
START, DONE = ops_of_module(
    [("all-gather-start", "all-gather-start", ()), ("all-gather-done", "all-gather-done", (0,))]
)
WINDOW = 60

OPS = st.sampled_from([COMPUTE, COMMUNICATE, TRANSFER, WAIT])
ROWS = st.lists(st.tuples(OPS, st.integers(0, WINDOW - 1), st.integers(0, WINDOW)), max_size=25).map(
    lambda rows: sorted(
        ((op, start, min(WINDOW, start + length)) for op, start, length in rows), key=lambda row: (row[1], -row[2])
    )
)
SPANS = st.lists(st.tuples(st.integers(-5, WINDOW), st.integers(0, 30)), max_size=8)


def instants(spans):
    """Every picosecond that the spans cover."""
    covered = set()
    for start, duration in zip(spans.start_ps.tolist(), spans.duration_ps.tolist(), strict=True):
        assert duration > 0
        assert covered.isdisjoint(range(start, start + duration))
        covered.update(range(start, start + duration))
    return covered


def union(starts_and_lengths):
    start, length = (np.array(column, dtype=np.int64) for column in zip(*starts_and_lengths or [(0, 0)], strict=True))
    return merge_spans(start, start + length)


@given(ROWS, SPANS, SPANS)
def test_every_instant_is_told_as_by_looking_at_each_execution(rows, communication, transfer):
    recorded = AsyncSpans(union(communication), union(transfer))
    found = overlap(executions_of(rows or [(WAIT, 0, 0)]), 0, WINDOW, recorded)

    def of(op):
        return {at for each, start, end in rows if each is op for at in range(start, end)}

    window = set(range(WINDOW))
    communicating = of(COMMUNICATE) | (instants(recorded.communication) & window)
    assert instants(found.computation) == of(COMPUTE)
    assert instants(found.communication) == communicating
    assert instants(found.pure_communication) == communicating - of(COMPUTE)
    assert instants(found.transfer) == of(TRANSFER) | (instants(recorded.transfer) & window)
    assert instants(found.free) == window - of(COMPUTE) - communicating


@given(ROWS)
def test_the_parts_add_up_to_the_window(rows):
    found = overlap(executions_of(rows or [(WAIT, 0, 0)]), 0, WINDOW)
    parts = (found.computation, found.pure_communication, found.free)
    assert sum(int(each.duration_ps.sum()) for each in parts) == WINDOW
    hidden = instants(found.communication) & instants(found.computation)
    whole = len(instants(found.communication))
    assert found.overlap_ratio == (pytest.approx(len(hidden) / whole) if whole else None)


def test_a_loop_is_what_runs_in_it():
    found = overlap(executions_of([(LOOP, 0, 50), (COMPUTE, 5, 10), (COMMUNICATE, 10, 30)]), 0, WINDOW)
    assert instants(found.computation) == set(range(5, 10))
    assert instants(found.pure_communication) == set(range(10, 30))


def test_a_loop_of_which_nothing_inside_is_recorded_computes():
    found = overlap(executions_of([(LOOP, 0, 20), (COMMUNICATE, 30, 40)]), 0, WINDOW)
    assert instants(found.computation) == set(range(20))


def test_an_asynchronous_collective_counts_from_its_start_to_its_end():
    found = overlap(executions_of([(START, 0, 1), (COMPUTE, 1, 20), (DONE, 30, 35)]), 0, WINDOW)
    assert instants(found.communication) == set(range(35))
    assert instants(found.pure_communication) == {0, *range(20, 35)}
    assert found.overlap_ratio == pytest.approx(19 / 35)


def test_what_a_device_records_of_its_asynchronous_ops_stands_before_its_starts_and_dones():
    recorded = AsyncSpans(Spans(np.array([0]), np.array([12])), Spans(np.array([], np.int64), np.array([], np.int64)))
    found = overlap(executions_of([(START, 0, 1), (COMPUTE, 1, 20), (DONE, 30, 31)]), 0, WINDOW, recorded)
    assert instants(found.communication) == {*range(12), 30}


def test_devices_are_told_apart():
    executions = executions_of([(COMPUTE, 0, 10), (COMMUNICATE, 5, 20)], devices=[0, 1])
    assert overlap(executions, 0, WINDOW).overlap_ratio is None
    assert overlap(executions, 1, WINDOW).overlap_ratio == 0


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared profiles are not beside this checkout")
def test_on_a_real_tpu_nothing_hides_the_sums_across_its_cores():
    profile = open_profile(DATA / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb")
    for device in range(4):
        found = overlap(profile.executions, device, profile.duration_ps)
        parts = (found.computation, found.pure_communication, found.free)
        assert sum(int(each.duration_ps.sum()) for each in parts) == profile.duration_ps
        # Three all-reduces of 122 ms; its copies to and from the host are transfers.
        assert len(found.communication.start_ps) == 3
        assert int(found.pure_communication.duration_ps.sum()) == pytest.approx(365.1e9, rel=1e-3)
        assert found.overlap_ratio == 0
        assert int(found.transfer.duration_ps.sum()) > 0.7 * profile.duration_ps
