"""Prints from inside of the step, which calls Python back; repaired, it does not."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock


@jax.jit
def train_step(weights, x):
    loss, gradient = jax.value_and_grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(weights)
    if not REPAIRED:
        jax.debug.callback(lambda value: sum(range(20_000), int(value)), loss)  # line: callback
    return weights - 0.01 * gradient


def train(steps):
    weights, x = jnp.ones((256, 256)) * 0.01, jnp.ones((128, 256))
    for step in steps:
        weights = train_step(weights, x)
        if step % 50 == 0:
            print(f"step {step} {float(weights[0, 0]):.3f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(300))
clock.report()
