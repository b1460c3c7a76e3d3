"""Updates the weights op by op; repaired, in one program."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock


@jax.jit
def gradients_of(weights, x):
    def loss(weights):
        y = x
        for weight in weights.values():
            y = jnp.tanh(y @ weight)
        return jnp.mean((y - x) ** 2)

    return jax.grad(loss)(weights)


def update(weights, moments, gradients):
    moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments, gradients)  # line: update
    scaled = jax.tree.map(lambda m: 0.01 * m / (jnp.sqrt(jnp.mean(m**2)) + 1e-8), moments)  # line: update
    weights = jax.tree.map(lambda w, s: w - s, weights, scaled)  # line: update
    return weights, moments


if REPAIRED:
    update = jax.jit(update)


def train(steps):
    weights = {f"layer{number}": jnp.eye(64) for number in range(6)}
    moments = jax.tree.map(jnp.zeros_like, weights)
    x = jnp.ones((32, 64))
    for step in steps:
        gradients = gradients_of(weights, x)
        weights, moments = update(weights, moments, gradients)  # line: update
        if step % 50 == 0:
            print(f"step {step} {float(weights['layer0'][0, 0]):.3f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(300))
clock.report()
