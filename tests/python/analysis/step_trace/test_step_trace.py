"""The step trace: spans that sum, borders that were asked for, and which of its steps compile or are unlike most."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.profiles import SCALAR, WEIGHT, module, profile, spans
from made.program.training_loops import EVALUATE, one_after_the_other
from made.recorded import DATA
from scopelight.analysis.options import OptionError
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.view import BACKWARD_VARIABLE, FORWARD_VARIABLE, step_trace
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.run.information import RunInformation
from scopelight.views.opening import open_subject

LENGTH, GAP = 100, 10
QUARTERS = {"add.2": 0, "add.3": 25, "add.4": 50, "add.5": 75}
"""When each op of a run starts: one of the forward pass, one of the backward pass, and two of the optimizer."""
TRAIN = module(
    "jit_train_step",
    "1",
    [WEIGHT, SCALAR],
    [WEIGHT, SCALAR],
    op_names=("jit(step)/sub", "jit(step)/sub", "jit(step)/jvp(f)/dot", "jit(step)/transpose(jvp(f))/dot"),
)


def traced(made, **options):
    return step_trace(Subject.of(made, LineOptions()), StepTraceOptions(**options))


def repeated(gaps=(GAP,) * 6, compiling=None, environment=None):
    """Runs of a training step, each with four ops of a quarter, and a pause behind each."""
    runs, at = [], 0
    for gap in gaps:
        runs.append((0, at, LENGTH))
        at += LENGTH + gap
    capture = None if environment is None else RunInformation(environment=environment)
    return attrs.evolve(profile([TRAIN], runs, capture=capture), compiling=compiling)


def test_the_pause_before_a_step_is_its_interval():
    record = traced(repeated([10, 20, 30, 40, 50, 60]))
    assert [each.interval_ps for each in record.rows] == [0, 10, 20, 30, 40]
    assert [each.has_interval for each in record.rows] == [False, True, True, True, True]
    assert record.mean.interval_ps == 25
    assert [each.duration_ps for each in record.rows][1:] == [110, 120, 130, 140]


def test_its_step_time_is_of_the_steps_of_which_it_has_the_mean():
    record = traced(repeated([10, 20, 30, 40, 50, 60]))
    assert record.step_time.steps == 4
    assert record.step_time.mean_ps == record.mean.duration_ps == 125
    assert (record.step_time.least_ps, record.step_time.greatest_ps) == (110, 140)


def test_a_step_begins_where_the_one_before_ends():
    rows = traced(repeated([10, 20, 30, 40, 50, 60])).rows
    ends = [each.start_ps + each.duration_ps for each in rows]
    assert [each.start_ps for each in rows][1:] == ends[:-1]


@pytest.mark.parametrize("before", range(1, 5))
def test_the_step_that_waited_for_the_compiler_is_marked_and_no_other(before):
    # Compiled in the pause before a step, which is part of that step here.
    gaps = [GAP] * 6
    gaps[before - 1] = 5000
    begin = sum(gaps[: before - 1]) + before * LENGTH
    record = traced(repeated(gaps, compiling=spans((begin + 10, begin + 4990))))
    assert [each.is_steady for each in record.rows] == [row != before for row in range(5)]
    assert [each.is_outlier for each in record.rows] == [row == before for row in range(5)]
    assert record.mean.duration_ps == LENGTH + GAP


@given(st.lists(st.integers(1, 500), min_size=4, max_size=9))
def test_spans_and_parts_sum_to_each_step_and_to_the_mean(gaps):
    record = traced(repeated(gaps))
    for each in [*record.rows, *([record.mean] if record.mean else [])]:
        assert each.interval_ps + each.forward_backward_ps + each.tail_ps == each.duration_ps
        assert sum(each.interval_parts.values()) == each.interval_ps


def test_borders_are_those_of_phases():
    record = traced(repeated())
    assert record.has_backward
    assert (record.starts_by, record.ends_by) == ("phases", "phases")
    assert (record.starts_at, record.ends_at) == ("jit(step)/jvp(f)/dot", "jit(step)/transpose(jvp(f))/dot")
    assert (record.mean.interval_ps, record.mean.forward_backward_ps, record.mean.tail_ps) == (GAP, 50, 50)
    assert (record.mean.forward_ps, record.mean.backward_ps) == (25, 25)


@pytest.mark.parametrize("by", ["option", "variable"])
@pytest.mark.parametrize(("start", "end"), [("add.3", "add.4"), ("add.2", "add.5"), ("add.4$", "^add.4")])
def test_borders_are_moved_by_expressions_and_by_both_variables(by, start, end):
    if by == "option":
        record = traced(repeated(), forward_start=start, backward_end=end)
    else:
        record = traced(repeated(environment={FORWARD_VARIABLE: start, BACKWARD_VARIABLE: end}))
    assert (record.starts_by, record.ends_by) == (by, by)
    begin, finish = QUARTERS[start.strip("^$")], QUARTERS[end.strip("^$")] + 25
    assert record.mean.interval_ps == GAP + begin
    assert record.mean.forward_backward_ps == finish - begin
    assert record.mean.tail_ps == LENGTH - finish


def test_an_option_comes_before_the_variable_of_the_script():
    made = repeated(environment={FORWARD_VARIABLE: "add.2", BACKWARD_VARIABLE: "add.5"})
    record = traced(made, forward_start="add.4")
    assert (record.starts_by, record.ends_by) == ("option", "variable")
    assert record.mean.interval_ps == GAP + 50


def test_a_program_may_be_a_border():
    made = profile([TRAIN, EVALUATE], one_after_the_other([0, 1] * 5, duration={0: 100, 1: 40}))
    record = traced(made, backward_end="jit_evaluate")
    assert record.ends_by == "option"
    assert record.mean.tail_ps == 0


def test_of_ops_without_phases_the_first_and_the_last_are_the_borders():
    record = traced(profile([EVALUATE], one_after_the_other([0] * 6)))
    assert (record.starts_by, record.ends_by, record.has_backward) == ("ops", "ops", False)
    assert record.mean.forward_backward_ps == LENGTH


@pytest.mark.parametrize("name", ["tpu-v6e-host-offload", "mi300x-conv", "v100-tensorflow"])
def test_intervals_of_real_captures_compute_no_longer_than_their_steps(name):
    if not (DATA / name).is_dir():
        pytest.skip("../shared/data is absent")
    subject = open_subject(DATA / name, DATA / name)
    record, whole = step_trace(subject, StepTraceOptions()), overview(subject, OverviewOptions())
    busy_ps = sum(each.parts.get("compute", 0) for each in whole.steps)
    assert sum(each.interval_parts.get("compute", 0) for each in record.rows) <= busy_ps
    for each in record.rows:
        assert sum(each.interval_parts.values()) == each.interval_ps


def test_a_border_that_no_op_has_is_said():
    record = traced(repeated(), forward_start="nowhere")
    assert [each.code for each in record.findings] == ["step-trace-no-start"]
    with pytest.raises(OptionError, match="no regular expression"):
        traced(repeated(), forward_start="(")


def test_without_steps_it_says_why():
    record = traced(profile([TRAIN], [(0, 0, LENGTH)]))
    assert record.rows == ()
    assert [each.severity for each in record.findings] == ["empty"]
    assert record.step_time.steps == 0
