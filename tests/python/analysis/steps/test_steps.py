"""Steps are found where they are, and only there."""

import numpy as np
import pytest

from made.findings import values
from made.profiles import SCALAR, WEIGHT, module, profile
from scopelight.analysis.steps.steps import find_repetition, find_steps
from scopelight.model.profile import StepMarks

GRADIENT = ("jit(step)/transpose(jvp(f))/dot", "jit(step)/jvp(f)/dot", "jit(step)/sub")
TRAIN = module("jit_train_step", "1", [WEIGHT, SCALAR], [WEIGHT, SCALAR], op_names=GRADIENT)
EVALUATE = module("jit_evaluate", "2", [WEIGHT, SCALAR], [SCALAR], op_names=("jit(evaluate)/dot",))
ACCUMULATE = module("jit_accumulate", "3", [WEIGHT, WEIGHT, WEIGHT], [WEIGHT], op_names=GRADIENT)
APPLY = module("jit_apply", "4", [WEIGHT, WEIGHT], [WEIGHT], op_names=("jit(apply)/sub",))
SLICE = module("jit_dynamic_slice", "5", [WEIGHT], [WEIGHT], size=4)


def one_after_the_other(kinds, duration=100, gap=10):
    durations = duration if isinstance(duration, dict) else dict.fromkeys(set(kinds), duration)
    runs, at = [], 0
    for kind in kinds:
        runs.append((kind, at, durations[kind]))
        at += durations[kind] + gap
    return runs


def test_every_run_of_the_only_program_is_a_step():
    steps = find_steps(profile([TRAIN], one_after_the_other([0] * 6)))
    assert steps.source == "repetition"
    assert steps.name == "jit_train_step"
    # The sixth run begins a step whose end is not seen.
    assert steps.start_ps.tolist() == [0, 110, 220, 330, 440]
    assert steps.duration_ps.tolist() == [110] * 5


def test_two_programs_per_step_make_one_step():
    steps = find_steps(profile([TRAIN, APPLY], one_after_the_other([0, 1] * 5)))
    assert steps.duration_ps.tolist() == [220] * 4


def test_evaluation_now_and_then_lengthens_a_step_but_is_none():
    runs = one_after_the_other(([0] * 10 + [1]) * 3, {0: 100, 1: 2000})
    steps = find_steps(profile([TRAIN, EVALUATE], runs))
    assert len(steps) == 29
    assert steps.median_ps == 110
    assert np.count_nonzero(steps.duration_ps > 2000) == 2


@pytest.mark.parametrize("micro_batches", [2, 4, 16])
def test_gradient_accumulation_is_one_step_per_update(micro_batches):
    kinds = ([2, 0] * micro_batches + [1]) * 6
    steps = find_steps(profile([ACCUMULATE, APPLY, SLICE], one_after_the_other(kinds)))
    assert len(steps) == 4
    assert set(steps.duration_ps.tolist()) == {(2 * micro_batches + 1) * 110}


def test_gradients_added_up_outside_of_jit_are_one_step_per_update():
    add = module("jit_add", "6", [WEIGHT, WEIGHT], [WEIGHT], size=4)
    gradient = module("jit_gradient", "7", [WEIGHT, SCALAR], [WEIGHT], op_names=GRADIENT)
    # The first gradient is the sum; each of the others is added to it.
    kinds = [1, 1, 0, 1, 0, 1, 0, 2] * 6
    steps = find_steps(profile([add, gradient, APPLY], one_after_the_other(kinds)))
    assert set(steps.duration_ps.tolist()) == {8 * 110}
    assert len(steps) == 4


def test_a_second_program_that_trains_closes_the_step():
    generator = module("jit_generator", "8", [SCALAR, SCALAR], [SCALAR], op_names=GRADIENT)
    steps = find_steps(profile([TRAIN, generator], one_after_the_other([0, 0, 0, 1] * 6)))
    assert set(steps.duration_ps.tolist()) == {4 * 110}


def test_a_first_step_twice_as_long_does_not_hide_the_others():
    runs = [(0, 0, 200), *((0, 210 + 110 * each, 100) for each in range(5))]
    assert find_steps(profile([TRAIN], runs)).duration_ps.tolist() == [210, 110, 110, 110, 110]


def test_a_first_run_that_began_before_the_capture_is_left_out():
    runs = one_after_the_other([0] * 5)
    steps = find_steps(profile([TRAIN], runs, missing={0: 2}))
    assert steps.start_ps.tolist() == [110, 220, 330]


def test_compilations_of_one_function_for_several_shapes_are_one_program():
    again = module("jit_train_step", "9", [WEIGHT, SCALAR], [WEIGHT, SCALAR], op_names=GRADIENT)
    steps = find_steps(profile([TRAIN, again], one_after_the_other([0, 1, 1, 0, 1, 0, 0, 1])))
    assert len(steps) == 7


def test_two_functions_of_one_name_are_two_programs():
    other = module("jit_train_step", "9", [WEIGHT], [SCALAR], op_names=("jit(other)/mul",))
    steps = find_steps(profile([TRAIN, other], one_after_the_other([0, 1] * 5)))
    assert len(steps) == 4


def test_a_loop_outside_any_jit_repeats_as_a_sequence():
    small = [module(f"jit_{name}", name, [SCALAR], [SCALAR], size=5) for name in ("dot", "tanh", "sub")]
    runs = []
    for step in range(6):
        begin = step * 1000
        runs += [(0, begin, 200), (1, begin + 210, 100), (0, begin + 320, 200), (2, begin + 530, 100)]
    steps = find_steps(profile(small, runs))
    assert steps.start_ps.tolist() == [1000 * step for step in range(5)]


def test_work_that_never_repeats_has_no_steps_and_says_so():
    modules = [module(f"jit_dot_{each}", str(each), [SCALAR], [SCALAR]) for each in range(12)]
    steps = find_steps(profile(modules, one_after_the_other(range(12))))
    assert steps.source is None
    assert len(steps) == 0
    assert values([steps.why_none], "no-steps") == {"program_runs": 12}


def test_repetition_gives_the_period_to_the_capture():
    repetition = find_repetition(profile([TRAIN], one_after_the_other([0] * 6)))
    assert repetition.period_ps == 110
    assert repetition.count == 5


def marks(starts, duration, name="fit"):
    count = len(starts)
    return StepMarks(name, np.arange(count), np.array(starts, dtype=np.int64), np.full(count, duration, dtype=np.int64))


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
