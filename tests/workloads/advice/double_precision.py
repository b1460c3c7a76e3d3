"""Computes in double precision because x64 was switched on; repaired, it was not."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock

jax.config.update("jax_enable_x64", not REPAIRED)


@jax.jit
def train_step(weights, x):
    return weights - 0.01 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(weights)  # line: op


def train(steps):
    weights, x = jnp.ones((512, 512)) * 0.01, jnp.ones((256, 512))
    for step in steps:
        weights = train_step(weights, x)
        if step % 50 == 0:
            print(f"step {step} {float(weights[0, 0]):.3f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(200))
clock.report()
