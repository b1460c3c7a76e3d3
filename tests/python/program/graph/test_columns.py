"""The graph of a program: edges through glue, the two ends of an op as one, hubs, and what is opened."""

import numpy as np
import pytest
from hypothesis import given

from made.program.graphs import LOOP, dags, hostile_modules, instructions_module, module_of
from scopelight.program.graph.columns import MOST_EDGES, callers_of, depths_of, program_graph
from scopelight.program.graph.glue import GLUE, OPENED


def edges(graph):
    instructions = graph.module.instructions
    return {
        (instructions[source].name, instructions[target].name): moved
        for source, target, moved in zip(
            graph.source.tolist(), graph.target.tolist(), graph.bytes.tolist(), strict=True
        )
    }


def row_of(module, name):
    return next(row for row, each in enumerate(module.instructions) if each.name == name)


def test_values_are_seen_through_tuples_and_their_elements():
    graph = program_graph(module_of(LOOP))
    # The counter that is a constant and the weights that are an argument were made by no op.
    assert edges(graph) == {
        ("first", "while.3"): 256,
        ("while.3", "last"): 256,
        ("inner_dot", "inner_softmax"): 256,
    }


def test_edges_lead_into_what_is_opened_and_out_of_it():
    module = module_of(LOOP)
    loop, fusion = row_of(module, "while.3"), row_of(module, "fusion.7")
    assert edges(program_graph(module, {loop})) == {
        ("first", "fusion.7"): 256,
        ("fusion.7", "last"): 256,
        ("inner_dot", "inner_softmax"): 256,
    }
    assert edges(program_graph(module, {loop, fusion})) == {
        ("first", "inner_dot"): 256,
        ("inner_dot", "inner_softmax"): 256,
        ("inner_softmax", "last"): 256,
    }


def test_an_asynchronous_op_is_one_node():
    text = """HloModule jit_step

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %first = f32[8]{0} negate(%x)
  %copy-start.1 = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%first)
  %beside = f32[8]{0} abs(%first)
  %copy-done.1 = f32[8]{0} copy-done(%copy-start.1)
  ROOT %last = f32[8]{0} add(%copy-done.1, %beside)
}
"""
    module = module_of(text)
    graph = program_graph(module)
    assert graph.node[row_of(module, "copy-done.1")] == row_of(module, "copy-start.1")
    assert edges(graph) == {
        ("first", "copy-start.1"): 32,
        ("first", "beside"): 32,
        ("copy-start.1", "last"): 32,
        ("beside", "last"): 32,
    }


@pytest.mark.parametrize("readers", [MOST_EDGES, MOST_EDGES + 1])
def test_a_hub_has_more_neighbours_than_are_followed(readers):
    graph = program_graph(instructions_module([[], *([[0]] * readers)]))
    assert graph.is_hub.tolist() == [readers > MOST_EDGES, *([False] * readers)]


def test_callers_are_those_around_outermost_first():
    module = module_of(LOOP)
    around = callers_of(module, row_of(module, "inner_dot"))
    assert [module.instructions[row].name for row in around] == ["while.3", "fusion.7"]


def makers_by_definition(module, row):
    """Who made what an instruction is, found as it is written: of glue those of all that it reads."""
    each = module.instructions[row]
    if each.opcode not in GLUE:
        return {row}
    if each.opcode == "parameter":
        return set()
    read = each.operands[:1] if each.opcode == "bitcast" else each.operands
    return set().union(*(makers_by_definition(module, operand) for operand in read))


@given(dags())
def test_an_op_reads_what_made_its_operands(module):
    graph = program_graph(module)
    found = set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))
    assert found == {
        (maker, row)
        for row, each in enumerate(module.instructions)
        if each.opcode not in GLUE
        for operand in each.operands
        for maker in makers_by_definition(module, operand)
    }
    assert not graph.is_cut_off


@given(dags())
def test_producers_are_those_of_whom_it_is_a_consumer(module):
    graph = program_graph(module)
    rows = graph.nodes.tolist()
    for row in rows:
        assert graph.consumers(row) == [other for other in rows if row in graph.producers(other)]
        assert graph.producers(row) == [other for other in rows if row in graph.consumers(other)]


@given(dags())
def test_ops_lie_deeper_than_what_they_read(module):
    graph = program_graph(module)
    depths = depths_of(graph)
    assert (depths[graph.target] > depths[graph.source]).all()
    for row in graph.nodes.tolist():
        before = [depths[each] for each in graph.producers(row)]
        assert depths[row] == (max(before) + 1 if before else 0)


@given(hostile_modules())
def test_circles_end(module):
    opened = {row for row, each in enumerate(module.instructions) if each.opcode in OPENED}
    for graph in (program_graph(module), program_graph(module, opened)):
        nodes = set(graph.nodes.tolist())
        assert set(graph.source.tolist()) | set(graph.target.tolist()) <= nodes
        assert len(depths_of(graph)) == len(module.instructions)
    for row in range(len(module.instructions)):
        assert len(callers_of(module, row)) <= len(module.computations)


def test_a_fan_of_tuples_is_followed_to_a_bound():
    # Each tuple holds the one before it twice: its leaves double from one to the next.
    count = 64
    operands = [[], *([row, row] for row in range(count)), [count]]
    module = instructions_module(operands, ["add", *["tuple"] * count, "add"])
    graph = program_graph(module)
    assert set(zip(graph.source.tolist(), graph.target.tolist(), strict=True)) == {(0, count + 1)}


def test_the_same_program_has_the_same_columns():
    first, second = (program_graph(module_of(LOOP)) for _ in range(2))
    for name in ("node", "source", "target", "bytes", "count", "from_", "into", "by_target", "is_hub"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
