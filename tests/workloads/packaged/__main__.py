"""Entry of `python -m packaged`."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock

from .network import loss_of


@jax.jit
def train_step(weight, x):
    loss, gradient = jax.value_and_grad(loss_of)(weight, x)
    return weight - 0.01 * gradient, loss  # line: update


weight = jnp.eye(640)  # line: arrays
x = jax.random.normal(jax.random.key(0), (768, 640))  # line: arrays
clock = StepClock()
for _ in range(40):
    with clock.step():
        weight, loss = train_step(weight, x)
        loss.block_until_ready()
clock.report()
