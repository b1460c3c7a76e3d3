"""What runs now and then is in no step, and those beside it are as long as the others."""

import numpy as np
import pytest

from made.profiles import profile, spans
from made.program.training_loops import APPLY, EVALUATE, METRICS, SLICE, TRAIN, one_after_the_other
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.run.information import CaptureWindow, RunInformation


def test_evaluation_now_and_then_is_in_no_step():
    runs = one_after_the_other(([0] * 10 + [1]) * 3, {0: 100, 1: 2000})
    steps = find_steps(profile([TRAIN, EVALUATE], runs))
    # Each has one pause of 10; those behind an evaluation have that of the step before it too.
    of_ten = [120, *[110] * 8, 100]
    assert steps.duration_ps.tolist() == [110, *of_ten[1:], *of_ten, *of_ten[:-1]]
    assert np.count_nonzero(np.diff(steps.start_ps) > 2000) == 2


def evaluated(count, every=3, *, loads=20, logs=0, evaluations=((1, 50),), waits=0, works=0, looks=False):
    """Runs of a loop that loads, trains for 100 and logs, each ``every``-th time before an evaluation.

    That waits for its own data before its first run and works when its last is over. With ``looks`` the loop loads what
    comes next before it evaluates.
    """
    runs, at = [], 0
    for step in range(count):
        at += 0 if looks else loads
        runs.append((0, at, 100))
        at += 100 + logs + (loads if looks else 0)
        if step % every == every - 1:
            at += waits
            for kind, duration in evaluations:
                runs.append((kind, at, duration))
                at += duration
            at += works
    return runs


def steps_of(runs, **made):
    return find_steps(profile([TRAIN, EVALUATE, METRICS], runs, **made))


def test_the_input_that_is_loaded_behind_an_evaluation_is_of_the_next_step():
    steps = steps_of(evaluated(8))
    assert steps.start_ps.tolist() == [20, 140, 260, 410, 550, 670, 820]
    assert steps.duration_ps.tolist() == [120, 120, 100, 140, 120, 100, 140]


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param({}, id="loads"),
        pytest.param({"logs": 5}, id="logs before it evaluates"),
        pytest.param({"looks": True}, id="loads before it evaluates"),
        pytest.param({"looks": True, "logs": 5}, id="loads and logs before it evaluates"),
        pytest.param({"waits": 30}, id="evaluates data that it loads"),
        pytest.param({"works": 30}, id="evaluates on the host too"),
        pytest.param({"waits": 30, "works": 30, "logs": 5}, id="logs, and all of that"),
        pytest.param({"waits": 30, "looks": True}, id="loads before it evaluates data that it loads"),
        pytest.param({"evaluations": ((1, 50), (2, 30))}, id="evaluates by two programs"),
        pytest.param({"evaluations": ((1, 50),) * 4, "logs": 3}, id="evaluates several batches"),
    ],
)
@pytest.mark.parametrize("every", [3, 4, 10])
@pytest.mark.parametrize("from_run", range(5))
def test_steps_beside_an_evaluation_have_a_usual_pause_each(loop, every, from_run):
    """Wherever the capture began: in the midst of a run, before which nothing is known."""
    runs = evaluated(40, every, **loop)[from_run:]
    usual_ps = 120 + loop.get("logs", 0)
    for end in range(-every - 1, 0):
        steps = steps_of(runs[:end], missing={0: 2})
        assert steps.duration_ps.sum() == len(steps) * usual_ps
        assert set(steps.duration_ps.tolist()) <= set(range(100, 100 + 2 * (usual_ps - 100) + 1))


def test_an_evaluation_that_loads_its_own_data_has_it_in_no_step():
    runs = evaluated(8, waits=70, logs=5)
    steps = steps_of(runs)
    # What the loop loads lies right before the next run, and what it logs right behind the last.
    assert steps.duration_ps.tolist() == [125, 125, 105, 145, 125, 105, 145]
    steps = steps_of(evaluated(8, waits=70, logs=5, looks=True))
    assert set(steps.duration_ps.tolist()) == {125}


