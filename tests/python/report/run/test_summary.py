from pathlib import Path

import attrs
import pytest

from made import predictions
from made.records import line, record
from scopelight.analysis.records import StepTimeRecord
from scopelight.findings import empty, warning
from scopelight.report.run.summary import NamedLine, summary
from scopelight.report.run.without_room import without_room_text
from scopelight.report.sentences import short
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS

MS = 1_000_000_000


def waits(path, number, waiting_ps, **changes):
    """A line for which devices wait."""
    return line(path, number, 0, waiting_ps=waiting_ps, waiting_classes={"input": waiting_ps}, **changes)


LOADS = waits("train.py", 71, 62 * MS, file="/w/train.py")
COMPUTES = line("train.py", 57, 38 * MS, file="/w/train.py")
LOADER_BOUND = record([LOADS, COMPUTES])
EMPTY = record([], steps=(), steps_source=None, findings=(empty("memory-alone-no-op-time"),))
WITHOUT_STEPS = {"steps": (), "steps_source": None, "findings": (warning("no-program-runs"),)}


def test_a_step_that_waits_for_its_loader_names_the_call():
    led_to = NamedLine(LOADER_BOUND.lines[0], "batch = next(loader)")
    assert summary(LOADER_BOUND, "train.py", script="/w/train.py", named=led_to) == (
        "train.py: 2 steps of 33.0 ms. 62 % of the step waits for next(loader), line 71."
    )


def test_a_step_that_computes_names_what_runs():
    made = record([COMPUTES, waits("train.py", 71, 12 * MS, file="/w/train.py")])
    led_to = NamedLine(made.lines[0], "logits = x @ embed.T")
    assert summary(made, "train.py", script="/w/train.py", named=led_to) == (
        "train.py: 2 steps of 33.0 ms. 76 % of the step runs x @ embed.T, line 57."
    )


@pytest.mark.parametrize(
    ("median_ms", "said"), [(24, "2 steps of 33.0 ms on average, median 24.0 ms. "), (32, "2 steps of 33.0 ms. ")]
)
def test_an_average_that_few_steps_make_is_not_taken_for_the_time_of_most(median_ms, said):
    time = attrs.evolve(LOADER_BOUND.step_time, median_ps=median_ms * MS)
    assert summary(attrs.evolve(LOADER_BOUND, step_time=time), "train.py").startswith(f"train.py: {said}")


def test_compute_and_waiting_of_a_line_are_ranked_together():
    reads = waits("train.py", 80, 30 * MS, file="/w/train.py", wall_ps=20 * MS)
    made = record([reads, line("train.py", 57, 40 * MS)])
    led_to = NamedLine(made.lines[0], "total += float(loss)")
    assert summary(made, "train.py", named=led_to).endswith("56 % of the step waits for total += float(loss), line 80.")


@pytest.mark.parametrize(("script", "place"), [("/w/train.py", "line 71"), ("/other/train.py", "train.py:71")])
def test_the_file_is_named_where_it_is_another_than_the_script(script, place):
    assert summary(LOADER_BOUND, "train.py", script=script).endswith(f"62 % of the step waits for {place}.")
    assert summary(LOADER_BOUND, "main.py").endswith("waits for train.py:71.")


def test_more_time_in_a_file_that_is_not_here_is_said_first():
    led_to = NamedLine(LOADER_BOUND.lines[1], "x @ w")
    made = attrs.evolve(LOADER_BOUND, lines=(attrs.evolve(LOADER_BOUND.lines[0], path="loader.py"), led_to.line))
    assert summary(made, "train.py", named=led_to) == (
        "train.py: 2 steps of 33.0 ms. 62 % of the step waits for loader.py:71, which is not on this machine;"
        " 38 % of the step runs x @ w, line 57."
    )


