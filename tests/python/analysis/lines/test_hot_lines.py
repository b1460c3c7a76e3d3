import importlib.util
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes, said, values
from made.recorded import DATA, PROFILES
from scopelight.analysis.lines.hot_lines import LineOptions, hot_lines
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals import centre as centre_module
from scopelight.analysis.totals.charging import apportion
from scopelight.findings import warning
from scopelight.formats.hlo import hlo_pb2
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.information import CaptureWindow, RunInformation
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule
from scopelight.report.as_json import as_json

INNER = """import jax.numpy as jnp


def costly(x):
    return jnp.sin(jnp.sin(jnp.sin(x)))
"""
OUTER = """import jax

from {inner} import costly


def cheap(x):
    y = costly(x)
    return y + 1.0


called = jax.jit(cheap)


def step(x):
    return called(x)
"""


def check_identities(record):
    """What holds of every record, to the picosecond."""
    assert record.attributed_ps + record.unattributed_ps == record.op_time_ps
    assert sum(line.self_ps for line in record.lines) == record.attributed_ps
    assert sum(device.op_time_ps for device in record.devices) == record.op_time_ps
    check_wall(record)
    assert len({(line.path, line.line) for line in record.lines}) == len(record.lines)
    for line in record.lines:
        phases = (line.forward_ps, line.backward_ps, line.recompute_ps, line.optimizer_ps, line.other_ps)
        assert sum(phases) == line.self_ps <= line.inclusive_ps <= record.op_time_ps
        assert sum(op.self_ps for op in line.ops) == line.self_ps
        assert [op.self_ps for op in line.ops] == sorted((op.self_ps for op in line.ops), reverse=True)
    check_stacks(record)
    check_functions(record)
    json.dumps(as_json(record, "terminal"), allow_nan=False)


def check_wall(record):
    """Lines, what is on none and what is idle sum to the wall clock, and rank as their times per step do."""
    wall, lines = record.wall, record.lines
    assert (wall is None) == (not record.extent.devices)
    if wall is None:
        return
    assert wall.busy_ps + wall.stalled_ps + wall.idle_ps == wall.wall_ps
    # To a device that ran nothing in the steps, all of the window is outside of them.
    of_each_ps = record.extent.duration_ps * record.extent.devices
    assert wall.wall_ps >= of_each_ps if record.extent.kind == "outside" else wall.wall_ps == of_each_ps
    assert sum(stall.stalled_ps for stall in wall.stalls) == wall.stalled_ps
    assert 0 <= wall.compiling_ps <= wall.idle_ps
    of_lines = sum(line.wall_ps for line in lines) + record.unattributed_wall_ps
    assert of_lines == wall.busy_ps + wall.stalled_ps
    assert sum(stack.wall_ps for stack in record.stacks) + record.unattributed_wall_ps == of_lines
    times = [line.wall_ps + line.waiting_ps for line in lines]
    assert times == sorted(times, reverse=True)
    of_waiting = sum(line.waiting_ps for line in lines)
    assert of_waiting + record.unattributed_waiting_ps == record.idle_ps == wall.idle_ps
    assert sum(record.idle_classes.values()) == record.idle_ps
    assert sum(stack.waiting_ps for stack in record.stacks) == of_waiting
    for line in lines:
        assert sum(line.waiting_classes.values()) == line.waiting_ps <= line.waiting_inclusive_ps
        assert (line.basis is None) == (line.waiting_ps == 0)
    for step in record.steps:
        assert sum(step.idle_classes.values()) == step.idle_ps
        assert step.busy_ps + step.stalled_ps + step.idle_ps == step.wall_ps == step.duration_ps * step.devices
    in_steps = sum(step.busy_ps + step.stalled_ps + step.idle_ps for step in record.steps)
    assert in_steps == record.steps_wall_ps
    if record.extent.kind == "steps" and record.steps:
        assert record.steps_wall_ps == wall.wall_ps
        assert all(
            step.busy_ps + step.stalled_ps + step.idle_ps == step.duration_ps * record.extent.devices
            for step in record.steps
        )
    shares = [line.share_ratio for line in lines]
    assert shares == sorted(shares, reverse=True)
    whole = max(1, wall.wall_ps)
    assert sum(shares) + (record.unattributed_wall_ps + record.unattributed_waiting_ps) / whole == pytest.approx(
        wall.wall_ps / whole
    )
    if record.extent.steps:
        per_step = [line.per_step_ps for line in lines]
        assert per_step == sorted(per_step, reverse=True)