def test_what_an_evaluation_does_behind_its_last_run_is_in_no_step():
    steps = steps_of(evaluated(8, works=70))
    assert steps.start_ps.tolist() == [20, 140, 260, 480, 620, 740, 960]
    assert steps.duration_ps.tolist() == [120, 120, 100, 140, 120, 100, 140]


def test_of_a_pause_that_is_short_beside_an_evaluation_steps_have_no_more_than_there_is():
    runs = evaluated(6, logs=5)
    runs[4:] = [(kind, start - 15, duration) for kind, start, duration in runs[4:]]
    steps = steps_of(runs)
    # 5 before it and 5 behind it, of 25.
    assert steps.start_ps.tolist() == [20, 145, 270, 425, 555]
    assert steps.duration_ps.tolist() == [125, 125, 105, 130, 125]


def test_the_first_step_of_a_window_has_the_pause_before_it_where_the_last_lacks_its_own():
    runs = evaluated(12)
    window = RunInformation(window=CaptureWindow(kind="steps", steps=5))
    # The second to the sixth: behind the third and the sixth comes an evaluation.
    steps = steps_of(runs, missing={0: 2}, capture=window)
    assert steps.start_ps[0] == 120
    assert steps.duration_ps.tolist() == [140, 100, 140, 120, 100]
    # The last one has its own.
    window = RunInformation(window=CaptureWindow(kind="steps", steps=4))
    assert steps_of(runs, missing={0: 2}, capture=window).start_ps[0] == 140


def test_what_ran_before_all_steps_has_no_pause_of_theirs():
    runs = evaluated(7)
    assert steps_of(runs).start_ps[0] == 20
    # It lasted until the program was compiled.
    assert find_steps(profile([TRAIN, EVALUATE, METRICS, SLICE], [(3, 0, 4), *runs])).start_ps[0] == 20


@pytest.mark.parametrize("every", [1, 2])
def test_an_evaluation_of_every_or_every_second_step_is_of_the_steps(every):
    steps = steps_of(evaluated(7, every))
    ends = steps.start_ps + steps.duration_ps
    assert ends[:-1].tolist() == steps.start_ps[1:].tolist()
    assert set(steps.duration_ps.tolist()) == ({170} if every == 1 else {120, 170})


def test_a_step_behind_an_evaluation_and_a_gap_of_the_traces_begins_with_its_run():
    runs = evaluated(12, works=40)
    # Between the end of the first evaluation and the fourth step's run.
    runs[7:] = [(kind, start + 10, duration) for kind, start, duration in runs[7:]]
    behind = runs[4][1]
    steps = steps_of(runs, untraced=spans((behind - 15, behind - 5)))
    assert behind in steps.start_ps.tolist()
    # The one before it has no pause to share with it.
    assert steps.duration_ps.tolist()[:3] == [120, 120, 100]


def test_a_step_of_several_devices_begins_a_pause_before_the_first_of_them_behind_an_evaluation():
    runs = evaluated(8)
    # The busiest device begins each run later by 5, and evaluates until 14 before the next run of the other.
    both = [*((kind, start + 5, duration + kind, 0) for kind, start, duration in runs), *((*run, 1) for run in runs)]
    steps = steps_of(both)
    assert steps.start_ps.tolist()[:4] == [20, 140, 260, 416]
    assert steps.duration_ps.tolist()[:4] == [120, 120, 105, 134]


def test_evaluation_between_two_programs_of_every_step_lengthens_it():
    runs = one_after_the_other(([0, 2] * 4 + [0, 1, 2]) * 3, {0: 100, 1: 500, 2: 30})
    steps = find_steps(profile([TRAIN, EVALUATE, APPLY], runs))
    assert sorted(set(steps.duration_ps.tolist())) == [150, 660]
