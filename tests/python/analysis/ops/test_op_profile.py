"""The tree of ops: sums that agree at every node, and lines that agree with the hot lines."""

import textwrap

import attrs
import jax
import jax.numpy as jnp
import pytest

from scopelight.analysis.lines.hot_lines import LineOptions, hot_lines
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Op, Program

GROUPINGS = ("category", "program", "scope", "line")

SOURCE = """\
    import jax
    import jax.numpy as jnp


    def forward(w, x):
        with jax.named_scope("block"):
            y = x @ w
            y = jnp.tanh(y) * 3
        return jnp.sum(y * y)


    def step(w, x):
        gradient = jax.grad(forward)(w, x)
        return w - 0.1 * gradient
    """


@pytest.fixture(scope="module")
def table(compiled_module, ops_of, profile_of, tmp_path_factory):
    """A training step whose fusions are shared by lines, and a kernel that belongs to no program."""
    folder = tmp_path_factory.mktemp("source")
    file = folder / "train.py"
    file.write_text(textwrap.dedent(SOURCE))
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    module = compiled_module(names["step"], jnp.ones((64, 64)), jnp.ones((32, 64)))
    ops = [*ops_of(module), Op("copy.kd", "kernel", -1)]
    rows = [(op, 1009 * (number + 1)) for number, op in enumerate(ops)] * 3
    profile = profile_of(rows)
    return op_table(profile, LineOptions(roots=(str(folder),)), OwnPeaks({"f32": 1e11}, 1e10))


def children(rows, parent):
    """Rows directly below the row at ``parent``."""
    found = []
    for row in rows[parent + 1 :]:
        if row.depth <= rows[parent].depth:
            break
        if row.depth == rows[parent].depth + 1:
            found.append(row)
    return found


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_children_sum_to_their_parent(table, grouping):
    rows = op_profile_record(table, grouping).rows
    assert rows[0].kind == "total"
    assert len({row.key for row in rows}) == len(rows)
    for place, row in enumerate(rows):
        below = [each for each in children(rows, place) if each.kind != "element"]
        if row.kind in ("op", "element", "idle"):
            assert not below
            continue
        assert sum(each.self_ps for each in below) == row.self_ps
        for quantity in ("wall_ps", "flops", "bytes", "wasted_ps"):
            amounts = [getattr(each, quantity) for each in below]
            known = [amount for amount in amounts if amount is not None]
            assert getattr(row, quantity) == (sum(known) if known else None), quantity
        times = [each.self_ps for each in below]
        assert times == sorted(times, reverse=True)
        assert row.share_ratio == pytest.approx(row.self_ps / rows[0].self_ps)


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_every_op_is_there_with_its_figures(table, grouping):
    record = op_profile_record(table, grouping)
    expected = {row.key: row for row in ops_record(table).rows}
    found = {}
    for row in record.rows:
        if row.kind == "op":
            time, flops = found.get(row.op_key, (0, None))
            found[row.op_key] = (time + row.self_ps, flops if row.flops is None else (flops or 0) + row.flops)
    assert found == {key: (row.self_ps, row.flops) for key, row in expected.items()}
    assert sum(time for time, _ in found.values()) == record.op_time_ps


def test_groups_are_what_they_are_called(table):
    ops = {row.key: row for row in ops_record(table).rows}
    for grouping, name in (("category", "category"), ("program", "program"), ("scope", "scope")):
        rows = op_profile_record(table, grouping).rows
        path = []
        for row in rows:
            del path[row.depth :]
            path.append(row.label)
            if row.kind != "op":
                continue
            op = ops[row.op_key]
            if name == "category":
                assert path[1] == op.category
            elif name == "program":
                assert path[1:3] == [op.program or "outside of programs", op.category]
            else:
                assert "/".join(path[1:-1]) == op.scope


def test_a_line_has_the_time_that_the_hot_lines_give_it(table):
    lines = hot_lines(table.profile, table.centre.options)
    expected = {(line.path, line.line): line.self_ps for line in lines.lines if line.self_ps}
    rows = op_profile_record(table, "line").rows
    found = {(row.path, row.line): row.self_ps for row in rows if row.kind == "line" and row.line is not None}
    assert found == expected
    assert len(found) >= 3
    lost = [row.self_ps for row in rows if row.kind == "line" and row.line is None]
    assert sum(lost) == lines.unattributed_ps > 0
    shared = [key for key in {row.op_key for row in rows if row.kind == "op"} if _places(rows, key) > 1]
    assert shared, "no fusion is shared by lines: the test shows nothing"


def _places(rows, key):
    return sum(row.op_key == key and row.kind == "op" for row in rows)


def test_a_fusion_expands_to_what_is_in_it(table):
    rows = op_profile_record(table, "category").rows
    fusions = {entry.row.key: entry.op for entry in table.entries if entry.row.opcode == "fusion"}
    assert fusions
    for key, op in fusions.items():
        inside = [row for row in rows if row.kind == "element" and row.op_key == key]
        names = {op.module.instructions[each].name for called in op.instruction.called
                 for each in op.module.computations[called].instructions}  # fmt: skip
        assert inside
        assert {row.label for row in inside} <= names
        assert all(row.self_ps is None for row in inside)
        assert sum(row.flops or 0 for row in inside) <= next(row for row in rows if row.key == key).flops
        assert [row.flops or 0 for row in inside] == sorted((row.flops or 0 for row in inside), reverse=True)


def test_idle_is_what_no_op_ran_in(profile_of):
    kernel = Op("k", "kernel", -1)
    profile = profile_of([(kernel, 100), (kernel, 100)])
    record = op_profile_record(op_table(profile), "category")
    assert record.wall.idle_ps == 0
    assert all(row.kind != "idle" for row in record.rows)
    longer = op_profile_record(op_table(attrs.evolve(profile, duration_ps=1000)), "category")
    assert longer.wall.idle_ps == 800
    (idle,) = [row for row in longer.rows if row.kind == "idle"]
    assert (idle.depth, idle.self_ps, idle.share_ratio) == (1, 800, 0.8)
    assert longer.rows[0].self_ps == 1000


def test_utilisation_of_a_group_is_that_of_its_work(table):
    rows = op_profile_record(table, "category").rows
    ops = {row.key: row for row in ops_record(table).rows}
    for place, row in enumerate(rows):
        if row.kind != "category" or not row.flops:
            continue
        below = [ops[each.op_key] for each in children(rows, place)]
        seconds = sum(op.flops / 1e11 for op in below)
        wall = sum(op.wall_ps for op in below) / 1e12
        assert row.flop_utilisation_ratio == pytest.approx(seconds / wall)


def test_programs_of_one_name_are_told_apart(compiled_module, ops_of, profile_of):
    ops = ops_of(compiled_module(jax.nn.relu, jnp.ones(100)))
    again = [attrs.evolve(op, program=1) for op in ops]
    profile = profile_of([(op, 10) for op in [*ops, *again]])
    executions = attrs.evolve(profile.executions, programs=[Program("7", "jit_f"), Program("9", "jit_f")])
    rows = op_profile_record(op_table(attrs.evolve(profile, executions=executions)), "program").rows
    assert {row.label for row in rows if row.kind == "program"} == {"jit_f (7)", "jit_f (9)"}
