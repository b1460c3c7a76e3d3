"""Runs op by op since compiling was switched off, to see what is inside; repaired, it is on."""

import os
import sys

if "--repaired" not in sys.argv:
    os.environ["JAX_DISABLE_JIT"] = "1"  # line: flag

import jax
import jax.numpy as jnp
from stand_in import Clock


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