def check_stacks(record):
    assert sum(stack.self_ps for stack in record.stacks) == record.attributed_ps
    assert len({stack.lines for stack in record.stacks}) == len(record.stacks)
    innermost, holding = Counter(), Counter()
    for stack in record.stacks:
        assert len(set(stack.lines)) == len(stack.lines) > 0
        innermost[stack.lines[0]] += stack.self_ps
        holding.update(dict.fromkeys(stack.lines, stack.self_ps))
    for row, line in enumerate(record.lines):
        assert innermost[row] == line.self_ps
        assert holding[row] == line.inclusive_ps


def check_functions(record):
    by_function = {}
    for row, line in enumerate(record.lines):
        by_function.setdefault((line.path, line.function), set()).add(row)
    functions = {(each.path, each.function): each for each in record.functions}
    assert len(functions) == len(record.functions)
    for key, rows in by_function.items():
        if not key[1]:
            assert key not in functions
            continue
        function = functions.pop(key)
        lines = [record.lines[row] for row in rows]
        assert function.self_ps == sum(line.self_ps for line in lines)
        for phase in ("forward_ps", "backward_ps", "recompute_ps", "optimizer_ps", "other_ps"):
            assert getattr(function, phase) == sum(getattr(line, phase) for line in lines)
        passing = sum(stack.self_ps for stack in record.stacks if not rows.isdisjoint(stack.lines))
        assert passing <= function.inclusive_ps <= record.attributed_ps
        assert function.line <= min(line.line for line in lines)
        assert function.lines >= len(lines)
    # What is left has no line of its own: all its frames are on lines of functions inside of it.
    assert all(function.self_ps == 0 < function.lines for function in functions.values())


@given(st.integers(0, 10**18), st.lists(st.integers(1, 2**45), min_size=1, max_size=40))
def test_apportion_is_exact_and_fair(total, weights):
    parts = apportion(total, weights)
    assert sum(parts) == total
    whole = sum(weights)
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part * whole - total * weight) < whole


def test_a_fusion_across_two_files_is_divided(load_source, compiled_module, ops_of, profile_of, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    load_source("inner_source", INNER)
    outer = load_source("outer_source", OUTER.format(inner="inner_source"))
    module = compiled_module(outer.step, jnp.ones(1 << 14))
    ops = ops_of(module)
    assert [op.instruction.opcode for op in ops] == ["fusion"]
    record = hot_lines(profile_of([(ops[0], 1_000_003)] * 3), LineOptions(roots=(str(tmp_path),)))
    check_identities(record)
    by_place = {(line.path, line.line): line for line in record.lines}
    costly, cheap = by_place["inner_source.py", 5], by_place["outer_source.py", 8]
    assert record.unattributed_ps == 0
    assert costly.self_ps > 5 * cheap.self_ps > 0
    assert costly.ops[0].shared
    assert cheap.ops[0].shared
    assert costly.function == "costly"
    assert costly.executions == cheap.executions == 3
    # The call of costly, the call of the jitted function: inclusive alone.
    for line, inclusive in ((7, costly.self_ps), (15, record.op_time_ps)):
        assert by_place["outer_source.py", line].self_ps == 0
        assert by_place["outer_source.py", line].inclusive_ps == inclusive
        assert by_place["outer_source.py", line].executions == 0


def train(parameters, x):
    def loss(parameters):
        hidden = jnp.tanh(x @ parameters["a"])
        return jnp.mean(jax.checkpoint(lambda h: jnp.sin(h @ parameters["b"]))(hidden) ** 2)

    value, gradients = jax.value_and_grad(loss)(parameters)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), value


