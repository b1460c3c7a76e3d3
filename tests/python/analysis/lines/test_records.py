"""What the records of lines say beside the time: names, shapes, who shares, functions, and time per step."""

import statistics
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from scopelight.analysis.lines import spread as lines_spread
from scopelight.analysis.lines.hot_lines import LineOptions, hot_lines
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals import centre as centre_module
from scopelight.analysis.totals.names import scope_and_primitive, shape_text
from scopelight.model.executions import Op
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

HERE = LineOptions(roots=(str(Path(__file__).parent),))


def by_line(record):
    return {line.line: line for line in record.lines}


@pytest.mark.parametrize(
    ("op_name", "scope", "primitive"),
    [
        ("jit(step)/jvp(block)/mlp/dot_general", "jit(step)/jvp(block)/mlp", "dot_general"),
        ("jit(f)/jit(main)/transpose[permutation=(1, 0)]", "jit(f)/jit(main)", "transpose"),
        ("jit(f)/dot_general[dimension_numbers=(((2,), (0,)), ((), ())) a=x/y z=[[1], [2]]]", "jit(f)", "dot_general"),
        ("jit(f)/pjit[name=a/b]/add", "jit(f)/pjit", "add"),
        ("jit(f)/add;jit(f)/mul", "jit(f)", "add"),
        ("jit(f)/reduce_sum[axes=(0,", "jit(f)", "reduce_sum"),
        ("params['w']", "", ""),
        ("kernel", "", ""),
        ("", "", ""),
    ],
)
def test_a_name_is_a_scope_and_a_primitive(op_name, scope, primitive):
    assert scope_and_primitive(op_name) == (scope, primitive)


def test_shapes_are_written_as_in_hlo():
    array, scalar = Shape("bf16", (8, 128)), Shape("s32")
    assert shape_text(array) == "bf16[8,128]"
    assert shape_text(scalar) == "s32[]"
    nested = Shape("tuple", tuple_shapes=(array, Shape("tuple", tuple_shapes=(scalar,)), Shape("tuple")))
    assert shape_text(nested) == "(bf16[8,128], (s32[]), ())"
    assert shape_text(Shape("tuple", tuple_shapes=(scalar,) * 17)) == f"({'s32[], ' * 16}…)"


def test_an_op_has_its_names_and_shapes(compiled_module, ops_of, profile_of):
    def product(a, b):
        return jnp.dot(a, b)

    module = compiled_module(product, jnp.ones((16, 32)), jnp.ones((32, 8)))
    (op,) = ops_of(module)
    record = hot_lines(profile_of([(op, 100)]), HERE)
    (named,) = next(line for line in record.lines if line.self_ps).ops
    assert (named.primitive, named.scope) == ("dot_general", "jit(product)")
    assert (named.shape, named.operand_shapes) == ("f32[16,8]", ("f32[16,32]", "f32[32,8]"))
    assert named.shared_with == ()


def test_without_hlo_the_name_is_all_there_is(profile_of):
    op = Op("gemm", "dot", -1, op_name="jit(f)/dot_general", stack=(Frame("/w/a.py", 1),))
    (named,) = hot_lines(profile_of([(op, 100)])).lines[0].ops
    assert (named.primitive, named.shape, named.operand_shapes) == ("dot_general", "", ())


def fused(costs):
    """A module of one fusion that adds so many times on each line."""
    array = Shape("f32", (1 << 12,))
    instructions = [Instruction(0, "p", "parameter", array, 0, parameter_number=0)]
    for line, times in costs.items():
        for _ in range(times):
            row = len(instructions)
            stack = (Frame("/w/a.py", line, f"f{line}"), Frame("/w/a.py", 100, "main")) if line else ()
            instructions.append(Instruction(row, f"exp.{row}", "exponential", array, 0, (row - 1,), stack=stack))
    root = len(instructions)
    inner = tuple(range(root))
    instructions.append(Instruction(root, "q", "parameter", array, 1, parameter_number=0))
    instructions.append(Instruction(root + 1, "fusion", "fusion", array, 1, (root,), (0,), op_name="jit(f)/a/exp"))
    computations = (
        Computation(0, "fused", inner, root - 1, is_fusion=True),
        Computation(1, "main", (root, root + 1), root + 1),
    )
    module = HloModule("m", "7", tuple(instructions), computations, 1)
    return Op("fusion", "", 0, module=module, instruction=instructions[root + 1])


