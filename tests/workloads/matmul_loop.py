"""Nothing but large products: the processor's time is theirs."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


@jax.jit
def product(x, y):
    return x @ y  # line: product


x = jax.random.normal(jax.random.key(0), (1024, 1024))  # line: arrays
y = jnp.eye(1024)  # line: arrays
clock = StepClock()
for _ in range(40):
    with clock.step():
        x = product(x, y)
        x.block_until_ready()
clock.report()
