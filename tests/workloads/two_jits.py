"""A step of two programs: one for the gradients, one to apply them."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


def loss_of(weight, x):
    return jnp.mean((x @ weight - x) ** 2)  # line: product


@jax.jit
def gradients_of(weight, x):
    return jax.grad(loss_of)(weight, x)


@jax.jit
def applied(weight, gradient):
    for _ in range(4):
        weight = weight - 0.001 * jnp.sign(gradient) * jnp.exp(-gradient * gradient * weight)  # line: update
    return weight


weight = jnp.eye(768)  # line: arrays
x = jax.random.normal(jax.random.key(0), (512, 768))  # line: arrays
clock = StepClock()
for _ in clock.steps(250):
    with clock.step():
        gradient = gradients_of(weight, x)
        weight = applied(weight, gradient)
        weight.block_until_ready()
clock.report()
