"""Steps that are found are the steps that the workload counted and timed itself."""

import numpy as np
import pytest

from made.findings import codes
from scopelight.model.opening.profile import open_profile

STEPPING = [
    "plain_loop",
    "two_jits",
    "evaluation",
    "accumulation",
    "slow_first",
    "annotated",
    "sharded",
    "remat_scan",
    "changing_shapes",
    "packaged",
    "raises",
    "matmul_loop",
]


@pytest.mark.parametrize("name", STEPPING)
def test_as_many_steps_as_the_workload_made_inside_the_window(workload, name):
    captured = workload(name)
    window, steps = captured.run["window"], captured.lines["steps"]
    if window["kind"] == "steps":
        # The profiler stops when its time is over: of more steps than were asked for the first count.
        assert len(steps) == window["steps"] == window["complete_steps"] <= len(captured.steps_inside) + 1
    else:
        assert abs(len(steps) - len(captured.steps_inside)) <= 1


@pytest.mark.parametrize("name", STEPPING)
def test_each_step_lasts_from_inside_one_step_of_the_workload_into_the_next(workload, name):
    """By the times that the workload wrote down itself, on any machine; `make bench` compares how long steps last."""
    captured = workload(name)
    steps = captured.lines["steps"]
    begin_ps = [each["start_ps"] for each in steps]
    if name == "evaluation":
        # A step begins a usual pause before its run where an evaluation is over before: still inside the last own one.
        runs_ps = np.sort(open_profile(captured.directory).runs.start_ps)
        begin_ps = runs_ps[np.searchsorted(runs_ps, begin_ps)].tolist()
    starts = captured.own_steps(begin_ps)
    assert None not in starts
    assert starts == list(range(starts[0], starts[0] + len(starts)))
    assert set(starts[1:-1]) <= set(captured.steps_inside)
    ends = captured.own_steps([each["start_ps"] + each["duration_ps"] for each in steps[:-1]])
    # An evaluation is in no step: the one before it is over when it begins, inside the workload's own.
    is_evaluated = [name == "evaluation" and row % 10 == 9 for row in starts[:-1]]
    assert ends == [row if evaluated else row + 1 for row, evaluated in zip(starts[:-1], is_evaluated, strict=True)]


@pytest.mark.parametrize("name", STEPPING)
def test_steps_are_in_order_and_do_not_overlap(workload, name):
    steps = workload(name).lines["steps"]
    ends = [each["start_ps"] + each["duration_ps"] for each in steps]
    assert all(end <= later["start_ps"] for end, later in zip(ends, steps[1:], strict=False))


@pytest.mark.parametrize("name", ["plain_loop", "two_jits", "accumulation"])
def test_default_window_holds_five_complete_steps(workload, name):
    assert len(workload(name).lines["steps"]) == 5


def test_annotation_of_any_name_marks_steps(workload):
    captured = workload("annotated")
    assert captured.lines["steps_source"] == "annotation"
    assert captured.lines["steps_name"] == "optimize"


@pytest.mark.parametrize("name", [each for each in STEPPING if each != "annotated"])
def test_steps_without_annotation_come_from_repetition(workload, name):
    assert workload(name).lines["steps_source"] == "repetition"


def test_the_first_step_is_found_to_have_twice_the_work(workload):
    captured = workload("slow_first")
    executions = open_profile(captured.directory).executions
    is_product = np.array([op.category in ("dot", "dot fusion") for op in executions.ops])[executions.op]
    product_ps = executions.start_ps[is_product]
    edges_ps = [(each["start_ps"], each["start_ps"] + each["duration_ps"]) for each in captured.lines["steps"]]
    products = [int(np.sum((product_ps >= start) & (product_ps < end))) for start, end in edges_ps]
    # Steps are found from one run's start to the next: the first of them is the first step.
    assert products == [8] + [4] * (len(products) - 1)


def test_work_that_never_repeats_has_no_steps_and_says_why(workload):
    captured = workload("no_repetition")
    assert captured.lines["steps"] == []
    assert captured.lines["steps_source"] is None
    assert "no-steps" in codes(captured.lines)
    assert (captured.lines["extent"]["kind"], captured.lines["extent"]["has_steps"]) == ("window", False)
    assert captured.lines["lines"]
