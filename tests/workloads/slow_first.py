"""A loop whose first step takes twice as long as the others, in the same program."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


@jax.jit
def train_step(weight, x, rounds):
    def one_round(_, w):
        return w + 1e-4 * (x @ w)  # line: round

    return jax.lax.fori_loop(0, rounds, one_round, weight)  # line: loop


weight = jnp.eye(512)  # line: arrays
x = jax.random.normal(jax.random.key(0), (512, 512))  # line: arrays
train_step.lower(weight, x, 4).compile()
clock = StepClock()
for step in range(50):
    with clock.step():
        weight = train_step(weight, x, 8 if step == 0 else 4)
        weight.block_until_ready()
clock.report()
