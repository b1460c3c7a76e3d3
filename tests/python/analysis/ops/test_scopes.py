"""Scopes: the names around an op, without what jax adds."""

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.ops.scopes import scope_of


@pytest.mark.parametrize(
    ("op_name", "scope"),
    [
        ("", ()),
        ("params['w']", ()),
        ("jit(f)/add", ()),
        ("jit(f)/jit(main)/mlp/dot_general", ("mlp",)),
        ("jit(f)/jvp(mlp)/dot_general", ("mlp [forward]",)),
        ("jit(f)/transpose(jvp(mlp))/dot_general", ("mlp [backward]",)),
        ("jit(f)/transpose(jvp(block))/mlp/dot_general[precision=None]", ("block [backward]", "mlp")),
        ("jit(f)/transpose(jvp(block))/checkpoint/rematted_computation/mlp/tanh", ("block [recompute]", "mlp")),
        ("jit(f)/transpose(jvp())/checkpoint/rematted_computation/tanh", ("[recompute]",)),
        ("jit(f)/transpose(jvp(block))/checkpoint/mlp/tanh", ("block [backward]", "mlp")),
        ("jit(f)/jvp()/while/body/closed_call/layer/dot_general", ("[forward]", "layer")),
        ("jit(f)/jit(relu)/max", ("relu",)),
        ("jit(f)/jvp(jit(relu))/max", ("relu [forward]",)),
        ("jit(f)/vmap(head)/cond/branch_1_fun/mul", ("head",)),
        ("jit(f)/a/add;jit(f)/b/mul", ("a",)),
        # Below jax.checkpoint the scopes around it stand in the name twice.
        ("jit(f)/transpose(jvp(block))/jvp(block)/checkpoint/mlp/mul", ("block [backward]", "mlp")),
        ("jit(f)/transpose(jvp(a))/b/jvp(a)/b/checkpoint/c/mul", ("a [backward]", "b", "c")),
        ("jit(f)/transpose(jvp(a))/b/jvp(a)/b/checkpoint/rematted_computation/c/tanh", ("a [recompute]", "b", "c")),
        ("jit(f)/transpose(jvp(a))/jvp(a)/checkpoint/b/jvp(a)/b/checkpoint/c/mul", ("a [backward]", "b", "c")),
        ("jit(f)/transpose(jvp(a))/jvp(b)/mul", ("a [backward]", "b")),
        ("jit(f)/transpose(jvp())/jvp()/checkpoint/mul", ("[backward]",)),
        # Scopes of the user that are called like what jax adds.
        ("jit(f)/scan/while/body/closed_call/tanh", ("scan",)),
        ("jit(f)/while/while/body/add", ("while",)),
        ("jit(f)/while/while/cond/lt", ("while",)),
        ("jit(f)/while/while", ("while",)),
        ("jit(f)/while/add", ("while",)),
        ("jit(f)/cond/cond/branch_0_fun/sin", ("cond",)),
        ("jit(f)/cond/gt", ("cond",)),
        ("jit(f)/body/mul", ("body",)),
        ("jit(f)/jvp(while)/body/cond/branch_1_fun/mul", ("[forward]",)),
    ],
)
def test_levels(op_name, scope):
    assert scope_of(op_name) == scope


def test_what_is_left_of_the_forward_pass_stands_with_it():
    name = "jit(f)/transpose(jvp(block))/jvp(block)/checkpoint/rematted_computation/mlp/tanh"
    assert scope_of(name, computes_again=False) == scope_of("jit(f)/jvp(block)/mlp/tanh") == ("block [forward]", "mlp")
    assert scope_of("jit(f)/jvp()/tanh", computes_again=False) == ("[forward]",)


@given(st.text(max_size=200))
def test_any_name_has_a_scope(op_name):
    assert all(scope_of(op_name))
    assert len(scope_of("jit(f)/" + "a/" * 3000 + op_name)) < 200
    assert all(scope_of(f"jit(f)/transpose(jvp({op_name}))/jvp({op_name})/{op_name}/add"))


def test_nesting_is_bounded():
    assert scope_of("jit(f)/" + "jvp(" * 5000 + "x" + ")" * 5000 + "/add")


def test_passes_of_a_real_program_stand_side_by_side(compiled_module):
    def loss(w, x):
        def body(x, _):
            with jax.named_scope("block"):
                return jax.checkpoint(lambda x: jnp.tanh(x @ w) @ w)(x), None

        x, _ = jax.lax.scan(body, x, length=3)
        return jnp.sum(x * x)

    module = compiled_module(jax.grad(loss), jnp.ones((64, 64)), jnp.ones((8, 64)))
    scopes = {scope_of(each.op_name)[:2] for each in module.instructions if "/" in each.op_name}
    assert {("[forward]", "block"), ("[backward]", "block"), ("[recompute]", "block")} <= scopes
