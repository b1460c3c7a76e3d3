"""A loop that fails midway."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


@jax.jit
def train_step(weight, x):
    return weight + 1e-4 * (x @ weight)  # line: product


weight = jnp.eye(768)  # line: arrays
x = jax.random.normal(jax.random.key(0), (768, 768))  # line: arrays
clock = StepClock()
for step in range(60):
    with clock.step():
        weight = train_step(weight, x)
        weight.block_until_ready()
    if step == 39:
        clock.report()
        raise RuntimeError("the disk is full")
