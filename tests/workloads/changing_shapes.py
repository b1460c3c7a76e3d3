"""Sequences padded to one of three lengths: the step is compiled once for each."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


def loss_of(weight, x):
    return jnp.mean(jnp.tanh(x @ weight) ** 2)  # line: loss


@jax.jit
def train_step(weight, x):
    loss, gradient = jax.value_and_grad(loss_of)(weight, x)
    return weight - 0.01 * gradient, loss  # line: update


weight = jnp.eye(640)  # line: arrays
batches = [jax.random.normal(jax.random.key(length), (length, 640)) for length in (640, 704, 768)]  # line: arrays
clock = StepClock()
for step in range(60):
    with clock.step():
        weight, loss = train_step(weight, batches[step % 3])
        loss.block_until_ready()
clock.report()
