"""How well ops use a device, where all of its peaks are known and where not."""

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
