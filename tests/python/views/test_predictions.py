"""Views of predictions: each says for which TPU, marks every time, and never tells of what did not happen."""

import json
import re
import shutil

import pytest
from click.testing import CliRunner

from made.findings import codes
from made.predictions import KERNELS, MESH, NO_ROOM, SCAN, SLICES, lacking
from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.report.findings.worded import sentences
from scopelight.report.run.summary import summary
from scopelight.report.sentences import headline, of_what_was_compiled, short
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS

NOT_PREDICTED = ("input", "host", "counters", "hosts", "links", "clocks", "resources", "memory-profile")
UNMARKED = re.compile(r"(?<![≈\d.×/-])\b\d+(?:\.\d+)? (?:ps|ns|µs|ms|s)\b")
"""A time without a mark."""
RATES = re.compile(r"(?<![≈\d.])\b\d+(?:\.\d+)? [kMGTPE]?FLOP/s\b")
SENTENCE = "promises no milliseconds"
VIEWS_OF_RUNS = [each for each in VIEWS if each != "timeline"]


def shown(view, run, *options):
    result = CliRunner().invoke(main, ["show", view, str(run), *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("run", [SCAN, MESH, KERNELS], ids=lambda run: run.name)
@pytest.mark.parametrize("view", VIEWS_OF_RUNS)
def test_every_view_says_for_what_it_is_predicted_and_marks_every_time(view, run):
    first, *rest = shown(view, run).splitlines()
    device = "TPU v6e" if run is KERNELS else "TPU v5e"
    chip = f"{device} ({device[4:]}-8)"
    if view == "overview":
        assert first.startswith(f"Predicted for {chip} by libtpu 0.0.51: it orders lines and compares variants, and ")
    else:
        assert first.startswith(f"Predicted for {chip}: ≈ ")
        assert len(first) <= 120
    assert SENTENCE in first
    assert not [line for line in rest if UNMARKED.search(line)]
    # What the device can do at most is no prediction.
    rates = [line for line in rest if RATES.search(line) and not line.startswith("Peak of")]
    assert not rates or view == "roofline"


@pytest.mark.parametrize("view", ["lines", "ops", "op-profile", "flops", "flame", "roofline", "overview", "padding"])
def test_what_has_no_estimate_is_said_wherever_times_are(view):
    said = shown(view, KERNELS)
    assert "have no estimate and count as nothing" in said
    assert "Ops that move 35.3 % of the bytes have no estimate" in said
    assert view == "overview" or "ops with 35.3 % of the bytes have no estimate." in said.splitlines()[0]
    assert "kernels.py:22, kernels.py:21)." in said
    assert "the loop at kernels.py:16" in said


@pytest.mark.parametrize("view", NOT_PREDICTED)
def test_what_only_runs_have_is_not_predicted(view):
    subject = open_subject(SCAN)
    record = VIEWS[view].ask(subject, VIEWS[view].options())
    assert record.predicted_for == "TPU v5e"
    assert codes(record, "empty") == ["not-predicted"]


def test_an_overview_tells_nothing_of_hosts_and_idle_time():
    record = VIEWS["overview"].ask(open_subject(SCAN), VIEWS["overview"].options())
    assert {each.quantity: each.basis for each in record.summary} == {
        "step": "predicted",
        "model-flops": "predicted",
        "executed-flops": "predicted",
        "bandwidth": "predicted",
    }
    assert set(record.parts) == {"compute"}
    assert not record.waiting_lines
    assert all(each.self_ps for each in record.ops)
    said = shown("overview", SCAN)
    assert "idle" not in said
    assert "≈120 ms a step: computing ≈100.0 %" in said


def test_communication_may_be_hidden():
    assert "communication, unless something hides it ≈50" in shown("overview", MESH)
    assert "collectives, unless something hides them ≈170 µs" in shown("lines", MESH)


def test_advice_rests_on_programs_alone():
    found = set()
    for run in (SCAN, MESH, KERNELS):
        found |= set(codes(VIEWS["advice"].ask(open_subject(run), VIEWS["advice"].options())))
    assert found <= {
        *("padding", "double-precision", "missing-donation", "memory-near-capacity", "residuals-worth-checkpoint"),
        *("unrolled-loop", "debug-settings"),
    }


def test_ops_without_an_estimate_have_no_time():
    (line,) = (each for each in shown("ops", KERNELS).splitlines() if each.startswith("pallas_call"))
    assert "no estimate" in line
    assert "≈0" not in line


def test_a_run_that_was_measured_is_marked_nowhere(tmp_path):
    traced = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot.1", 0, 10**9),))))
    record = VIEWS["ops"].ask(open_subject(traced), VIEWS["ops"].options())
    assert record.predicted_for is None
    assert all(row.has_estimate for row in record.rows)
    said = shown("ops", traced)
    assert "≈" not in said
    assert "redicted" not in said


@pytest.mark.parametrize(
    "view", ["lines", "graph", "roofline", "flame", "steps", "advice", "ops", "op-profile", "overview"]
)
def test_a_view_of_what_does_not_fit_sends_to_the_memory_and_not_to_another_capture(view, tmp_path):
    run = shutil.copytree(NO_ROOM, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text())
    said["calls"] = [each for each in said["calls"] if each["program"] == 2]
    (run / "prediction.json").write_text(json.dumps(said))
    subject = open_subject(run, tmp_path)
    record = VIEWS[view].ask(subject, VIEWS[view].options())
    found = [*record.findings, *getattr(record, "notes", ())]
    for each in found:
        words = sentences(each, "editor")
        assert "Capture" not in words
        assert "Profile again" not in words
    why = [each for each in found if each.severity == "empty"]
    assert all((each.code, dict(each.action.arguments)) == ("predicted-without-room", {"view": "fit"}) for each in why)
    # What is known of a program without its time, they show.
    assert bool(why) == (view not in ("graph", "ops", "advice"))
    assert [each.code for each in found].count("predicted-without-room") == (view != "advice")


@pytest.mark.parametrize("view", ["lines", "graph", "roofline", "flame", "ops", "op-profile", "overview"])
def test_beside_what_fits_it_is_said_that_the_rest_does_not(view):
    subject = open_subject(NO_ROOM)
    record = VIEWS[view].ask(subject, VIEWS[view].options())
    assert [each.code for each in record.findings].count("predicted-without-room") == 1
    subject = open_subject(SCAN)
    record = VIEWS[view].ask(subject, VIEWS[view].options())
    assert "predicted-without-room" not in {each.code for each in record.findings}


@pytest.mark.parametrize("view", ["lines", "op-profile", "flame", "roofline", "steps"])
def test_what_fits_and_is_a_trifle_beside_what_does_not_is_no_table_of_nothing(view, tmp_path):
    run = shutil.copytree(NO_ROOM, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text())
    said["programs"][0]["memory"]["peak_bytes"] = 36 << 10
    (run / "prediction.json").write_text(json.dumps(said))
    record = VIEWS[view].ask(open_subject(run, tmp_path), VIEWS[view].options())
    (why,) = (each for each in record.findings if each.severity == "empty")
    assert (why.code, why.values["names"]) == ("predicted-without-room", ("jit(step)",))
    assert not getattr(record, "rows", None)
    assert not getattr(record, "lines", None)


IN_PART = {"no-room": "unfit", "refused": "refused", "not-lowered": "refused", "too-few-devices": "refused"}


@pytest.mark.parametrize("outcome", [*IN_PART, "crashed", "memory-limit", "cancelled"])
def test_what_is_left_of_a_script_is_no_step(outcome, tmp_path):
    """The step itself may be what is missing: what is left repeats as well, as a loop that makes parameters does."""
    run = lacking(SCAN, tmp_path / "run", outcome)
    subject = open_subject(run)
    lines = VIEWS["lines"].ask(subject, VIEWS["lines"].options())
    assert (lines.steps, lines.step_time.mean_ps, lines.extent.kind) == ((), None, "window")
    assert {each.per_step_ps for each in lines.lines} == {None}
    (why,) = (each for each in lines.findings if each.code == "no-steps-predicted-in-part")
    group = IN_PART.get(outcome, "not_compiled")
    assert {name: names for name, names in why.values.items() if names} == {group: ("jit(update)",)}
    whole = of_what_was_compiled(lines)
    said = [headline(lines), short(lines), summary(lines, "step.py")]
    said += [shown(view, run) for view in ("lines", "overview")]
    assert all(whole in each for each in said[:-1])
    assert not any(" a step" in each.replace("time of a step is told", "") for each in said)
    assert not any("of the step" in each for each in said)
    assert "/step" not in said[1]
    for each in (said[0], *said[2:]):
        assert each.count("No time of a step is told, for jit(update) ") == 1


def test_a_cancelled_script_may_not_have_come_to_its_step(tmp_path):
    run = shutil.copytree(SCAN, tmp_path / "run")
    said = json.loads((run / "prediction.json").read_text())
    (run / "prediction.json").write_text(json.dumps({**said, "was_cancelled": True}))
    record = VIEWS["lines"].ask(open_subject(run), VIEWS["lines"].options())
    assert not record.steps
    assert "no-steps-predicted-in-part" in {each.code for each in record.findings}


def test_what_was_compiled_in_vain_and_never_called_hides_no_step(tmp_path):
    record = VIEWS["lines"].ask(
        open_subject(lacking(SCAN, tmp_path / "run", "no-room", times=0)), VIEWS["lines"].options()
    )
    whole = VIEWS["lines"].ask(open_subject(SCAN), VIEWS["lines"].options())
    assert record.step_time == whole.step_time


def test_what_crosses_slices_is_said_wherever_times_are():
    said = {view: shown(view, SLICES) for view in ("lines", "overview", "steps", "ops")}
    assert all("exchange over the network between them has no estimate" in each for each in said.values())
    rows = [each for each in said["steps"].splitlines() if each.startswith(("send", "recv"))]
    assert rows
    assert all("no estimate" in each and "≈" not in each for each in rows)


@pytest.mark.parametrize(("run", "devices"), [(MESH, 8), (SLICES, 32), (SCAN, 1)], ids=["mesh", "slices", "scan"])
def test_a_program_of_many_devices_is_told_of_each_of_them(run, devices):
    on = f"each of {devices} devices" if devices > 1 else "1 device"
    assert f" of op time on {on}." in shown("lines", run)
    assert f" of op time on {on} over " in shown("ops", run)
    assert f"Devices: {devices} × TPU v5e" in shown("overview", run)
    assert json.loads(shown("steps", run, "--json"))["predicted_devices"] == devices
