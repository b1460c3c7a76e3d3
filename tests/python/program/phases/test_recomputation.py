"""What computes again: only what XLA left twice, whatever the names say."""

import collections

import jax
import jax.numpy as jnp
import pytest

from scopelight.formats.hlo import hlo_pb2
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.hlo.builder import build_module
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import module_phases, recomputed_instructions

X = jnp.ones((96, 48))


def two_products(p, x):
    with jax.named_scope("mlp"):
        return jnp.tanh(x @ p["up"]) @ p["down"]


def product_of_products(p, x):
    return x @ p["up"] @ p["down"]


def sum_of_products(p, x):
    return jnp.tanh(x @ p["up"]) + x @ p["down"]


def parameters(width):
    return {"up": jnp.ones((48, width)), "down": jnp.ones((width, 48))}


def layers(block, *, scoped=False):
    """The gradient of a few blocks, one after the other."""

    def loss(p, x):
        for row, each in enumerate(p):
            with jax.named_scope(f"block_{row}" if scoped else "block"):
                x = x + block(each, x)
        return jnp.mean(x**2)

    return jax.grad(loss)


def scanned(block):
    """The gradient of the blocks as a loop."""

    def loss(p, x):
        x, _ = jax.lax.scan(lambda x, each: (x + block(each, x), None), x, p)
        return jnp.mean(x**2)

    return jax.grad(loss)


def repeated_flops(module):
    """FLOPs of a module's computations, loops once, and those of them that are computed again."""
    flops = ModuleFlops(module)
    found = [flops.of(each) for each in module.instructions if not module.computations[each.computation].is_fusion]
    return sum(each.flops or 0 for each in found), sum(each.repeated_flops for each in found)


def repeated_flops_of(built):
    return repeated_flops(built[0])


@pytest.mark.parametrize("scoped", [True, False])
@pytest.mark.parametrize("width", [48, 80])
@pytest.mark.parametrize("block", [two_products, product_of_products, sum_of_products])
def test_nothing_is_computed_again_where_the_compiler_merged_it(compiled, block, width, scoped):
    if block is sum_of_products and width != 48:
        pytest.skip("the two products are added")
    arguments = [parameters(width)] * 3, X
    plain = repeated_flops_of(compiled(layers(block, scoped=scoped), *arguments))
    module, _ = compiled(layers(jax.checkpoint(block), scoped=scoped), *arguments)
    # Without it the test would say nothing: the names are there.
    assert block is product_of_products or any("rematted_computation" in each.op_name for each in module.instructions)
    flops, again = repeated_flops(module)
    assert flops == pytest.approx(plain[0], rel=0.01)
    assert plain[1] == 0
    # XLA may compute what costs nothing to speak of in several fusions.
    assert again < 0.005 * flops
    assert not any(each.opcode == "dot" for each in recomputed_instructions(module))


def test_what_is_merged_belongs_to_the_forward_pass(compiled):
    module, _ = compiled(layers(jax.checkpoint(two_products)), [parameters(80)] * 3, X)
    phases = collections.defaultdict(set)
    for each, phase in zip(module.instructions, module_phases(module), strict=True):
        if "rematted_computation" in each.op_name:
            phases[each.opcode].add(Phase(phase))
    assert phases["dot"] == phases["tanh"] == {Phase.FORWARD}


def test_nested_checkpoints_are_merged_as_well(compiled):
    inner = jax.checkpoint(two_products)

    def outer(p, x):
        for each in p:
            x = x + inner(each, x)
        return x

    def loss(block):
        return jax.grad(lambda p, x: jnp.mean(block(p, x) ** 2))

    arguments = [parameters(80)] * 2, X
    flops, again = repeated_flops_of(compiled(loss(jax.checkpoint(outer)), *arguments))
    assert flops == pytest.approx(repeated_flops_of(compiled(loss(outer), *arguments))[0], rel=0.01)
    assert again == 0


@pytest.mark.parametrize("width", [48, 80])
def test_a_loop_over_layers_computes_the_forward_pass_again(compiled, width):
    stacked = jax.tree.map(lambda *each: jnp.stack(each), *[parameters(width)] * 3)
    plain, none = repeated_flops_of(compiled(scanned(two_products), stacked, X))
    flops, again = repeated_flops_of(compiled(scanned(jax.checkpoint(two_products)), stacked, X))
    assert none == 0
    # One of the two products is needed for the gradient: it is computed again, with what stands around it.
    product = 2 * 96 * 48 * width
    assert again == pytest.approx(product, rel=0.05)
    assert flops - plain == pytest.approx(product, rel=0.05)


def test_a_loop_that_is_computed_again_as_a_whole(compiled):
    stacked = jax.tree.map(lambda *each: jnp.stack(each), *[parameters(80)] * 3)

    def loss(p, x):
        x, _ = jax.checkpoint(lambda p, x: jax.lax.scan(lambda x, each: (x + two_products(each, x), None), x, p))(p, x)
        return jnp.mean(x**2)

    module, _ = compiled(jax.grad(loss), stacked, X)
    _, again = repeated_flops(module)
    assert again == pytest.approx(2 * 2 * 96 * 48 * 80, rel=0.05)
    loops = [each for each in module.instructions if each.opcode == "while" and "rematted" in each.op_name]
    assert loops
    assert set(loops) <= recomputed_instructions(module)


def test_gradients_in_a_loop_over_batches_are_looked_at_like_a_step(compiled):
    gradient = layers(jax.checkpoint(two_products))
    arguments = [parameters(80)] * 2

    def accumulated(p, xs):
        def body(total, x):
            return jax.tree.map(jnp.add, total, gradient(p, x)), None

        return jax.lax.scan(body, jax.tree.map(jnp.zeros_like, p), xs)[0]

    module, _ = compiled(accumulated, arguments, jnp.ones((4, *X.shape)))
    assert any("rematted_computation" in each.op_name for each in module.instructions)
    assert repeated_flops(module)[1] == 0


def test_what_a_barrier_keeps_apart_is_computed_twice():
    """XLA for accelerators keeps the barriers of `jax.checkpoint`, so that both computations stay."""
    lowered = jax.jit(layers(jax.checkpoint(two_products))).lower([parameters(80)] * 2, X)
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(lowered.compiler_ir("hlo").as_serialized_hlo_module_proto())
    module = build_module(proto, "")
    again = [each for each in recomputed_instructions(module) if each.opcode == "dot"]
    marked = [each for each in module.instructions if each.opcode == "dot" and "rematted" in each.op_name]
    assert len(marked) >= 2
    assert set(again) == set(marked)