def test_a_training_step_sums_exactly_and_has_its_phases(compiled_module, ops_of, profile_of):
    module = compiled_module(train, {"a": jnp.ones((48, 48)), "b": jnp.ones((48, 48))}, jnp.ones((48, 48)))
    ops = ops_of(module)
    generator = random.Random(2)
    rows = [(op, generator.randrange(0, 10**9)) for _ in range(7) for op in ops]
    generator.shuffle(rows)
    record = hot_lines(profile_of(rows), LineOptions(roots=(str(Path(__file__).parent),)))
    check_identities(record)
    assert record.op_time_ps == sum(time for _, time in rows)
    assert record.unattributed_ps == 0
    assert {line.path for line in record.lines if line.self_ps} == {Path(__file__).name}
    for phase in ("forward_ps", "backward_ps", "optimizer_ps"):
        assert sum(getattr(line, phase) for line in record.lines) > 0, phase
    # Outside of a loop the compiler merges what is computed again with the forward pass.
    assert sum(line.recompute_ps for line in record.lines) == 0
    first = train.__code__.co_firstlineno
    update = next(line for line in record.lines if line.line == first + 6)
    assert update.self_ps == update.optimizer_ps > 0


def test_the_innermost_user_frame_is_charged_and_others_include(profile_of):
    stack = (
        Frame("/env/lib/python3.12/site-packages/flax/linen.py", 9, "dense"),
        Frame("/w/model.py", 4, "mlp"),
        Frame("/w/model.py", 4, "mlp"),
        Frame("/other/tool.py", 3, "tool"),
        Frame("/w/train.py", 20, "<module>"),
    )
    op = Op("dot", "dot", -1, op_name="jit(f)/jvp(mlp)/dot_general", stack=stack)
    record = hot_lines(profile_of([(op, 5)]), LineOptions(roots=("/w",)))
    check_identities(record)
    assert [(line.path, line.line, line.self_ps, line.inclusive_ps, line.forward_ps) for line in record.lines] == [
        ("model.py", 4, 5, 5, 5),
        ("train.py", 20, 0, 5, 0),
    ]
    assert record.lines[0].file == "/w/model.py"
    # Without roots, the first frame outside libraries, as recorded.
    record = hot_lines(profile_of([(op, 5)]))
    assert [line.path for line in record.lines] == ["/w/model.py", "/other/tool.py", "/w/train.py"]


def test_what_has_no_user_frame_is_unattributed_and_named(profile_of):
    library = Op("dot", "dot", -1, stack=(Frame("/usr/lib/python3.11/json/decoder.py", 3),))
    nothing = Op("kernel", "custom-call", -1)
    known = Op("add", "add", -1, stack=(Frame("/w/a.py", 1),))
    record = hot_lines(profile_of([(library, 10), (nothing, 20), (known, 5)]))
    check_identities(record)
    assert (record.attributed_ps, record.unattributed_ps) == (5, 30)
    assert [(op.name, op.self_ps) for op in record.unattributed_ops] == [("kernel", 20), ("dot", 10)]
    assert not codes(record, "empty")


def test_nothing_attributed_says_why(profile_of):
    record = hot_lines(profile_of([(Op("kernel", "custom-call", -1), 20)]))
    assert record.lines == ()
    assert values(record, "ops-without-source") == {"ops": 1}
    assert "scopelight run" in said(record, "empty")
    several = hot_lines(profile_of([(Op(name, "custom-call", -1), 20) for name in ("kernel", "other")]))
    assert values(several, "ops-without-source") == {"ops": 2}
    empty = hot_lines(profile_of([]))
    check_identities(empty)
    assert (empty.op_time_ps, "fusions-divided" in codes(empty)) == (0, False)
    assert "No op ran" in said(empty, "empty")


@pytest.mark.parametrize("scope", ["steps", "window", "outside"])
@pytest.mark.parametrize("name", PROFILES)
def test_shares_of_recorded_profiles_sum_to_the_whole_and_rank_as_the_times_do(shared_data, name, scope):
    profile = open_profile(shared_data / name)
    record = hot_lines(profile, scope=scope)
    check_identities(record)
    if record.wall is not None:
        assert record.extent.kind == (scope if record.extent.has_steps else "window")


@pytest.mark.parametrize("name", PROFILES)
def test_the_steps_and_what_lies_outside_of_them_make_up_the_window(shared_data, name):
    profile = open_profile(shared_data / name)
    inside, outside, window = (hot_lines(profile, scope=scope).wall for scope in ("steps", "outside", "window"))
    if hot_lines(profile).extent.has_steps:
        for part in ("wall_ps", "busy_ps", "stalled_ps", "idle_ps", "compiling_ps"):
            # Where everything lies in steps, there is nothing outside of them.
            of_outside = 0 if outside is None else getattr(outside, part)
            assert getattr(inside, part) + of_outside == getattr(window, part), part


