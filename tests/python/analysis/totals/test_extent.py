"""What the sums of records are over."""

import attrs
import jax.numpy as jnp
import numpy as np
import pytest

from made.findings import codes
from made.profiles import spans
from made.truth.oracles import oracle
from made.views import flops, op_profile, op_statistics, roofline
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.padding.padding import padding
from scopelight.analysis.records import ExtentRecord, WallRecord
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.model.profile import StepMarks


def test_every_record_says_what_its_sums_are_over(profile_of, product):
    profile = profile_of([(product, 10)] * 3)
    whole = ExtentRecord("window", 0, 30, 1, has_steps=False)
    for analysis in (hot_lines, op_statistics, op_profile, flops, roofline, padding):
        assert analysis(profile).extent == whole
    step = StepMarks("train", np.array([1]), np.array([10]), np.array([15]))
    marked = attrs.evolve(profile, step_marks=[step], duration_ps=60)
    for analysis in (hot_lines, op_statistics, op_profile, flops, roofline, padding):
        assert analysis(marked).extent == ExtentRecord("steps", 1, 15, 1, has_steps=True)
        assert analysis(marked, scope="window").extent == ExtentRecord("window", 0, 60, 1, has_steps=True)
        assert analysis(marked, scope="outside").extent == ExtentRecord("outside", 0, 45, 1, has_steps=True)
    assert op_profile(marked).wall == WallRecord(15, 15, 0, 0, 0, ())
    assert op_profile(marked, scope="window").wall == WallRecord(60, 30, 0, 30, 0, ())
    assert op_profile(marked, scope="outside").wall == WallRecord(45, 15, 0, 30, 0, ())


def test_what_was_not_traced_is_in_no_extent(profile_of, product):
    step = StepMarks("train", np.array([1]), np.array([10]), np.array([15]))
    profile = attrs.evolve(profile_of([(product, 10)] * 3), step_marks=[step], duration_ps=60, untraced=spans((40, 50)))
    assert hot_lines(profile, scope="window").wall == WallRecord(50, 30, 0, 20, 0, ())
    assert hot_lines(profile, scope="outside").wall == WallRecord(35, 15, 0, 20, 0, ())
    assert hot_lines(profile).wall == WallRecord(15, 15, 0, 0, 0, ())


def test_what_did_not_run_is_of_one_run_of_the_program(compiled_module, profile_of):
    module = compiled_module(jnp.tanh, jnp.ones(100))
    profile = profile_of([], modules=[module])
    for analysis in (op_statistics, op_profile, flops, roofline, padding):
        assert analysis(profile).extent == ExtentRecord("program", 0, 0, 0, has_steps=False)


def test_a_device_that_ran_nothing_in_the_steps_is_none_of_theirs(profile_of, product):
    """Its rest would be in their wall clock, and what the others did less by as much."""
    profile = profile_of([(product, 10), (product, 10), (product, 5)], device_of=[0, 0, 1])
    step = StepMarks("train", np.array([1, 2]), np.array([0, 10]), np.array([10, 10]))
    marked = attrs.evolve(profile, step_marks=[step], duration_ps=30)
    record = hot_lines(marked)
    assert record.extent == ExtentRecord("steps", 2, 20, 1, has_steps=True)
    assert record.wall == WallRecord(20, 20, 0, 0, 0, ())
    assert [each.ordinal for each in record.devices] == [0]
    assert record.lines[0].per_step_ps == 10
    assert hot_lines(marked, scope="window").extent.devices == 2
    assert hot_lines(marked, scope="outside").extent.devices == 2
    # To the other all of the window is outside of the steps, so that both scopes make up the window.
    assert hot_lines(marked, scope="outside").wall == WallRecord(40, 5, 0, 35, 0, ())
    assert hot_lines(marked, scope="window").wall == WallRecord(60, 25, 0, 35, 0, ())
    chosen = op_profile(marked, device="/device:CPU:1")
    assert (chosen.extent.devices, chosen.wall) == (1, WallRecord(20, 0, 0, 20, 0, ()))


def test_steps_in_which_nothing_ran_keep_every_device(profile_of, product):
    profile = profile_of([(product, 5), (product, 5)], device_of=[0, 1])
    step = StepMarks("train", np.array([1]), np.array([20]), np.array([10]))
    marked = attrs.evolve(profile, step_marks=[step], duration_ps=30)
    assert hot_lines(marked).wall == WallRecord(20, 0, 0, 20, 0, ())


def test_the_step_of_one_of_three_devices_is_as_busy_as_xprof_says(shared_data):
    """Another two ran only copies, before the step."""
    record = hot_lines(open_profile(shared_data / "v100-tensorflow" / "worker.xplane.pb"))
    times = next(each["p"] for each in oracle("v100-tensorflow", "overview_page") if "steptime_ms_average" in each["p"])
    assert record.extent.devices == 1
    assert record.step_time.mean_ps == pytest.approx(float(times["steptime_ms_average"]) * 1e9, rel=0.01)
    busy_ps = record.wall.busy_ps / record.extent.steps
    assert busy_ps == pytest.approx(float(times["device_compute_time_ms_avg"]) * 1e9, rel=0.01)


def test_where_the_names_of_the_ops_in_the_steps_were_cut_off_another_name_does_not_blame_the_sources(
    profile_of, product
):
    nameless = Op("#17", "", 0)
    profile = profile_of([(product, 10), (nameless, 10), (nameless, 10)])
    step = StepMarks("train", np.array([1]), np.array([10]), np.array([20]))
    cut = attrs.evolve(profile, step_marks=[step], duration_ps=30, is_cut_off=True)
    assert codes(hot_lines(cut).findings)[0] == "op-names-cut-off"
    assert "op-names-cut-off" not in codes(hot_lines(cut, scope="outside").findings)
