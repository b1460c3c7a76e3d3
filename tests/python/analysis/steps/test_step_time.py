"""The wall clock of a step is split without remainder."""

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.profiles import SCALAR, WEIGHT, module, profile
from scopelight.analysis.device_time.busy import covered_ps, without
from scopelight.analysis.records import WallRecord
from scopelight.analysis.steps.step_time import step_time
from scopelight.analysis.steps.steps import Steps, find_steps
from scopelight.analysis.totals.centre import centre_of
from scopelight.model.spans import Spans, merge_spans

TRAIN = module("jit_train_step", "1", [WEIGHT], [WEIGHT], op_names=("jit(f)/transpose(jvp(f))/dot",))


def spans(*pairs):
    starts, ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return merge_spans(starts, ends)


def points(which):
    return {
        at
        for start, duration in zip(which.start_ps.tolist(), which.duration_ps.tolist(), strict=True)
        for at in range(start, start + duration)
    }


def test_a_step_is_busy_compiling_or_waiting():
    runs = [(0, step * 1000, 600) for step in range(5)]
    made = attrs.evolve(profile([TRAIN], runs), compiling=spans((500, 700), (3900, 4100)))
    time = step_time(find_steps(made))
    assert attrs.astuple(time) == (4, 1000, 1000, 1000, 1000)
    # 100 of 500-700 lies after the run's end, 100 of 3900-4100 before the end of the last step.
    assert centre_of(made).scoped("steps").wall == WallRecord(4000, 2400, 0, 1600, 200, ())
    assert centre_of(made).scoped("outside").wall == WallRecord(600, 600, 0, 0, 0, ())
    assert centre_of(made).scoped("window").wall == WallRecord(4600, 3000, 0, 1600, 200, ())


def test_the_mean_is_of_all_steps_and_stands_beside_the_median():
    steps = Steps("annotation", "train", np.array([0, 10, 20]), np.array([2, 2, 20]))
    assert attrs.astuple(step_time(steps)) == (3, 8, 2, 2, 20)


def test_without_steps_the_whole_window_is_split():
    modules = [module(f"jit_{each}", str(each), [SCALAR], [SCALAR]) for each in range(4)]
    made = profile(modules, [(each, each * 100, 40) for each in range(4)])
    assert attrs.astuple(step_time(find_steps(made))) == (0, None, None, None, None)
    assert centre_of(made).scoped("steps").wall == WallRecord(340, 160, 0, 180, 0, ())


pairs = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 15)), max_size=20)


@given(pairs, pairs)
def test_merged_spans_and_differences_agree_with_sets_of_points(some, others):
    def made(which) -> Spans:
        return spans(*((start, start + length) for start, length in which))

    expected = {at for start, length in some for at in range(start, start + length)}
    assert points(made(some)) == expected
    assert points(without(made(some), made(others))) == expected - points(made(others))


@given(pairs, st.integers(0, 100), st.integers(0, 100))
def test_covered_time_agrees_with_sets_of_points(some, start, length):
    merged = spans(*((begin, begin + extent) for begin, extent in some))
    covered = covered_ps(merged, np.array([start]), np.array([start + length]))
    assert covered.tolist() == [len(points(merged) & set(range(start, start + length)))]
