"""Programs that did not run: how often each instruction would."""

import itertools

import attrs
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from made.findings import said, values
from scopelight.analysis.ops.card import op_card_record
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.cost.static_program import static_program
from scopelight.model.opening.profile import open_profile

SIDE = 64
LENGTH = 10
PRODUCT = 2 * SIDE**3


def scan(x, ws):
    return jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, ws)[0]


def nested(x, ws):
    return jax.lax.scan(lambda x, _: (scan(x, ws), None), x, length=3)[0]


def until(x, ws):
    return jax.lax.while_loop(lambda x: x[0, 0] < 100, lambda x: scan(x, ws) + 1, x)


ARGUMENTS = jnp.ones((SIDE, SIDE)), jnp.ones((LENGTH, SIDE, SIDE))


@pytest.fixture
def opened(tmp_path):
    """Open a compiled function from a file, as HLO text or as a message."""

    def open_it(function, kind):
        compiled = jax.jit(function).lower(*ARGUMENTS).compile()
        if kind == "text":
            file = tmp_path / "program.txt"
            file.write_text(compiled.as_text())
        else:
            file = tmp_path / "program.hlo.pb"
            file.write_bytes(compiled.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto())
        return open_profile(file)

    return open_it


def product_rows(record):
    return [row for row in record.rows if row.opcode in ("dot", "fusion") and (row.flops or 0) >= PRODUCT]


@pytest.mark.parametrize("kind", ["text", "message"])
@pytest.mark.parametrize(("function", "runs"), [(scan, LENGTH), (nested, 3 * LENGTH)])
def test_what_a_loop_holds_counts_as_often_as_it_runs(opened, kind, function, runs):
    table = op_table(opened(function, kind))
    record = ops_record(table)
    (row,) = product_rows(record)
    assert row.flops == runs * PRODUCT
    assert row.executions == 0
    assert f"runs {runs} times" in said(row)
    assert row.bytes >= runs * 3 * SIDE * SIDE * 4
    assert values(record, "program-estimated") == {"uncounted_loops": ()}
    whole = flops_record(table).rows[0]
    assert whole.flops == pytest.approx(runs * PRODUCT, rel=0.01)
    for element in op_card_record(table, row.key).elements:
        assert element.flops in (0, runs * PRODUCT)


def test_a_condition_is_asked_once_more_than_the_body_runs(opened):
    (module,) = (profile := opened(scan, "text")).modules
    program = static_program(profile.modules)
    loop = next(each for each in module.instructions if each.opcode == "while")
    body, condition = loop.called
    runs = {op.instruction.computation: count for op, count in zip(program.executions.ops, program.runs, strict=True)}
    assert (runs[body], runs[condition], runs[module.entry]) == (LENGTH, LENGTH + 1, 1)


def test_a_loop_whose_count_is_not_known_runs_once_and_is_named(opened):
    profile = opened(until, "text")
    record = ops_record(op_table(profile))
    (row,) = product_rows(record)
    assert row.flops == LENGTH * PRODUCT
    outer = next(each for each in profile.modules[0].instructions if each.opcode == "while" and not each.trip_count)
    assert values(record, "program-estimated") == {"uncounted_loops": (outer.name,)}


def test_counts_that_cannot_be_are_not_believed(opened):
    profile = opened(nested, "text")
    (module,) = profile.modules
    absurd = [attrs.evolve(each, trip_count=10**9) if each.opcode == "while" else each for each in module.instructions]
    program = static_program([attrs.evolve(module, instructions=tuple(absurd))])
    # One of the two counts is possible, both together are not.
    assert max(program.runs) == 10**9 + 1
    assert len(program.uncounted_loops) == 1


def test_computations_that_call_in_a_circle_come_to_an_end(opened):
    (module,) = opened(nested, "text").modules
    for called in itertools.product(range(len(module.computations)), repeat=2):
        circle = [attrs.evolve(each, called=called) if each.opcode == "while" else each for each in module.instructions]
        program = static_program([attrs.evolve(module, instructions=tuple(circle))])
        assert len(program.runs) == len(program.executions.ops)
        assert all(count >= 0 for count in program.runs)
        assert np.all(program.executions.self_ps == 0)
