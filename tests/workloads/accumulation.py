"""Gradient accumulation: the gradients of four micro-batches are added up, then applied."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


def loss_of(weight, x):
    return jnp.mean((jnp.tanh(x @ weight) - x) ** 2)  # line: loss


@jax.jit
def accumulated(weight, total, x):
    return total + jax.grad(loss_of)(weight, x)  # line: total


@jax.jit
def applied(weight, total):
    return weight - 0.01 * total / 4  # line: update


weight = jnp.eye(512)  # line: arrays
micro_batches = jax.random.normal(jax.random.key(0), (4, 512, 512))  # line: arrays
clock = StepClock()
for _ in clock.steps(200):
    with clock.step():
        total = jnp.zeros_like(weight)  # line: zeros
        for each in range(4):
            total = accumulated(weight, total, micro_batches[each])  # line: slice
        weight = applied(weight, total)
        weight.block_until_ready()
clock.report()
