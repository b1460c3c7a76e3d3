"""Points under the roofline."""

import attrs
import jax.numpy as jnp
import numpy as np
import pytest

from made.findings import codes, said
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Op, ProgramRuns
from scopelight.model.recorded_cost import RecordedCost
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import RunInformation

COMPUTE, MEMORY = 4e12, 1e12


@pytest.fixture(scope="module")
def ops(compiled_module, ops_of):
    """A product, and an op whose cost the profile states in two memory spaces."""
    module = compiled_module(lambda x, y: x @ y, jnp.ones((64, 64)), jnp.ones((64, 64)))
    (product,) = ops_of(module)
    stated = attrs.evolve(product, name="stated", recorded=RecordedCost(1000, 1000, {"main": 500, "vmem": 2000}))
    return product, stated, Op("unknown.kd", "kernel", -1)


def test_each_op_has_a_point_in_each_space_that_it_moves_bytes_of(ops, profile_of):
    profile = profile_of([(op, 10**6) for op in ops])
    record = roofline_record(op_table(profile, own_peaks=OwnPeaks({"f32": COMPUTE}, MEMORY)))
    points = {(row.label, row.space): row for row in record.rows if row.kind == "op"}
    product = ops[0]
    assert set(points) == {(product.name, "main"), ("stated", "main"), ("stated", "vmem")}
    assert record.unknown_ps == 10**6
    main = points["stated", "main"]
    assert main.intensity_flops_per_byte == 2
    assert main.flops_per_s == pytest.approx(1000 / 1e-6)
    assert main.bytes_per_s == pytest.approx(500 / 1e-6)
    assert main.limit_flops_per_s == pytest.approx(2 * MEMORY)
    assert main.bound_by == "main"
    assert main.efficiency_ratio == pytest.approx(500 / 1e-6 / MEMORY)
    # No peak of that space is known.
    assert points["stated", "vmem"].limit_flops_per_s is None
    held = points[product.name, "main"]
    assert held.intensity_flops_per_byte == pytest.approx(2 * 64**3 / (3 * 64 * 64 * 4))
    assert held.limit_flops_per_s == COMPUTE
    assert held.bound_by == "compute"
    assert held.flops_per_s <= held.limit_flops_per_s


def test_roofs_meet_at_the_ridge(ops, profile_of):
    record = roofline_record(op_table(profile_of([(ops[0], 10)]), own_peaks=OwnPeaks({"f32": COMPUTE}, MEMORY)))
    (roof,) = record.roofs
    assert (roof.element_type, roof.space, roof.flops_per_s, roof.bytes_per_s) == ("f32", "main", COMPUTE, MEMORY)
    assert roof.ridge_flops_per_byte == 4


def test_a_program_is_over_the_time_of_its_runs(ops, profile_of):
    profile = profile_of([(op, 10**6) for op in ops[:2]])
    runs = ProgramRuns(
        program=np.zeros(1, dtype=np.int32),
        device=np.zeros(1, dtype=np.int32),
        run_id=np.ones(1, dtype=np.uint64),
        start_ps=np.zeros(1, dtype=np.int64),
        duration_ps=np.full(1, 8 * 10**6, dtype=np.int64),
        launch_ps=np.full(1, -1, dtype=np.int64),
    )
    record = roofline_record(op_table(attrs.evolve(profile, runs=runs), own_peaks=OwnPeaks({"f32": COMPUTE}, MEMORY)))
    program = next(row for row in record.rows if row.kind == "program" and row.space == "main")
    assert program.label == "program"
    assert program.flops == 2 * 64**3 + 1000
    assert program.bytes == 3 * 64 * 64 * 4 + 500
    assert program.flops_per_s == pytest.approx(program.flops / 8e-6)
    assert program.self_ps == 2 * 10**6


def test_without_costs_it_says_why_it_is_empty(profile_of):
    record = roofline_record(op_table(profile_of([(Op("unknown.kd", "kernel", -1), 5)])))
    assert record.rows == ()
    assert record.unknown_ps == 5
    assert said(record, "empty")
    assert said(record, "empty")


def test_measured_caches_are_a_ceiling_above_main_memory_that_nothing_is_bound_by(ops, profile_of):
    product = ops[0]
    moved = 3 * 64 * 64 * 4
    # The op moves its bytes twice as fast as main memory can, and half as fast as the caches.
    measured = Calibration({"f32": 1e18}, moved / 2e-6, None, 2, "A CPU", "1.2", cache_bytes_per_s=moved / 0.5e-6)
    profile = profile_of([(product, 10**6)], capture=RunInformation(calibration=measured))
    record = roofline_record(op_table(profile))
    (ceiling,) = record.ceilings
    assert (ceiling.source, ceiling.space, ceiling.bytes_per_s) == ("caches", "main", measured.cache_bytes_per_s)
    assert all(ceiling.bytes_per_s > roof.bytes_per_s for roof in record.roofs)
    for row in record.rows:
        assert roof_of(record, row) < row.flops_per_s < row.intensity_flops_per_byte * ceiling.bytes_per_s
        assert row.bound_by is None
        assert row.efficiency_ratio == pytest.approx(2)
    assert codes(record).count("rates-above-peak") == 1
    for caches in (None, measured.bytes_per_s / 2):
        without = attrs.evolve(measured, cache_bytes_per_s=caches)
        other = attrs.evolve(profile, capture=RunInformation(calibration=without))
        assert roofline_record(op_table(other)).ceilings == (), "none is drawn that is not above the roof"


def roof_of(record, row):
    (roof,) = record.roofs
    return min(roof.flops_per_s, roof.bytes_per_s * row.intensity_flops_per_byte)
