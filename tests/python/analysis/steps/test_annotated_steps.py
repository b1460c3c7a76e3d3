"""Annotated steps hold what was launched in them, and nothing else."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.profiles import profile, spans
from made.program.training_loops import (
    EVALUATE,
    TRAIN,
    marks,
    one_after_the_other,
)
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.profile import StepMarks
from scopelight.model.run.information import CaptureWindow, RunInformation


def test_annotations_of_any_name_come_before_repetition():
    runs = one_after_the_other([0, 0] * 4)
    launches = [row * 100 + 1 for row in range(8)]
    steps = find_steps(profile([TRAIN], runs, marks=[marks([0, 200, 400, 600], 190)], launch_ps=launches))
    assert steps.source == "annotation"
    assert steps.name == "fit"
    # Two runs are launched in each; a step starts with the first of them.
    assert steps.start_ps.tolist() == [0, 220, 440, 660]
    assert steps.duration_ps.tolist() == [220, 220, 220, 210]


def test_a_last_annotation_whose_runs_were_cut_off_is_left_out():
    runs = one_after_the_other([0, 0] * 4)[:-1]
    launches = [row * 100 + 1 for row in range(7)]
    steps = find_steps(profile([TRAIN], runs, marks=[marks([0, 200, 400, 600], 190)], launch_ps=launches))
    assert steps.start_ps.tolist() == [0, 220, 440]


def test_annotations_stand_on_the_host_where_launches_are_unknown():
    steps = find_steps(profile([TRAIN], one_after_the_other([0] * 4), marks=[marks([0, 100, 200], 90)]))
    assert steps.start_ps.tolist() == [0, 100, 200]
    assert steps.duration_ps.tolist() == [100, 100, 90]


def test_a_stored_steps_line_is_used_where_there_is_no_annotation():
    line = marks([0, 120, 240], 110, "/device:TPU:0")
    steps = find_steps(profile([TRAIN], one_after_the_other([0] * 4), device_steps=[line]))
    assert steps.source == "steps-line"
    assert steps.duration_ps.tolist() == [110, 110, 110]


def synchronous(count, length=100, work=60, lead=20):
    """Annotated steps in which the host prepares, launches a run and waits for it."""
    starts = [length * step for step in range(count)]
    runs = [(0, start + lead, work) for start in starts]
    launches = [start + lead - 1 for start in starts]
    return {"runs": runs, "launch_ps": launches, "marks": [marks(starts, length - 10)]}


def test_where_the_host_waits_for_its_runs_a_step_starts_with_its_annotation():
    made = synchronous(4)
    # The third step prepares for long: it is that step which takes long, and not the one before.
    made["runs"][2], made["launch_ps"][2] = (0, 200 + 28, 60), 227
    steps = find_steps(profile([TRAIN], **made))
    assert steps.start_ps.tolist() == [0, 100, 200, 300]
    assert steps.duration_ps.tolist() == [100, 100, 100, 90]


def test_a_step_that_a_gap_between_two_traces_cuts_is_left_out_and_no_other():
    made = synchronous(6)
    # The third annotation was open when the trace was cut: no trace has it, and half of its run is in none.
    (of_all,) = made["marks"]
    kept = [0, 1, 3, 4, 5]
    made["marks"] = [StepMarks("fit", of_all.number[kept], of_all.start_ps[kept], of_all.duration_ps[kept])]
    steps = find_steps(profile([TRAIN], **made, untraced=spans((240, 260))))
    assert steps.start_ps.tolist() == [0, 100, 300, 400, 500]
    # The second ends where its own annotation does: what follows is none of its pause.
    assert steps.duration_ps.tolist() == [100, 90, 100, 100, 90]


def test_repeating_runs_on_both_sides_of_a_gap_are_no_long_step():
    runs = [(0, at, 100) for at in (0, 110, 220, 440, 550, 660)]
    steps = find_steps(profile([TRAIN], runs, untraced=spans((325, 435))))
    assert steps.start_ps.tolist() == [0, 110, 440, 550]
    assert set(steps.duration_ps.tolist()) == {110}


def test_a_run_that_was_under_way_when_a_trace_began_begins_no_step():
    runs = [(0, at, 100) for at in (0, 110, 220, 390, 500, 610)]
    steps = find_steps(profile([TRAIN], runs, missing={3: 2}, untraced=spans((325, 385))))
    assert steps.start_ps.tolist() == [0, 110, 500]


@pytest.mark.parametrize("asked", [1, 3, 5])
@pytest.mark.parametrize("annotated", [False, True])
def test_a_window_of_so_many_steps_shows_so_many(asked, annotated):
    made = synchronous(9)
    if not annotated:
        made = {"runs": made["runs"]}
    capture = RunInformation(window=CaptureWindow(kind="steps", steps=asked, skip=2))
    steps = find_steps(profile([TRAIN], **made, capture=capture))
    assert steps.source == ("annotation" if annotated else "repetition")
    assert steps.start_ps.tolist() == [(0 if annotated else 20) + 100 * step for step in range(asked)]
    whole = RunInformation(window=CaptureWindow(kind="whole"))
    assert len(find_steps(profile([TRAIN], **made, capture=whole))) == (9 if annotated else 8)


def test_an_evaluation_between_annotated_steps_belongs_to_none():
    made = synchronous(6)
    starts = [0, 100, 200, 700, 800, 900]
    made["marks"] = [marks(starts, 90)]
    runs = [(0, start + 20, 60) for start in starts]
    runs.insert(3, (1, 300, 300))
    launches = [start + 19 for start in starts]
    launches.insert(3, 299)
    steps = find_steps(profile([TRAIN, EVALUATE], runs, marks=made["marks"], launch_ps=launches))
    assert steps.start_ps.tolist() == starts
    assert steps.duration_ps.tolist() == [100, 100, 90, 100, 100, 90]


def test_an_evaluation_whose_ops_are_not_recorded_belongs_to_no_step_either():
    starts = [0, 100, 200, 330, 430, 530]
    nothing, runs = finish(Tables(), 0)
    silent = attrs.evolve(
        profile([TRAIN], [(0, 0, 60)], marks=[marks(starts, 90)]),
        executions=nothing,
        runs=runs,
        cpu_runs={"XLA": np.array(sorted([*(start + 20 for start in starts), 293]))},
    )
    assert find_steps(silent).duration_ps.tolist() == [100, 100, 90, 100, 100, 90]


def test_a_run_in_every_pause_is_of_the_step():
    runs = one_after_the_other([0, 1] * 4, {0: 60, 1: 20}, gap=5)
    launches = [start - 1 for _, start, _ in runs]
    starts = [max(0, runs[2 * step][1] - 2) for step in range(4)]
    steps = find_steps(profile([TRAIN, EVALUATE], runs, marks=[marks(starts, 63)], launch_ps=launches))
    assert steps.duration_ps.tolist()[:-1] == [88, 90, 90]


def test_a_long_stop_between_annotations_belongs_to_none():
    starts = [0, 100, 200, 5000, 5100, 5200]
    runs = [(0, start + 20, 60) for start in starts]
    launches = [start + 19 for start in starts]
    steps = find_steps(profile([TRAIN], runs, marks=[marks(starts, 90)], launch_ps=launches))
    assert steps.duration_ps.tolist() == [100, 100, 90, 100, 100, 90]


def test_a_host_that_is_ahead_has_no_step_whose_run_the_end_of_the_trace_cut_off():
    starts = [10 * step for step in range(8)]
    # The device has come to the middle of the fifth run when the trace ends.
    runs = [(0, 100 * step, 100) for step in range(5)]
    made = profile([TRAIN], runs, marks=[marks(starts, 8)], launch_ps=[at + 1 for at in starts[:5]], missing={4: 2})
    steps = find_steps(made)
    assert steps.start_ps.tolist() == [0, 100, 200, 300]
    assert steps.duration_ps.tolist() == [100] * 4


def launched_late(delays, length=100, work=60, lead=5, until=10):
    """Annotated steps of a host that another thread launches for, by ``delays`` behind the beginning of each.

    Where a delay is long the annotation ends before the run begins, and the host waits for it behind the annotation.
    """
    starts, annotated, runs = [], [], []
    at = 0
    for delay in delays:
        starts.append(at)
        began = at + lead + delay
        annotated.append(until if delay else began + work - at)
        runs.append((0, began, work))
        at = began + work + (length - lead - work)
    return runs, StepMarks("train", np.arange(len(starts)), np.array(starts), np.array(annotated))


def test_a_step_whose_run_begins_behind_its_annotation_ends_with_the_pause():
    runs, late = launched_late([0, 0, 150, 0, 0, 0])
    steps = find_steps(profile([TRAIN], runs, marks=[late]))
    assert steps.start_ps.tolist() == [0, 100, 200, 450, 550, 650]
    # The last step has no next one: it ends with its annotation.
    assert steps.duration_ps.tolist() == [100, 100, 250, 100, 100, 65]


def test_a_last_step_whose_run_begins_behind_its_annotation_ends_with_the_run():
    runs, late = launched_late([0, 0, 0, 0, 0, 150])
    steps = find_steps(profile([TRAIN, EVALUATE], [*runs, (1, 900, 50)], marks=[late]))
    assert steps.duration_ps.tolist() == [100, 100, 100, 100, 100, 215]


def on_devices(count, offsets, length=100, work=60):
    """Runs of one program, step by step, that devices begin so much later than the first of them."""
    return [(0, 10 + length * step + each, work, row) for row, each in enumerate(offsets) for step in range(count)]


def test_a_step_of_several_devices_begins_with_the_first_of_them():
    runs = on_devices(6, [20, 0, 5])
    # The busiest device began the third step late.
    runs[2] = (0, runs[2][1] + 10, 60, 0)
    steps = find_steps(profile([TRAIN], [(*run[:2], 64 if run[3] == 0 else 60, run[3]) for run in runs]))
    assert steps.start_ps.tolist() == [10, 110, 210, 310, 410]
    assert steps.duration_ps.tolist() == [100] * 5


def test_a_device_that_lacks_runs_is_compared_where_its_runs_are_closest():
    runs = on_devices(6, [20, 0])
    # The capture saw nothing of the second device's first run.
    del runs[6]
    steps = find_steps(profile([TRAIN], [(*run[:2], 64 if run[3] == 0 else 60, run[3]) for run in runs]))
    assert steps.source == "repetition"
    assert steps.start_ps.tolist() == [30, 110, 210, 310, 410]


def test_a_device_with_another_clock_begins_no_step():
    runs = on_devices(6, [500, 0])
    steps = find_steps(profile([TRAIN], [(*run[:2], 64 if run[3] == 0 else 60, run[3]) for run in runs]))
    assert steps.start_ps.tolist() == [510, 610, 710, 810, 910]


def test_devices_of_a_host_that_is_ahead_begin_a_step_with_the_first_of_them():
    starts = [10 * step for step in range(5)]
    runs = on_devices(5, [30, 0], work=65)
    launches = [at + 1 for at in starts] * 2
    runs = [(*run[:2], 69 if run[3] == 0 else 65, run[3]) for run in runs]
    steps = find_steps(profile([TRAIN], runs, marks=[marks(starts, 8)], launch_ps=launches))
    assert steps.start_ps.tolist() == [10, 110, 210, 310, 410]


def test_the_annotations_of_the_host_whose_device_is_busiest_have_the_steps_of_several_hosts():
    # The other host's annotations are longer and begin later: by them, of two runs in one the second would be lost.
    starts = [0, 95, 200, 300]
    runs = [(0, start + 5, 60, 0) for start in starts] + [(0, start + 6, 40, 1) for start in starts]
    made = profile(
        [TRAIN],
        runs,
        launch_ps=[start + 4 for start in starts] * 2,
        marks=[marks(starts, 80), attrs.evolve(marks([3, 108, 210, 310], 95), host=1)],
    )
    hosts = [attrs.evolve(device, host=row) for row, device in enumerate(made.executions.devices)]
    steps = find_steps(attrs.evolve(made, executions=attrs.evolve(made.executions, devices=tuple(hosts))))
    assert steps.start_ps.tolist() == starts
    assert steps.duration_ps.tolist() == [95, 105, 100, 80]


def test_of_two_annotations_the_one_with_the_most_time_has_the_steps_and_the_other_is_in_none():
    train = marks([0, 100, 200, 400, 500, 600], 90, "train")
    evaluate = marks([300], 90, "evaluate")
    runs = [(0, at + 20, 60) for at in (0, 100, 200, 400, 500, 600)]
    runs.insert(3, (1, 320, 60))
    launches = [start - 1 for _, start, _ in runs]
    steps = find_steps(profile([TRAIN, EVALUATE], runs, marks=[evaluate, train], launch_ps=launches))
    assert steps.name == "train"
    assert steps.duration_ps.tolist() == [100, 100, 90, 100, 100, 90]


@given(
    marked=st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 300)), min_size=1, max_size=12),
    ran=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 2000), st.integers(4, 300), st.integers(0, 2)),
        min_size=1,
        max_size=12,
    ),
    ahead=st.lists(st.integers(-1, 200), min_size=12, max_size=12),
    edges=st.lists(st.integers(0, 2300), max_size=4, unique=True),
    asked=st.none() | st.integers(1, 4),
    annotated=st.booleans(),
)
def test_steps_never_overlap_and_none_holds_what_was_not_traced(marked, ran, ahead, edges, asked, annotated):
    start, length = np.array(sorted(marked), dtype=np.int64).T
    runs = sorted(ran, key=lambda run: (run[3], run[1]))
    gaps = sorted(edges)[: len(edges) // 2 * 2]
    untraced = spans(*zip(gaps[::2], gaps[1::2], strict=True)) if gaps else None
    launches = [-1 if lead < 0 else max(0, run[1] - lead) for run, lead in zip(runs, ahead, strict=False)]
    capture = RunInformation(window=CaptureWindow(kind="steps", steps=asked)) if asked else None
    steps = find_steps(
        profile(
            [TRAIN, EVALUATE],
            runs,
            marks=[StepMarks("fit", np.arange(len(start)), start, length)] if annotated else [],
            launch_ps=launches,
            untraced=untraced,
            capture=capture,
        )
    )
    ends = steps.start_ps + steps.duration_ps
    assert (steps.duration_ps > 0).all()
    assert (ends[:-1] <= steps.start_ps[1:]).all()
    for first, last in zip(gaps[::2], gaps[1::2], strict=True):
        assert not ((steps.start_ps < last) & (first < ends)).any()
    assert asked is None or len(steps) <= asked
