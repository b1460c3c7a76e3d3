"""Checks every result for NaNs, as was left on after debugging; repaired, it does not."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock

if not REPAIRED:
    jax.config.update("jax_debug_nans", True)  # line: flag


@jax.jit
def train_step(weights, x):
    return weights - 0.01 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(weights)


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
