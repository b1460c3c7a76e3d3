"""Notes and warnings on figures that cannot be taken as they are."""

import attrs
import numpy as np
import pytest

from made.findings import codes, said, values
from made.recorded import DATA
from made.views import flops, op_profile, op_statistics, roofline
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

MILLISECOND = 10**9
PRODUCT_FLOPS = 2 * 64**3


def test_faster_than_the_measured_peak_is_data_in_caches(profile_of, product):
    capture = RunInformation(calibration=Calibration({"f32": 1e18}, 1e3, None, 2, "A CPU", "1.2"))
    profile = profile_of([(product, MILLISECOND)], capture=capture)
    (row,) = op_statistics(profile).rows
    assert row.bandwidth_utilisation_ratio > 1
    assert codes(row) == ["moves-faster-than-measured"]
    tree = op_profile(profile).rows
    assert {each.kind for each in tree if each.findings == row.findings} >= {"total", "category", "op"}
    points = roofline(profile).rows
    assert all(each.findings == row.findings for each in points)
    assert all(each.efficiency_ratio > 1 for each in points)


def test_what_was_measured_on_a_busy_machine_is_a_warning_of_every_record(profile_of, product):
    busy = Calibration({"f32": 1e18}, 1e12, None, 2, "A CPU", "1.2", others_ratio=0.45)
    profile = profile_of([(product, MILLISECOND)], capture=RunInformation(calibration=busy))
    for analysis in (op_statistics, op_profile, flops, roofline):
        assert codes(analysis(profile), "warning") == ["peaks-measured-while-busy"]
        assert values(analysis(profile), "peaks-measured-while-busy") == {"others_ratio": 0.45}
        own = analysis(profile, own_peaks=OwnPeaks({"f32": 1e18}, 1e12))
        assert codes(own, "warning") == [], "nothing measured is used"
    quiet = attrs.evolve(profile, capture=RunInformation(calibration=attrs.evolve(busy, others_ratio=0.1)))
    assert codes(op_statistics(quiet), "warning") == []


def several_kernels(profile_of, op, kernels, *, runs=4, kind="gpu"):
    """A profile in which each run of a program takes several kernels for one op; of the first run, one is cut off."""
    profile = profile_of([(op, MILLISECOND)] * (kernels * runs - 1), kind=kind)
    run = np.repeat(np.arange(runs, dtype=np.int32), kernels)[1:]
    return attrs.evolve(profile, executions=attrs.evolve(profile.executions, run=run))


def test_costs_that_are_counted_for_each_of_several_kernels_are_told(profile_of, product):
    record = op_statistics(several_kernels(profile_of, product, 3))
    (row,) = record.rows
    assert row.flops == 11 * PRODUCT_FLOPS, "as XProf counts them"
    assert values(row, "several-kernels") == {"kernels": 3}
    assert values(record, "ops-of-several-kernels")["op"] == product.name
    assert op_statistics(several_kernels(profile_of, product, 1)).rows[0].findings == ()
    assert op_statistics(several_kernels(profile_of, product, 3, kind="tpu")).rows[0].findings == ()


def test_an_op_in_a_loop_runs_often_and_not_as_several_kernels(profile_of, product):
    computations = product.module.computations
    entry = Computation(len(computations), "main", (), 0)
    module = attrs.evolve(product.module, computations=(*computations, entry), entry=len(computations))
    looped = attrs.evolve(product, module=module)
    assert op_statistics(several_kernels(profile_of, looped, 3)).rows[0].findings == ()


def test_the_convolution_of_an_mi300x_takes_two_kernels():
    file = DATA / "mi300x-conv" / "tw003.xplane.pb"
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    record = op_statistics(open_profile(file))
    noted = {row.name: row for row in record.rows if row.findings}
    assert set(noted) == {"cudnn-conv.1"}
    assert values(noted["cudnn-conv.1"], "several-kernels") == {"kernels": 2}
    assert "cudnn-conv.1, 44.5 % of the op time" in said(record, "warning")


def test_a_start_whose_work_goes_on_beside_has_no_rate(profile_of):
    array = Shape("f32", (1024, 1024))
    instructions = (
        Instruction(0, "p", "parameter", array, 0, parameter_number=0),
        Instruction(1, "copy-start", "copy-start", array, 0, (0,)),
    )
    module = HloModule("m", "7", instructions, (Computation(0, "main", (0, 1), 1),), 0)
    profile = profile_of([(Op("copy-start", "", 0, module, instructions[1]), 10)])
    own = OwnPeaks({"f32": 1e12}, 1e12)
    (fast,) = op_statistics(profile, own_peaks=own).rows
    assert fast.asynchronous
    assert (fast.bandwidth_utilisation_ratio, fast.bound_by, fast.wasted_ps) == (None, None, None)
    assert codes(fast) == ["beside-other-ops"]
    assert all(row.bandwidth_utilisation_ratio is None for row in op_profile(profile, own_peaks=own).rows)
    # Where the start is all of the work, its time is that of the work.
    (slow,) = op_statistics(profile, own_peaks=OwnPeaks({"f32": 1e12}, 1e19)).rows
    assert not slow.asynchronous
    assert 0 < slow.bandwidth_utilisation_ratio < 1