def test_of_a_profile_that_holds_its_programs_no_other_capture_is_advised(profile_of):
    """Capturing it again would find the same."""
    of_library = Op("dot", "dot", -1, stack=(Frame("/usr/lib/python3.11/json/decoder.py", 3),))
    of_compiler = Op("copy", "copy", 0, module=HloModule("jit_f", "7", (), (), 0))
    for ran in ([(of_library, 10)], [(of_compiler, 20)], [(of_library, 10), (of_compiler, 20)]):
        record = hot_lines(profile_of(ran))
        assert "of yours" in said(record, "empty")
        assert "scopelight run" not in said(record, "empty")
        assert "scopelight show ops" in said(record, "empty")


def test_steps_divide_time_and_outside_is_what_is_left(profile_of, monkeypatch):
    op = Op("add", "add", -1, stack=(Frame("/w/a.py", 1),))
    profile = profile_of([(op, 10)] * 10, device_of=[0] * 5 + [1] * 5)
    steps = Steps("annotation", "train", np.array([20, 60], dtype=np.int64), np.array([30, 15], dtype=np.int64))
    monkeypatch.setattr(centre_module, "find_steps", lambda _: steps)
    record = hot_lines(profile)
    check_identities(record)
    # Starts at 20, 30, 40 and at 60, 70 of 0, 10, ... 90; of the last of these half lies behind the step.
    assert (record.op_time_ps, record.lines[0].wall_ps) == (50, 45)
    assert record.lines[0].per_step_ps == round(45 / (2 * 2))
    assert record.lines[0].op_time_per_step_ps == round(50 / (2 * 2))
    outside, window = hot_lines(profile, scope="outside"), hot_lines(profile, scope="window")
    for each in (outside, window):
        check_identities(each)
        assert (each.lines[0].per_step_ps, len(each.steps)) == (None, 2)
    assert (outside.op_time_ps, outside.lines[0].wall_ps) == (50, 55)
    assert (window.op_time_ps, window.lines[0].wall_ps, window.lines[0].share_ratio) == (100, 100, 0.5)
    assert (record.steps_source, record.steps_name) == ("annotation", "train")
    assert len(record.steps) == 2


def test_without_steps_what_is_unknown_is_none(profile_of):
    op = Op("add", "add", -1, stack=(Frame("/w/a.py", 1),))
    record = hot_lines(profile_of([(op, 10)]))
    assert record.steps_source is None
    assert (record.extent.kind, record.extent.has_steps) == ("window", False)
    assert record.lines[0].per_step_ps is None
    assert {"no-steps", "no-program-runs"} & set(codes(record))


def test_an_op_that_xla_inserted_takes_the_line_that_its_users_agree_on(profile_of, copied_module):
    module = copied_module
    ops = {name: Op(name, "", 0, module=module, instruction=module.by_name[name]) for name in ("copy", "lost", "done")}
    record = hot_lines(profile_of([(op, 100) for op in ops.values()]))
    check_identities(record)
    by_line = {line.line: line for line in record.lines}
    assert by_line[3].ops[0].name == "copy"
    assert by_line[3].ops[0].inherited
    # Its two users are on different lines, and it reads nothing that has one.
    assert [op.name for op in record.unattributed_ops] == ["lost"]
    # A done goes with its start before its users.
    assert {op.name for op in by_line[5].ops} == {"done"}


@pytest.mark.parametrize("called_at", [0, 3])
def test_an_op_that_xla_divides_among_threads_has_the_line_of_the_call_around_it(profile_of, called_at):
    module = outlined_module(called_at)
    op = Op("outlined", "", 0, module=module, instruction=module.by_name["outlined"])
    record = hot_lines(profile_of([(op, 100)]))
    check_identities(record)
    # The call's own line, else the one that what reads it is on.
    assert [(line.line, line.ops[0].inherited) for line in record.lines] == [(called_at or 4, True)]


def test_an_op_that_a_call_does_not_return_has_not_its_line(profile_of):
    module = outlined_module(3)
    op = Op("inner", "", 0, module=module, instruction=module.by_name["inner"])
    assert [each.name for each in hot_lines(profile_of([(op, 100)])).unattributed_ops] == ["inner"]


