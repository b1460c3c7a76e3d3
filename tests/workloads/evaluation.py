"""A training loop that evaluates on more data every tenth step."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


def loss_of(weight, x):
    return jnp.mean((jnp.maximum(x @ weight, 0.0) - x) ** 2)  # line: loss


@jax.jit
def train_step(weight, x):
    loss, gradient = jax.value_and_grad(loss_of)(weight, x)
    return weight - 0.01 * gradient, loss  # line: update


@jax.jit
def evaluate(weight, x):
    return loss_of(weight, x)


weight = jnp.eye(640)  # line: arrays
x = jax.random.normal(jax.random.key(0), (768, 640))  # line: arrays
held_out = jax.random.normal(jax.random.key(1), (2048, 640))  # line: arrays
clock = StepClock()
for step in clock.steps(300):
    with clock.step():
        weight, loss = train_step(weight, x)
        loss.block_until_ready()
        if step % 10 == 9:
            evaluate(weight, held_out).block_until_ready()
clock.report()
