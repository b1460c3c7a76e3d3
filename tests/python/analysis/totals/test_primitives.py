"""What jax calls an op: a product is a product, whatever XLA folded into it."""

import pytest

from made.executions import executions_of, ops_of_module, profile_of_executions
from made.views import op_statistics
from scopelight.analysis.totals.names import primitive_of, scope_and_primitive

BACKWARD = "jit(step)/transpose(jvp(block))/transpose"


@pytest.mark.parametrize(
    ("opcode", "op_name", "primitive"),
    [
        ("dot", BACKWARD, "dot_general"),
        ("convolution", BACKWARD, "conv_general_dilated"),
        ("transpose", BACKWARD, "transpose"),
        ("dot", "jit(step)/block/dot_general", "dot_general"),
        ("dot", "jit(step)/block/transpose", "dot_general"),
        ("add", "jit(step)/transpose(jvp(block))/add_any", "add_any"),
        ("dot", "", ""),
    ],
)
def test_a_product_keeps_its_name_under_the_transpose_that_was_folded_into_it(opcode, op_name, primitive):
    (op,) = ops_of_module([("it", opcode, (), op_name)])

    assert primitive_of(op.module, op.instruction) == primitive


def test_an_op_is_listed_by_the_name_of_its_product():
    (op,) = ops_of_module([("dot.1", "dot", (), BACKWARD)])
    profile = profile_of_executions(executions_of([(op, 0, 10)]), 10)

    assert [row.primitive for row in op_statistics(profile).rows] == ["dot_general"]


@pytest.mark.parametrize("call", ["closed_call", "transpose(jvp(jit(log_softmax)))", "jit(loss)", "body", "checkpoint"])
def test_what_is_around_a_call_is_no_primitive(call):
    assert scope_and_primitive(f"jit(step)/while/{call}") == (f"jit(step)/while/{call}", "")
    assert scope_and_primitive(f"jit(step)/while/{call}/add") == (f"jit(step)/while/{call}", "add")


def test_a_collective_that_was_made_of_several_has_what_they_share():
    ends = ("transpose(jvp())/dot_general", "transpose(jvp())/dot_general", "jvp()/reduce_sum")
    assert scope_and_primitive(f"jit(step)/({':'.join(ends)})") == ("jit(step)", "")
    assert scope_and_primitive(f"jit(step)/({':'.join(ends[:2])})") == ("jit(step)", "dot_general")
    assert scope_and_primitive("(f/psum:g/psum)") == ("", "psum")