def test_a_divided_op_names_the_other_lines_longest_first(profile_of):
    op = fused({3: 2, 5: 9, 8: 4})
    record = hot_lines(profile_of([(op, 15_000)]), LineOptions(roots=("/w",)))
    lines = by_line(record)
    assert lines[5].self_ps > lines[8].self_ps > lines[3].self_ps > 0
    others = {line: [(place.path, place.line) for place in lines[line].ops[0].shared_with] for line in (3, 5, 8)}
    assert others == {
        3: [("a.py", 5), ("a.py", 8)],
        5: [("a.py", 8), ("a.py", 3)],
        8: [("a.py", 5), ("a.py", 3)],
    }
    assert [stack.lines[0] for stack in record.stacks] == [
        record.lines.index(lines[5]),
        record.lines.index(lines[8]),
        record.lines.index(lines[3]),
    ]
    main = next(function for function in record.functions if function.function == "main")
    # One op on three lines that it calls: counted once.
    assert (main.self_ps, main.inclusive_ps, main.line, main.lines) == (0, 15_000, 100, 1)


def test_a_function_counts_an_op_once_however_often_it_is_on_the_stack(profile_of):
    def frame(line, function):
        return Frame("/w/a.py", line, function)

    recursive = (frame(3, "walk"), frame(4, "walk"), frame(4, "walk"), frame(9, "main"))
    shallow = (frame(4, "walk"), frame(9, "main"))
    ops = [Op(name, "add", -1, stack=stack) for name, stack in (("a", recursive), ("b", shallow))]
    record = hot_lines(profile_of([(ops[0], 10), (ops[1], 5)]))
    walk, main = record.functions
    assert (walk.function, walk.self_ps, walk.inclusive_ps, walk.line, walk.lines) == ("walk", 15, 15, 3, 2)
    assert (main.function, main.self_ps, main.inclusive_ps) == ("main", 0, 15)


def test_a_function_passes_through_the_lambda_on_its_own_line(profile_of):
    stack = (Frame("/w/a.py", 7, "f.<locals>.<lambda>"), Frame("/w/a.py", 7, "f"))
    record = hot_lines(profile_of([(Op("add", "add", -1, stack=stack), 10)]))
    assert [(each.function, each.self_ps, each.inclusive_ps) for each in record.functions] == [
        ("f.<locals>.<lambda>", 10, 10),
        ("f", 0, 10),
    ]
    assert [stack.lines for stack in record.stacks] == [(0,)]


def test_functions_of_one_name_in_two_files_stay_apart(profile_of):
    ops = [Op("add", "add", -1, stack=(Frame(f"/w/{name}.py", 7, "f"),)) for name in "ab"]
    record = hot_lines(profile_of([(ops[0], 10), (ops[1], 5)]), LineOptions(roots=("/w",)))
    assert [(each.path, each.function, each.self_ps) for each in record.functions] == [
        ("a.py", "f", 10),
        ("b.py", "f", 5),
    ]


def test_a_line_without_a_recorded_function_is_in_none(profile_of):
    record = hot_lines(profile_of([(Op("add", "add", -1, stack=(Frame("/w/a.py", 7),)), 10)]))
    assert record.functions == ()


def stepped(times, monkeypatch, profile_of, devices=1):
    """Two ops of one caller that run once in every step of 100 ps on every device, for so long."""
    ops = [
        Op(name, "add", -1, stack=(Frame("/w/a.py", line), Frame("/w/a.py", 9))) for name, line in (("a", 1), ("b", 2))
    ]
    rows = [(ops[index], time) for _ in range(devices) for step in times for index, time in enumerate(step)]
    made = profile_of(rows, device_of=[device for device in range(devices) for _ in times for _ in ops])
    start = np.tile(np.repeat(np.arange(len(times), dtype=np.int64) * 100, 2) + np.tile([0, 50], len(times)), devices)
    made.executions.start_ps[:] = start
    steps = Steps(
        "annotation", "train", np.arange(len(times), dtype=np.int64) * 100, np.full(len(times), 100, dtype=np.int64)
    )
    monkeypatch.setattr(centre_module, "find_steps", lambda _: steps)
    return hot_lines(made)


