"""Steps are found where they are, and only there."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import values
from made.profiles import SCALAR, WEIGHT, module, profile, spans
from scopelight.analysis.steps.steps import find_repetition, find_steps
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.profile import StepMarks
from scopelight.model.run.information import CaptureWindow, RunInformation
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction

GRADIENT = ("jit(step)/transpose(jvp(f))/dot", "jit(step)/jvp(f)/dot", "jit(step)/sub")
TRAIN = module("jit_train_step", "1", [WEIGHT, SCALAR], [WEIGHT, SCALAR], op_names=GRADIENT)
EVALUATE = module("jit_evaluate", "2", [WEIGHT, SCALAR], [SCALAR], op_names=("jit(evaluate)/dot",))
ACCUMULATE = module("jit_accumulate", "3", [WEIGHT, WEIGHT, WEIGHT], [WEIGHT], op_names=GRADIENT)
APPLY = module("jit_apply", "4", [WEIGHT, WEIGHT], [WEIGHT], op_names=("jit(apply)/sub",))
METRICS = module("jit_metrics", "6", [WEIGHT, SCALAR], [SCALAR], op_names=("jit(metrics)/mean",))
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
