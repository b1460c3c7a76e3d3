"""Updates the weights op by op; repaired, in one program."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock


@jax.jit
def gradients_of(weights, x):
    return jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w["in"]) @ w["out"]) ** 2))(weights)


def update(weights, moments, gradients):
    moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments, gradients)
    scaled = jax.tree.map(lambda m: 0.01 * m / (jnp.sqrt(jnp.mean(m**2)) + 1e-8), moments)  # line: update
    weights = jax.tree.map(lambda w, s: w - s, weights, scaled)
    return weights, moments


if REPAIRED:
    update = jax.jit(update)


def train(steps):
    weights = {"in": jnp.ones((64, 64)), "out": jnp.ones((64, 64))}
    moments = jax.tree.map(jnp.zeros_like, weights)
    x = jnp.ones((32, 64))
    for step in steps:
        gradients = gradients_of(weights, x)
        weights, moments = update(weights, moments, gradients)
        if step % 50 == 0:
            print(f"step {step} {float(weights['in'][0, 0]):.3f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(600))
clock.report()
