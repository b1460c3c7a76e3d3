"""Steps without annotations are found where they are, and only there."""

import attrs
import pytest

from made.findings import values
from made.profiles import SCALAR, WEIGHT, module, profile
from made.program.training_loops import ACCUMULATE, APPLY, GRADIENT, SLICE, TRAIN, one_after_the_other
from scopelight.analysis.steps.steps import find_repetition, find_steps
from scopelight.model.run.prediction import Called, PredictedProgram, Prediction
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction


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


ARRAYS = ([WEIGHT, SCALAR], [WEIGHT, SCALAR])


def predicted(modules, runs):
    """The same runs as a compiler expects them."""
    programs = tuple(
        PredictedProgram(int(each.program_id), each.name.replace("jit__lambda", "jit(<lambda>)"), "compiled")
        for each in modules
    )
    calls = tuple(Called(int(modules[row].program_id)) for row, *_ in runs)
    return attrs.evolve(profile(modules, runs), prediction=Prediction(programs=programs, calls=calls))


def test_predicted_functions_without_a_name_are_as_many_as_their_programs():
    """Two discriminator's steps to one of a generator's, as functions with names and as lambdas."""
    found = []
    for names in (("jit_dis", "jit_gen"), ("jit__lambda", "jit__lambda")):
        modules = [module(name, str(row), *ARRAYS, op_names=GRADIENT) for row, name in enumerate(names, 1)]
        runs = one_after_the_other([0, 0, 1] * 8, {0: 100, 1: 70})
        found.append(find_steps(predicted(modules, runs)))
    named, nameless = found
    assert len(named) >= 6
    assert named.median_ps == 100 + 10 + 100 + 10 + 70 + 10
    assert (nameless.start_ps.tolist(), nameless.duration_ps.tolist()) == (
        named.start_ps.tolist(),
        named.duration_ps.tolist(),
    )


def test_predicted_compilations_of_one_function_for_several_shapes_are_one_program():
    modules = [TRAIN, module("jit_train_step", "9", *ARRAYS, op_names=GRADIENT)]
    assert len(find_steps(predicted(modules, one_after_the_other([0, 1, 1, 0, 1, 0, 0, 1])))) == 7


def test_predicted_functions_of_one_name_that_stand_elsewhere_are_two_programs():
    places = {"1": 3, "2": 30}
    modules = [module("jit_step", program_id, *ARRAYS, op_names=GRADIENT) for program_id in places]
    made = predicted(modules, one_after_the_other([0, 0, 1] * 8))
    ops = tuple(
        attrs.evolve(op, stack=(Frame("gan.py", places[op.module.program_id], "step"),)) for op in made.executions.ops
    )
    steps = find_steps(attrs.evolve(made, executions=attrs.evolve(made.executions, ops=ops)))
    assert steps.median_ps == 330


def test_a_loop_outside_any_jit_repeats_as_a_sequence():
    small = [module(f"jit_{name}", name, [SCALAR], [SCALAR], size=5) for name in ("dot", "tanh", "sub")]
    runs = []
    for step in range(6):
        begin = step * 1000
        runs += [(0, begin, 200), (1, begin + 210, 100), (0, begin + 320, 200), (2, begin + 530, 100)]
    steps = find_steps(profile(small, runs))
    assert steps.start_ps.tolist() == [1000 * step for step in range(5)]


def operation(name, program_id, size=20, shape=SCALAR):
    """A program of one fusion, which holds most of its instructions: what a function of jax.numpy compiles to."""
    fused = tuple(Instruction(row, f"{name}.{row}", "add", SCALAR, 1) for row in range(size))
    p0 = Instruction(size, "p0", "parameter", shape, 0, parameter_number=0)
    root = Instruction(size + 1, "add", "add", shape, 0, (size,), called=(1,), op_name=f"jit({name})/add")
    computations = (
        Computation(0, "main", (size, size + 1), size + 1),
        Computation(1, "fused", tuple(range(size)), size - 1, is_fusion=True),
    )
    return HloModule(f"jit_{name}", program_id, (*fused, p0, root), computations, 0)


def rounds(order, count, durations, waits):
    """Runs of ``count`` rounds; the host makes the device wait before the programs that ``waits`` names."""
    runs, at = [], 0
    for _ in range(count):
        for place, kind in enumerate(order):
            at += waits.get(place, 10)
            runs.append((kind, at, durations[kind]))
            at += durations[kind]
    return runs


def test_rounds_of_operations_begin_where_the_first_of_them_did():
    """Whole rounds are all that ran: where the device waited longest is no better place to begin one."""
    programs = [operation(name, str(row)) for row, name in enumerate(("add", "sin", "mean", "std"))]
    runs = rounds([0, 1, 2, 3], 5, [100, 90, 80, 70], {2: 500})
    steps = find_steps(profile(programs, runs, executions_per_run=1))
    assert steps.name == "jit_add"
    assert steps.start_ps.tolist() == [run[1] for run in runs[:16:4]]
    assert set(steps.duration_ps.tolist()) == {runs[4][1] - runs[0][1]}


def test_an_operation_that_most_of_the_time_goes_to_comes_twice_in_a_round():
    """It has the weight of a step, but its runs are no steps."""
    programs = [operation(name, str(row)) for row, name in enumerate(("dot", "sin", "mean"))]
    steps = find_steps(profile(programs, rounds([0, 1, 0, 2], 6, [1000, 90, 80], {}), executions_per_run=1))
    assert len(steps) == 5
    assert set(steps.duration_ps.tolist()) == {2210}


def test_operations_that_the_capture_cut_begin_a_round_where_the_device_waited():
    programs = [operation(name, str(row)) for row, name in enumerate(("add", "sin", "mean", "std"))]
    runs = rounds([0, 1, 2, 3], 5, [100, 90, 80, 70], {0: 500})[2:-1]
    steps = find_steps(profile(programs, runs, executions_per_run=1))
    assert steps.name == "jit_add"
    assert steps.start_ps.tolist() == [run[1] for run in runs[2:-4:4]]


def test_another_program_after_every_tenth_run_of_a_function_of_few_fusions_is_no_step():
    programs = [operation("model", "1"), operation("log", "2", shape=WEIGHT)]
    runs = one_after_the_other(([0] * 10 + [1]) * 4, {0: 100, 1: 20})
    steps = find_steps(profile(programs, runs, executions_per_run=1))
    assert len(steps) == 39


def test_a_function_of_few_fusions_that_runs_now_and_then_is_still_a_step():
    """It runs after any number of others: nothing repeats but itself."""
    programs = [operation("model", "1"), operation("add", "2"), operation("sub", "3")]
    kinds = [0, 1, 0, 1, 2, 0, 2, 2, 1, 0, 1, 1, 1, 0, 2, 0, 1, 2, 2, 2, 0]
    steps = find_steps(profile(programs, one_after_the_other(kinds, {0: 1000, 1: 10, 2: 10}), executions_per_run=1))
    assert len(steps) == kinds.count(0) - 1


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
