"""How well ops use a device, where all of its peaks are known and where not."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.ops.utilisation import utilisation
from scopelight.model.devices.peaks import Peaks

SECOND_PS = 10**12


def peaks(flops_per_s):
    return Peaks("a device", "tpu", flops_per_s, {"main": 100.0}, None, "table", "made")


def test_work_is_bound_by_the_limit_that_it_comes_nearest_to():
    used = utilisation(50, {"main": 10}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert (used.flop_ratio, used.bandwidth_ratio, used.bound_by) == (0.5, 0.1, "compute")


def test_nothing_is_said_of_the_bound_where_the_peak_of_the_type_is_unknown():
    used = utilisation(50, {"main": 10}, "s4", SECOND_PS, peaks({"f64": 100.0}))
    assert (used.flop_ratio, used.bandwidth_ratio, used.bound_by) == (None, 0.1, None)


def test_what_computes_nothing_needs_no_peak_of_its_type():
    used = utilisation(0, {"main": 10}, "s4", SECOND_PS, peaks({"f64": 100.0}))
    assert (used.flop_ratio, used.bound_by) == (0.0, "main")


def without_bandwidth(flops_per_s):
    return attrs.evolve(peaks(flops_per_s), bytes_per_s={})


@pytest.mark.parametrize(
    ("flops", "moved", "found"),
    [
        (50, {"main": 10}, None),
        (50, None, None),
        (50, {"host": 10}, None),
        # What moves nothing in main memory cannot be bound by it.
        (50, {"main": 0}, "compute"),
        (50, {}, "compute"),
    ],
)
def test_nothing_is_bound_by_compute_where_the_bandwidth_is_unknown(flops, moved, found):
    used = utilisation(flops, moved, "f32", SECOND_PS, without_bandwidth({"f32": 100.0}))
    assert used.flop_ratio == 0.5
    assert (used.bound_by, used.greatest_ratio) == (found, 0.5 if found else None)
    assert (used.wasted_ps(SECOND_PS) is None) == (found is None)


def test_what_moves_an_unknown_number_of_bytes_is_not_known_to_be_bound_by_compute():
    used = utilisation(50, None, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert (used.flop_ratio, used.bandwidth_ratio, used.bound_by) == (0.5, None, None)


def test_what_computes_an_unknown_number_of_flops_is_not_known_to_be_bound_by_memory():
    used = utilisation(None, {"main": 10}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert (used.flop_ratio, used.bandwidth_ratio, used.bound_by) == (None, 0.1, None)
    assert used.wasted_ps(SECOND_PS) is None


def test_bytes_of_the_host_whose_link_has_no_known_peak_may_be_what_bounds():
    used = utilisation(1, {"main": 10, "host": 10}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert (used.bandwidth_ratio, used.bound_by) == (0.1, None)
    # An inner memory is faster than main memory: nothing is bound by it sooner.
    used = utilisation(1, {"main": 10, "vmem": 10}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert used.bound_by == "main"


def test_what_moves_nothing_in_main_memory_has_no_share_of_its_peak_where_other_memories_have_none():
    used = utilisation(0, {"host": 10}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert used.bandwidth_ratio is None
    # What moves nothing at all has 0.
    assert utilisation(50, {}, "f32", SECOND_PS, peaks({"f32": 100.0})).bandwidth_ratio == 0.0


def test_what_moves_bytes_faster_than_main_memory_is_not_bound_by_it():
    """Its data was in caches: no such rate is a limit of main memory, and what does limit it is not known."""
    used = utilisation(1, {"main": 300}, "f32", SECOND_PS, peaks({"f32": 100.0}))
    assert (used.bandwidth_ratio, used.greatest_ratio, used.bound_by) == (3, 3, None)
    # To as many digits as are shown it is all of the bandwidth.
    used = utilisation(1, {"main": 1_000_003}, "f32", 10_000 * SECOND_PS, peaks({"f32": 100.0}))
    assert used.bound_by == "main"


@given(
    st.one_of(st.none(), st.integers(0, 1000)),
    st.one_of(st.none(), st.dictionaries(st.sampled_from(["main", "host", "vmem"]), st.integers(0, 1000))),
    st.sampled_from([{}, {"f32": 100.0}]),
    st.sampled_from([{}, {"main": 100.0}, {"main": 100.0, "vmem": 1000.0}]),
)
def test_a_bound_is_one_that_nothing_unknown_could_exceed(flops, moved, flops_per_s, bytes_per_s):
    found = attrs.evolve(peaks(flops_per_s), bytes_per_s=bytes_per_s)
    used = utilisation(flops, moved, "f32", SECOND_PS, found)
    if used.bound_by is None:
        return
    assert used.bound_by in (*bytes_per_s, "compute")
    assert used.ratio(used.bound_by) == max(used.ratio(limit) for limit in used.seconds)
    if used.bound_by == "compute":
        assert flops_per_s
        assert moved is not None
        assert all(space in bytes_per_s for space in ("main", "host") if moved.get(space))
    else:
        assert flops == 0 or flops_per_s
        assert flops is not None
        assert not moved.get("host")