def test_more_time_on_no_line_is_said_first():
    made = record([COMPUTES], idle_ps=62 * MS)
    assert summary(made, "train.py") == (
        "train.py: 2 steps of 33.0 ms. 62 % of the step is on no line; 38 % of the step runs line 57."
    )
    # What is missing of the profile may have run then.
    in_part = attrs.evolve(made, findings=(warning("plane-read-in-part", lacks_threads=True, has_ops=True),))
    assert "on no line" not in summary(in_part, "train.py")
    assert summary(attrs.evolve(made, unattributed_waiting_ps=0, unattributed_wall_ps=62 * MS), "train.py").startswith(
        "train.py: 2 steps of 33.0 ms. 62 % of the step is on no line; "
    )


def test_without_steps_it_says_so():
    assert summary(record([COMPUTES], **WITHOUT_STEPS), "train.py") == (
        "train.py: no steps found, 38.0 ms of op time. 100 % of the whole window runs line 57."
    )
    assert summary(record([LOADS], **WITHOUT_STEPS), "train.py") == (
        "train.py: no steps found, 0 ps of op time. 100 % of the whole window waits for line 71."
    )


def test_without_lines_it_says_why():
    assert summary(EMPTY, "train.py").startswith("train.py: The profile holds what was in memory")
    one = StepTimeRecord(1, *[32_400_000_000] * 4)
    silent = record([], step_time=one, findings=(empty("runtime-records-no-ops", runtime="XLA"),))
    assert summary(silent, "train.py") == (
        "train.py: 1 step of 32.4 ms. Programs ran on the CPU, but this version of XLA records no ops of them there."
    )


def test_names_of_the_profile_hold_no_control_characters():
    made = record([line("b\u202e\n.py", 1, 9)])
    assert summary(made, "train.py", named=NamedLine(made.lines[0], "x\x1b[2J\u202e")).isprintable()


def test_a_prediction_names_the_device_and_marks_its_times():
    subject = open_subject(predictions.SCAN, Path.cwd())
    record = VIEWS["lines"].ask(subject, VIEWS["lines"].options())
    said = summary(record, "step.py")
    assert said.startswith("step.py, predicted for TPU v5e: ≈120 ms a step. ≈29 % of the step runs line 19")


def predicted(*findings):
    return record([COMPUTES], findings=findings, predicted_for="TPU v5e")


def test_a_prediction_without_room_says_how_much_and_where_instead_of_a_time():
    subject = open_subject(predictions.NO_ROOM, Path("/"))
    record_of_fit = VIEWS["fit"].ask(subject, VIEWS["fit"].options())
    unfit = without_room_text(record_of_fit, "/home/user/project/without_room.py")
    lines = VIEWS["lines"].ask(subject, VIEWS["lines"].options())
    said = summary(lines, "without_room.py", without_room=unfit)
    largest = max(record_of_fit.lines, key=lambda each: each.bytes)
    assert said.startswith("without_room.py, predicted for TPU v5e: does not fit: 25 of 15.75 GiB, most of it at ")
    assert said.endswith(f"{largest.line}.")
    assert short(lines, fits=False) == "does not fit · predicted for TPU v5e"


def test_what_fits_is_not_said_to_lack_room():
    subject = open_subject(predictions.SCAN, Path("/"))
    assert without_room_text(VIEWS["fit"].ask(subject, VIEWS["fit"].options()), None) is None


def test_what_is_refused_and_cancelled_is_said_before_times():
    refused = warning("prediction-refused-ops", ops=1, primitives=("eig",), files=("",), lines=(5,), others=0)
    cancelled = warning("prediction-cancelled", names=("jit(step)",))
    said = summary(predicted(cancelled, refused), "eig.py")
    assert said.startswith(
        "eig.py, predicted for TPU v5e: The preflight was cancelled: jit(step) was not compiled. A TPU refuses 1 op:"
        " eig, line 5. ≈"
    )
    assert summary(predicted(refused), "eig.py", without_room="does not fit") == (
        "eig.py, predicted for TPU v5e: does not fit. A TPU refuses 1 op: eig, line 5."
    )
