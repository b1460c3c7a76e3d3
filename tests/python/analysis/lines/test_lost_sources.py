"""Ops that XLA rewrote without their source are on the lines that they were written on."""

from pathlib import Path

import jax
import jax.numpy as jnp

from scopelight.analysis.lines.hot_lines import LineOptions, hot_lines


def holds_lost_convolution(module, instruction):
    """Whether an op is, or is built around, a convolution that XLA rewrote without its source."""
    rows = module.computations[instruction.called[0]].instructions if instruction.opcode == "fusion" else ()
    candidates = [instruction, *map(module.instructions.__getitem__, rows)]
    return any(each.opcode == "convolution" and not each.stack for each in candidates)


def test_the_gradient_of_a_convolution_is_on_the_line_of_the_convolution(compiled_module, ops_of, profile_of):
    def loss(kernel, x):
        dimensions = ("NHWC", "HWIO", "NHWC")
        wide = jax.lax.conv_general_dilated(x, kernel["a"], (1, 1), "SAME", dimension_numbers=dimensions)
        wide = jax.nn.relu(wide)
        wide = jax.lax.conv_general_dilated(wide, kernel["b"], (2, 2), "SAME", dimension_numbers=dimensions)
        return jnp.mean(jax.nn.relu(wide))

    def step(kernel, momentum, x):
        momentum = jax.tree.map(lambda old, new: 0.9 * old + new, momentum, jax.grad(loss)(kernel, x))
        return jax.tree.map(lambda old, new: old - new, kernel, momentum), momentum

    kernel = {"a": jnp.ones((3, 3, 3, 16)), "b": jnp.ones((3, 3, 16, 32))}
    module = compiled_module(step, kernel, kernel, jnp.ones((4, 16, 16, 3)))
    lost = [op for op in ops_of(module) if holds_lost_convolution(module, op.instruction)]
    # One for each kernel: XLA:CPU transposes the arrays of both.
    assert len(lost) == 2
    found = set()
    for op in lost:
        record = hot_lines(profile_of([(op, 1000)]), LineOptions(roots=(str(Path(__file__).parent),)))
        (line,) = [line for line in record.lines if line.self_ps]
        assert line.backward_ps == line.self_ps == 1000
        text = Path(__file__).read_text().splitlines()[line.line - 1]
        assert "conv_general_dilated" in text
        found.add(line.line)
    assert len(found) == 2


def test_a_product_with_one_column_is_on_its_own_line(compiled_module, ops_of, profile_of):
    def step(matrix, x):
        product = matrix @ x  # the product
        return product / jnp.linalg.norm(product)

    module = compiled_module(step, jnp.ones((64, 64)), jnp.ones(64))
    (product,) = [op for op in ops_of(module) if op.instruction.opcode == "dot"]
    # XLA:CPU drops the dimension of size 1, and with it the product's name.
    assert not product.instruction.stack
    record = hot_lines(profile_of([(product, 1000)]), LineOptions(roots=(str(Path(__file__).parent),)))
    (line,) = [line for line in record.lines if line.self_ps]
    assert "# the product" in Path(__file__).read_text().splitlines()[line.line - 1]


def test_the_gradient_of_a_product_with_one_column_is_backward(compiled_module, ops_of, profile_of):
    def step(weight, x):
        gradient = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w)))(weight)  # forward and backward
        return weight - 0.1 * gradient

    module = compiled_module(step, jnp.ones((64, 1)), jnp.ones((32, 64)))
    products = [op for op in ops_of(module) if op.instruction.opcode == "dot"]
    assert len(products) == 2
    roots = LineOptions(roots=(str(Path(__file__).parent),))
    phases = []
    for product in products:
        (line,) = [line for line in hot_lines(profile_of([(product, 1000)]), roots).lines if line.self_ps]
        assert "# forward and backward" in Path(__file__).read_text().splitlines()[line.line - 1]
        phases.append((line.forward_ps, line.backward_ps))
    assert sorted(phases) == [(0, 1000), (1000, 0)]