def outlined_module(called_at):
    """A call, on this line if any, of a computation without lines, whose result an op on line 4 reads."""
    proto = hlo_pb2.HloProto()
    module = proto.hlo_module
    module.entry_computation_id = 2
    called = [("p1", "parameter", [], 0), ("inner", "copy", [1], 0), ("outlined", "copy", [2], 0)]
    entry = [("p2", "parameter", [], 0), ("call", "call", [4], called_at), ("a", "add", [5, 5], 4)]
    number = 0
    for identity, body in ((1, called), (2, entry)):
        computation = module.computations.add(id=identity, name=f"c{identity}", root_id=number + len(body))
        for name, opcode, operands, line in body:
            number += 1
            instruction = computation.instructions.add(id=number, name=name, opcode=opcode)
            instruction.operand_ids.extend(operands)
            instruction.shape.element_type = 11
            instruction.shape.dimensions.append(4)
            if opcode == "call":
                instruction.called_computation_ids.append(1)
            if line:
                instruction.metadata.source_file = "/w/a.py"
                instruction.metadata.source_line = line
    return build_module(proto, "7")


@pytest.fixture
def copied_module():
    proto = hlo_pb2.HloProto()
    module = proto.hlo_module
    module.entry_computation_id = 1
    computation = module.computations.add(id=1, name="main", root_id=9)
    body = [
        ("p", "parameter", [], 0),
        ("copy", "copy", [0], 0),
        ("a", "add", [1, 1], 3),
        ("lost", "copy", [0], 0),
        ("b", "add", [3, 2], 4),
        ("c", "add", [3, 3], 6),
        ("start", "copy-start", [0], 5),
        ("done", "copy-done", [6], 0),
        ("d", "add", [7, 7], 8),
        ("t", "tuple", [8, 5, 4], 0),
    ]
    for number, (name, opcode, operands, line) in enumerate(body):
        instruction = computation.instructions.add(id=number, name=name, opcode=opcode)
        instruction.operand_ids.extend(operands)
        instruction.shape.element_type = 11
        instruction.shape.dimensions.append(4)
        if line:
            instruction.metadata.source_file = "/w/a.py"
            instruction.metadata.source_line = line
    return build_module(proto, "7")


def test_relative_paths_are_those_of_the_captured_folder(profile_of):
    op = Op("add", "add", -1, stack=(Frame("pkg/../train.py", 1), Frame("<string>", 1)))
    capture = RunInformation(
        cwd="/w", window=CaptureWindow(kind="whole"), findings=(warning("recorded-note", text="short"),)
    )
    record = hot_lines(profile_of([(op, 10)], capture=capture), LineOptions(roots=("/w",)))
    assert [line.path for line in record.lines] == ["train.py"]
    assert {name: value for name, value in record.window.items() if value not in (None, ())} == {
        "start_ps": 0,
        "duration_ps": 10,
        "kind": "whole",
    }
    assert "recorded-note" in codes(record)


def test_two_roots_with_one_relative_name_stay_apart(profile_of):
    ops = [Op("a", "add", -1, stack=(Frame(f"/{root}/train.py", 1),)) for root in ("w", "v")]
    record = hot_lines(profile_of([(ops[0], 10), (ops[1], 5)]), LineOptions(roots=("/w", "/v")))
    assert [line.path for line in record.lines] == ["train.py", "/v/train.py"]


@pytest.mark.parametrize(
    ("name", "first", "attributed"),
    [
        ("tpu-v6e-host-offload/tpu_inference_2.xplane.pb", "host_offload_stress_test.py:29", 1.0),
        ("mi300x-conv/tw003.xplane.pb", "generate_conv_trace.py:23", 0.97),
    ],
)
def test_real_profiles(name, first, attributed):
    file = DATA / name
    if not file.exists():
        pytest.skip(f"{file} is absent")
    record = hot_lines(open_profile(file))
    check_identities(record)
    assert f"{record.lines[0].path}:{record.lines[0].line}".endswith(first)
    assert record.attributed_ps >= attributed * record.op_time_ps


def test_the_analysis_imports_neither_jax_nor_pandas():
    assert importlib.util.find_spec("jax")
    assert importlib.util.find_spec("rich")
    code = "import sys, scopelight.analysis.lines.hot_lines; print({'jax', 'pandas', 'rich'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
