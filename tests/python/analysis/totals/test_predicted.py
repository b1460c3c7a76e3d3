"""Totals of predictions: every pass counted, sums exact, and what is not known told."""

import json
import shutil

import attrs
import pytest

from made.findings import codes, values
from made.predictions import ALL, KERNELS, MESH, NO_ROOM, SCAN, SLICES, UNROLLED
from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.view import step_trace
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.prediction import Called
from scopelight.program.hlo.calls import RUNNING_OTHERS

PREDICTED = {
    SCAN: "TPU v5e",
    UNROLLED: "TPU v5e",
    MESH: "TPU v5e",
    SLICES: "TPU v5e",
    KERNELS: "TPU v6e",
    NO_ROOM: "TPU v5e",
}


def ops_of(run, **options):
    return ops_record(op_table(open_profile(run), **options))


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
@pytest.mark.parametrize("scope", ["steps", "window"])
def test_lines_and_the_rest_sum_to_all(run, scope):
    record = hot_lines(open_profile(run), scope=scope)
    assert record.predicted_for == PREDICTED[run]
    assert sum(line.self_ps for line in record.lines) == record.attributed_ps
    assert record.attributed_ps + record.unattributed_ps == record.op_time_ps
    wall = record.wall
    assert sum(line.wall_ps for line in record.lines) + record.unattributed_wall_ps == wall.wall_ps
    # Nothing waits where nothing ran.
    assert (wall.idle_ps, record.idle_ps) == (0, 0)
    assert wall.busy_ps + wall.stalled_ps == wall.wall_ps == record.op_time_ps


@pytest.mark.parametrize("run", [SCAN, UNROLLED], ids=lambda run: run.name)
def test_nearly_all_of_a_step_is_on_lines(run):
    record = hot_lines(open_profile(run))
    assert record.attributed_ps >= 0.95 * record.op_time_ps


def test_an_execution_that_stands_for_several_counts_as_them():
    rows = {row.name: row for row in ops_of(SCAN).rows}
    table = op_table(open_profile(SCAN))
    steps = table.extent.steps
    for entry in table.entries:
        row = rows[entry.row.name]
        assert row.executions == steps * entry.op.repetitions
        # All passes take the same: what a division leaves is less than one of them.
        assert row.least_ps == row.greatest_ps == row.self_ps // row.executions
        assert row.mean_ps == row.self_ps / row.executions


def test_a_scan_computes_moves_and_takes_what_a_loop_does():
    scan, loop = op_table(open_profile(SCAN)), op_table(open_profile(UNROLLED))
    of_scan, of_loop = (flops_record(each).rows[0] for each in (scan, loop))
    assert of_scan.flops == pytest.approx(of_loop.flops, rel=1e-4)
    assert scan.op_time_ps == pytest.approx(loop.op_time_ps, rel=0.05)
    record = flops_record(scan)
    assert of_scan.mfu_ratio == pytest.approx(of_scan.model_flops / (record.wall_ps / 1e12 * 197e12), rel=1e-3)
    moved = [sum(entry.row.bytes or 0 for entry in each.entries) for each in (scan, loop)]
    assert moved[0] == pytest.approx(moved[1], rel=0.05)


@pytest.mark.parametrize(
    ("run", "step_ps", "lines"), [(SCAN, 120_412_795_336, 12), (MESH, 335_462_962, 5), (KERNELS, 31_556_572, 4)]
)
def test_golden_totals(run, step_ps, lines):
    record = hot_lines(open_profile(run))
    assert record.step_time.mean_ps == pytest.approx(step_ps, rel=1e-3)
    assert sum(line.self_ps > 0 for line in record.lines) == lines


@pytest.mark.parametrize("run", [SCAN, UNROLLED, MESH, KERNELS], ids=lambda run: run.name)
def test_what_has_no_estimate_is_counted(run):
    record = ops_of(run)
    found = values(record, "prediction-without-estimate")
    ops = [row for row in record.rows if row.opcode not in RUNNING_OTHERS]
    unknown = [row for row in ops if not row.has_estimate]
    assert (found["kinds"], found["of_kinds"]) == (len(unknown), len(ops))
    steps = max(1, record.extent.steps)
    assert found["executions"] == round(sum(row.executions for row in unknown) / steps)
    moved, whole = (sum(row.bytes or 0 for row in rows) for rows in (unknown, ops))
    assert found["bytes_ratio"] == pytest.approx(moved / whole)
    assert not any(row.self_ps for row in unknown)


