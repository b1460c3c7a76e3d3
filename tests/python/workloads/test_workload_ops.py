"""Every view of ops is full on a run on the CPU, and says the same of each op."""

import pytest

from made.findings import codes
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.opening.profile import open_profile
from scopelight.source.workspace import line_options

WORKLOADS = ("plain_loop", "remat_scan", "two_jits", "sharded")


@pytest.fixture(scope="module", params=WORKLOADS)
def table(request, workload):
    captured = workload(request.param)
    profile = open_profile(captured.directory)
    # The workloads are captured without measuring the machine.
    return op_table(profile, line_options(profile, captured.directory), OwnPeaks({"f32": 1e12}, 1e11), scope="window")


@pytest.fixture(scope="module")
def calibrated(capture, project):
    """A capture after which the machine was measured."""
    options = ["--calibration", "--whole"]
    folder = project / "tests" / "workloads"
    return capture("calibrated", *options, script=["remat_scan.py"], folder=folder).directory


def test_costs_are_known_of_nearly_all_of_the_op_time(table):
    record = ops_record(table)
    whole_ps = record.op_time_ps
    assert record.rows
    assert not codes(record, "empty")
    assert sum(row.self_ps for row in record.rows) == whole_ps
    assert sum(row.self_ps for row in record.rows if row.flops is not None) >= 0.95 * whole_ps
    assert sum(row.self_ps for row in record.rows if row.bytes is not None) >= 0.95 * whole_ps
    assert sum(row.self_ps for row in record.rows if row.line is not None) >= 0.9 * whole_ps
    assert all(0 < row.wall_ps <= row.self_ps for row in record.rows if row.self_ps)


def test_rates_are_held_against_the_machine_as_it_was_measured(calibrated):
    table = op_table(scope="window", profile=open_profile(calibrated))
    record = ops_record(table)
    assert "utilisation-unknown" not in codes(record)
    assert {peak.basis for peak in record.peaks} == {"calibrated"}
    known = [row for row in record.rows if row.flop_utilisation_ratio is not None]
    assert sum(row.self_ps for row in known) >= 0.9 * record.op_time_ps
    assert all(row.flop_utilisation_ratio >= 0 for row in known)
    # The machine may have been busier while it was measured, and that is said, once for all.
    above = [row for row in known if row.flop_utilisation_ratio > 1.1]
    assert not above or "rates-above-peak" in codes(record)
    moving = [row for row in record.rows if row.bytes is not None and row.wall_ps]
    assert all(row.bandwidth_utilisation_ratio >= 0 for row in moving)
    # Caches are faster than the main memory that was measured, and that is said.
    faster = [row for row in moving if row.bandwidth_utilisation_ratio > 1.1]
    assert not faster or "rates-above-peak" in codes(record)
    products = [row for row in record.rows if row.category in ("dot", "dot fusion")]
    assert max(row.flop_utilisation_ratio for row in products) > 0
    model = flops_record(table).rows[0]
    assert 0.05 < model.recompute_ratio < 0.5
    assert 0 < model.mfu_ratio < model.hfu_ratio
    assert model.mfu_ratio == pytest.approx(model.hfu_ratio * (1 - model.recompute_ratio), rel=0.05)


@pytest.mark.parametrize("grouping", ["category", "program", "scope", "line"])
def test_the_op_profile_is_full(table, grouping):
    record = op_profile_record(table, grouping)
    assert record.rows[0].self_ps == record.op_time_ps + record.wall.idle_ps
    assert record.rows[0].flops == sum(row.flops or 0 for row in record.rows if row.kind == "op")
    assert record.rows[0].flop_utilisation_ratio is not None
    assert any(row.kind == "element" for row in record.rows)
    assert any(row.kind == grouping for row in record.rows)


def test_flops_and_roofline_are_full(table):
    flops = flops_record(table)
    model = flops.rows[0]
    assert flops.steps == table.totals.steps
    assert model.flops_per_s > 0
    assert 0 < model.mfu_ratio <= model.hfu_ratio
    assert model.unknown_ps <= 0.05 * model.self_ps
    roofline = roofline_record(table)
    assert {row.kind for row in roofline.rows} == {"op", "program"}
    assert roofline.roofs
    assert all(row.limit_flops_per_s for row in roofline.rows if row.element_type in ("f32", "f64"))
