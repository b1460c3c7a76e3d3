"""Steps that are found are the steps that the workload counted and timed itself."""

import statistics

import pytest

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
    assert abs(len(captured.lines["steps"]) - len(captured.steps_inside)) <= 1


@pytest.mark.parametrize("name", STEPPING)
def test_median_step_is_the_workloads_own_within_5_percent(workload, name):
    captured = workload(name)
    assert captured.found_median_seconds() == pytest.approx(captured.own_median_seconds(), rel=0.05)


@pytest.mark.parametrize("name", STEPPING)
def test_steps_are_in_order_and_do_not_overlap(workload, name):
    steps = workload(name).lines["steps"]
    ends = [each["start_ps"] + each["duration_ps"] for each in steps]
    assert all(end <= later["start_ps"] for end, later in zip(ends, steps[1:], strict=False))


@pytest.mark.parametrize("name", ["plain_loop", "two_jits", "accumulation"])
def test_default_window_holds_at_least_five_complete_steps(workload, name):
    assert len(workload(name).lines["steps"]) >= 5


def test_annotation_of_any_name_marks_steps(workload):
    captured = workload("annotated")
    assert captured.lines["steps_source"] == "annotation"
    assert captured.lines["steps_name"] == "optimize"


@pytest.mark.parametrize("name", [each for each in STEPPING if each != "annotated"])
def test_steps_without_annotation_come_from_repetition(workload, name):
    assert workload(name).lines["steps_source"] == "repetition"


def test_first_step_is_found_to_be_twice_as_long(workload):
    captured = workload("slow_first")
    start, stop = captured.truth["start_ns"], captured.truth["stop_ns"]
    own = [b - a for a, b in zip(start, stop, strict=True)]
    found = [each["duration_ps"] for each in captured.lines["steps"]]
    own_ratio = own[0] / statistics.median(own)
    assert own_ratio > 1.5
    # Steps are found from one run's start to the next: the first of them is the first step.
    assert found[0] / statistics.median(found) == pytest.approx(own_ratio, rel=0.15)


def test_work_that_never_repeats_has_no_steps_and_says_why(workload):
    captured = workload("no_repetition")
    assert captured.lines["steps"] == []
    assert captured.lines["steps_source"] is None
    assert captured.lines["steps_reason"]
    assert captured.lines["outside_steps_ps"] is None
    assert captured.lines["lines"]
