"""Layers: told by products, whatever a compiler does at the ends of a loop, and in programs that jax made."""

from pathlib import Path

import attrs
import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.program.programs import profile_of
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.scopes.layers import LEAST_LAYERS, layers_of
from scopelight.analysis.graph.scopes.signatures import OpSignature
from scopelight.analysis.graph.view import graph
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions


def signature(line, opcode="tanh", shape="f32[8]", phase=0):
    return OpSignature("net.py", line, "layer", phase, opcode, shape)


def numbered(counts):
    """The ops of signatures that are there so many times; products are those of the opcode dot."""
    rows = iter(range(10**6))
    ops = {each: [next(rows) for _ in range(count)] for each, count in counts.items()}
    of_row = {row: each for each, of_each in ops.items() for row in of_each}
    return ops, lambda row: of_row[row].shape if of_row[row].opcode == "dot" else None


def found(counts):
    return {each.repeated: set(each.signatures) for each in layers_of(*numbered(counts))}


def test_what_is_on_the_lines_of_products_is_in_the_layers():
    dot, before, last = signature(6, "dot"), signature(6), signature(6, "copy")
    other = signature(9)
    assert found({dot: 24, before: 23, last: 1, other: 5}) == {24: {dot, before, last}}


def test_several_products_of_a_line_are_in_each_layer():
    narrow, wide = signature(6, "dot"), signature(7, "dot", "f32[32]")
    assert found({narrow: 24, wide: 72}) == {24: {narrow, wide}}


def test_two_loops_are_two():
    encoder, decoder = signature(6, "dot"), signature(16, "dot")
    norms = {signature(7): 12, signature(17): 7}
    layers = found({encoder: 12, decoder: 7, **norms})
    assert encoder in layers[12]
    assert decoder not in layers[12]
    assert decoder in layers[7]


def test_phases_are_told_apart():
    forward, backward = signature(6, "dot"), signature(6, "dot", phase=1)
    assert len(layers_of(*numbered({forward: 24, backward: 24}))) == 2


def test_few_repetitions_are_no_layers():
    assert found({signature(6, "dot"): LEAST_LAYERS - 1, signature(7): LEAST_LAYERS - 1}) == {}


@given(
    st.dictionaries(
        st.builds(
            signature,
            st.integers(1, 6),
            st.sampled_from(("dot", "tanh", "copy")),
            st.sampled_from(("f32[8]", "f32[16]")),
            st.integers(0, 2),
        ),
        st.integers(1, 60),
        max_size=24,
    )
)
def test_each_op_is_in_one_layer_at_most(counts):
    layers = layers_of(*numbered(counts))
    members = [each for found in layers for each in found.signatures]
    assert len(set(members)) == len(members)
    assert all(each.repeated >= LEAST_LAYERS and each.signatures for each in layers)
    assert all(len({signature.phase for signature in each.signatures}) == 1 for each in layers)


LAYERS = 24


def layer(weights, x):
    hidden = jnp.tanh(x @ weights["wide"])
    return x + hidden @ weights["narrow"]


def plain(layers, x):
    for weights in layers:
        x = layer(weights, x)
    return x.sum()


def in_scopes(layers, x):
    for number, weights in enumerate(layers):
        with jax.named_scope(f"layer_{number}"):
            x = layer(weights, x)
    return x.sum()


@pytest.mark.parametrize("model", [plain, in_scopes])
def test_24_layers_that_jax_writes_out_are_one_node(model, compiled):
    weights = [{"wide": jnp.ones((16, 64)), "narrow": jnp.ones((64, 16))}] * LAYERS
    module, _ = compiled(model, weights, jnp.ones((32, 16)))
    subject = Subject.of(
        attrs.evolve(profile_of(), modules=(module,)), LineOptions(roots=(str(Path(__file__).parent),))
    )
    record = graph(subject, GraphOptions(level="scopes"))
    (layers,) = (node for node in record.nodes if node.kind == "scope")
    assert layers.repeated == LAYERS
    assert layers.name == ("layer" if model is plain else f"layer_0 … layer_{LAYERS - 1}")
    assert sum(node.ops for node in record.nodes) - layers.ops < LAYERS