@pytest.mark.parametrize("cells", [lines_spread._MOST_CELLS, 10, 4, 2])
@pytest.mark.parametrize("devices", [1, 2])
def test_spread_is_the_standard_deviation_over_the_steps(cells, devices, monkeypatch, profile_of):
    monkeypatch.setattr(lines_spread, "_MOST_CELLS", cells)
    times = [(10, 30), (14, 30), (12, 30), (40, 30), (10, 30)]
    lines = by_line(stepped(times, monkeypatch, profile_of, devices))
    assert lines[1].per_step_spread_ps == round(statistics.pstdev(each for each, _ in times)) == 11
    assert lines[2].per_step_spread_ps == 0
    assert (lines[1].per_step_ps, lines[2].per_step_ps) == (round(86 / 5), 30)
    assert lines[9].inclusive_per_step_ps == round((86 + 150) / 5)
    assert lines[1].executions_per_step == 1.0
    assert lines[1].executions == 5 * devices


@pytest.mark.parametrize("devices", [1, 2])
def test_few_steps_that_have_most_of_a_line_are_counted(devices, monkeypatch, profile_of):
    times = [(1, 30), (45, 30), *[(1, 30)] * 5, (35, 30)]
    lines = by_line(stepped(times, monkeypatch, profile_of, devices))
    assert (lines[1].few_steps, lines[1].few_steps_each_ps) == (2, 40)
    assert (lines[2].few_steps, lines[2].few_steps_each_ps) == (None, None)
    monkeypatch.undo()
    # Nine tenths are in three of eight, which are not few.
    lines = by_line(stepped([(40, 30)] * 3 + [(2, 30)] * 5, monkeypatch, profile_of, devices))
    assert lines[1].few_steps is None


def test_one_step_has_no_spread_and_none_have_nothing_per_step(monkeypatch, profile_of):
    (line, *_) = stepped([(10, 30)], monkeypatch, profile_of).lines
    assert line.per_step_ps == 30
    assert line.per_step_spread_ps is None
    monkeypatch.undo()
    record = hot_lines(profile_of([(Op("a", "", -1, stack=(Frame("/w/a.py", 1, "f"),)), 5)]))
    (line,), (function,), (stack,) = record.lines, record.functions, record.stacks
    assert (line.inclusive_per_step_ps, line.per_step_spread_ps, line.executions_per_step) == (None, None, None)
    assert stack.wall_ps == 5
    assert function.per_step_ps is function.inclusive_per_step_ps is line.op_time_per_step_ps is None


def test_executions_outside_of_steps_do_not_count_per_step(monkeypatch, profile_of):
    op = Op("add", "add", -1, stack=(Frame("/w/a.py", 1, "f"),))
    monkeypatch.setattr(
        centre_module,
        "find_steps",
        lambda _: Steps("annotation", "s", np.array([0, 40], dtype=np.int64), np.array([20, 20], dtype=np.int64)),
    )
    record = hot_lines(profile_of([(op, 10)] * 10))
    (line,), (function,), (stack,) = record.lines, record.functions, record.stacks
    assert (line.executions, line.executions_per_step) == (4, 2.0)
    assert line.per_step_ps == line.inclusive_per_step_ps == function.per_step_ps == line.op_time_per_step_ps == 20
    assert stack.wall_ps == line.wall_ps == line.self_ps == 40
    window = hot_lines(profile_of([(op, 10)] * 10), scope="window").lines[0]
    assert (window.executions, window.wall_ps, window.per_step_ps, window.executions_per_step) == (10, 100, None, None)
    outside = hot_lines(profile_of([(op, 10)] * 10), scope="outside").lines[0]
    assert (outside.executions, outside.wall_ps, outside.share_ratio) == (6, 60, 1.0)