def test_kernels_and_sorts_are_named_with_their_lines_and_loops_too():
    record = hot_lines(open_profile(KERNELS))
    found = values(record, "prediction-without-estimate")
    assert {"custom-call", "sort"} <= set(found["categories"])
    assert found["places"] == ("kernels.py:22", "kernels.py:21")
    assert values(record, "prediction-loops-uncounted") == {"loops": ("kernels.py:16",)}
    assert values(record, "predicted-for") == {
        "device": "TPU v6e",
        "target": "v6e-8",
        "devices": 8,
        "compiler": "libtpu 0.0.51",
    }


def test_only_what_there_is_is_said():
    assert "prediction-loops-uncounted" not in codes(hot_lines(open_profile(SCAN)))
    assert "prediction-collectives" in codes(hot_lines(open_profile(MESH)))
    assert "prediction-collectives" not in codes(hot_lines(open_profile(SCAN)))
    assert "prediction-without-programs" not in codes(hot_lines(open_profile(NO_ROOM)))


@pytest.mark.parametrize(("run", "has_room"), [(SCAN, True), (NO_ROOM, False)])
def test_devices_that_no_program_runs_on_are_told(run, has_room):
    record = hot_lines(open_profile(run))
    found = values(record, "prediction-devices-without-work")
    assert found == {"working": 1, "devices": 8, "target": "v5e-8", "smaller": "v5e-1", "has_room": has_room}
    assert "prediction-devices-without-work" not in codes(hot_lines(open_profile(MESH)))


@pytest.mark.parametrize(
    ("target", "devices", "partitions", "told"),
    [("v3-8", 8, 2, (2, None)), ("v5e:2x4", 8, 1, (1, None)), ("v6e-1", 1, 1, None), ("v6e-4", 4, 4, None)],
)
def test_a_program_is_led_to_a_smaller_tpu_by_a_name_that_is_one(target, devices, partitions, told, tmp_path):
    run = shutil.copytree(SCAN, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text()) | {"target": target, "devices": devices}
    said["programs"][-1]["partitions"] = partitions
    (run / "prediction.json").write_text(json.dumps(said))
    record = hot_lines(open_profile(run))
    if told is None:
        assert "prediction-devices-without-work" not in codes(record)
    else:
        found = values(record, "prediction-devices-without-work")
        assert (found["working"], found["smaller"]) == told


def test_rates_are_held_against_the_peaks_of_the_device():
    record = ops_of(KERNELS)
    (peak,) = record.peaks
    assert (peak.model, peak.basis, peak.flops_per_s["bf16"]) == ("TPU v6e", "table", 918e12)
    assert (record.matrix_unit.rows, record.matrix_unit.device) == (256, "TPU v6e")
    assert "utilisation-unknown" not in codes(record)


def test_a_prediction_has_no_trace():
    from scopelight.views.needs import has  # noqa: PLC0415

    assert has(Subject.of(open_profile(SCAN)).profile) == ("executions", "programs", "compatibility")


@pytest.mark.parametrize(
    ("calls", "code"), [((), "none-called-of-compiled"), ((Called(9),), "none-compiled-of-called")]
)
def test_why_nothing_is_predicted_is_said_of_the_script(calls, code, tmp_path):
    run = shutil.copytree(SCAN, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text())
    said["calls"] = [attrs.asdict(each) for each in calls]
    (run / "prediction.json").write_text(json.dumps(said))
    for record in (hot_lines(open_profile(run)), advice_record(Subject.of(open_profile(run)))):
        assert code in {each.code for each in (*record.findings, *getattr(record, "notes", ()))}


def test_what_crosses_slices_has_no_estimate_and_is_told():
    """The gradients of f32[1024,1024], each device its sixteenth of them, and the loss."""
    record = hot_lines(open_profile(SLICES))
    said = values(record, "prediction-between-slices")
    assert said["target"] == "2xv5e-16"
    assert said["is_of_step"]
    assert said["sent_bytes"] == pytest.approx(1024 * 1024 * 4 / 16, rel=0.01)
    trace = step_trace(Subject.of(open_profile(SLICES)), StepTraceOptions())
    crossing = [each for each in trace.collectives if each.category in ("send", "recv")]
    assert len(crossing) >= 4
    assert not any(each.has_estimate for each in crossing)
    assert all(each.has_estimate for each in trace.collectives if each not in crossing)
    assert "prediction-between-slices" not in codes(hot_lines(open_profile(MESH)))
