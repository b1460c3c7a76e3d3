"""A step that makes new weights beside the old ones, which nothing needs any more; repaired, it may reuse them."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from stand_in import REPAIRED, Clock, loss_of

WIDTH, BATCH = 512, 8


@functools.partial(jax.jit, donate_argnums=(0, 1) if REPAIRED else ())  # line: jit
def train_step(weights, momentum, x):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x)
    momentum = jax.tree.map(lambda old, gradient: 0.9 * old + gradient, momentum, gradients)
    weights = jax.tree.map(lambda weight, moving: weight - 0.01 * moving, weights, momentum)
    return weights, momentum, loss


def train(steps):
    # Made before, so that no step waits for its input.
    batches = list(np.random.default_rng(0).standard_normal((4, BATCH, WIDTH), dtype=np.float32))
    weights = [jnp.eye(WIDTH) * 0.5 for _ in range(3)]
    momentum = [jnp.zeros((WIDTH, WIDTH)) for _ in weights]
    for step in steps:
        weights, momentum, loss = train_step(weights, momentum, batches[step % len(batches)])  # line: step
        if step % 25 == 0:
            print(f"step {step} loss {loss:.4f}")


clock = Clock()
train(clock.steps(200))
clock.report()
