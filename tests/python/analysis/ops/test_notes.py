"""Notes and warnings on figures that cannot be taken as they are."""

import attrs
import numpy as np
import pytest

from made.findings import codes, said, values
from made.recorded import DATA
from made.views import flops, op_profile, op_statistics, roofline
from scopelight.analysis.ops.card import op_card_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Layout, Shape

MILLISECOND = 10**9
PRODUCT_FLOPS = 2 * 64**3


def test_rates_above_the_peak_are_explained_once_and_not_for_each_op(profile_of, product):
    caches = Calibration({"f32": 1e18}, 1e3, None, 2, "A CPU", "1.2", cache_bytes_per_s=2e3)
    profile = profile_of(
        [(product, MILLISECOND), (attrs.evolve(product, name="another", op_name="another"), 3 * MILLISECOND)],
        capture=RunInformation(calibration=caches),
    )
    statistics = op_statistics(profile)
    assert all(row.bandwidth_utilisation_ratio > 1 for row in statistics.rows)
    for record in (statistics, op_profile(profile), roofline(profile)):
        assert codes(record).count("rates-above-peak") == 1
        assert all(row.findings == () for row in record.rows)
        found = next(each for each in record.findings if each.code == "rates-above-peak")
        assert dict(found.values) == {
            "ops": 2,
            "share_ratio": 1.0,
            "limits": ("main",),
            "basis": "calibrated",
            "cache_bytes_per_s": 2e3,
        }
        assert set(found.evidence) == {row.key for row in statistics.rows}
        assert "caches" in said(record)
    assert all(each.efficiency_ratio > 1 for each in roofline(profile).rows)
    # Nothing that is faster than main memory can be is bound by it, nor by the caches.
    assert {row.bound_by for row in (*statistics.rows, *op_profile(profile).rows, *roofline(profile).rows)} == {None}
    card = op_card_record(op_table(profile), statistics.rows[0].key)
    assert codes(card.op) == ["rates-above-peak"], "the card is of one op, and has its own"
    assert values(card.op, "rates-above-peak")["ops"] == 1
    slow = attrs.evolve(profile, capture=RunInformation(calibration=attrs.evolve(caches, bytes_per_s=1e15)))
    assert "rates-above-peak" not in codes(op_statistics(slow))


def test_without_a_bandwidth_no_op_is_bound_by_compute_in_any_view(profile_of, product):
    """As a machine was calibrated that was too busy: the rate of products is known, that of copying is not."""
    busy = Calibration({"f32": 1e9}, None, None, 2, "A CPU", "1.2")
    profile = profile_of([(product, MILLISECOND)], capture=RunInformation(calibration=busy))
    (row,) = op_statistics(profile).rows
    assert row.flop_utilisation_ratio > 0.5
    for record in (op_statistics(profile), op_profile(profile), roofline(profile)):
        assert {each.bound_by for each in record.rows} == {None}
        assert codes(record, "warning") == ["bandwidth-unknown"]
        assert values(record, "bandwidth-unknown")["measured"]
    assert all(each.wasted_ps is None for each in op_profile(profile).rows)
    assert all(each.efficiency_ratio is None for each in roofline(profile).rows)
    own = op_statistics(profile, own_peaks=OwnPeaks(None, 1e12))
    assert own.rows[0].bound_by == "compute"
    assert "bandwidth-unknown" not in codes(own)


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
    record = op_statistics(open_profile(file), scope="window")
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


@pytest.mark.parametrize(("memory_space", "bound_by"), [(0, "main"), (5, None)])
def test_waiting_for_a_copy_from_the_host_is_not_bound_by_the_memory_that_it_fills(profile_of, memory_space, bound_by):
    """The link to the host has no peak: it may have been what the copy was waited for."""
    array = Shape("f32", (1024, 1024))
    there = attrs.evolve(array, layout=Layout((1, 0), memory_space=memory_space))
    pair = Shape("", (), tuple_shapes=(array, there, Shape("u32", ())))
    instructions = (
        Instruction(0, "p", "parameter", there, 0, parameter_number=0),
        Instruction(1, "copy-start", "copy-start", pair, 0, (0,)),
        Instruction(2, "copy-done", "copy-done", array, 0, (1,)),
    )
    module = HloModule("m", "7", instructions, (Computation(0, "main", (0, 1, 2), 2),), 0)
    ops = [Op(each.name, "", 0, module, each) for each in instructions[1:]]
    profile = profile_of([(ops[0], 1), (ops[1], MILLISECOND)], kind="tpu")
    rows = op_statistics(profile, own_peaks=OwnPeaks({"f32": 1e12}, 1e12)).rows
    (done,) = (row for row in rows if row.opcode == "copy-done")
    assert done.bytes_by_space == {"main": 4 * 1024**2}
    assert done.bandwidth_utilisation_ratio == pytest.approx(0.0042, rel=0.01)
    assert done.bound_by == bound_by
    assert done.wasted_ps == pytest.approx(done.self_ps, rel=0.01)
    category = next(row for row in op_profile(profile, own_peaks=OwnPeaks({"f32": 1e12}, 1e12)).rows if row.depth == 1)
    assert (category.label, category.bound_by) == ("copy-done", bound_by)
