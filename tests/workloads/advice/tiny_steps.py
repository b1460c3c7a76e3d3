"""Steps that are over before the next is launched; repaired, many of them are one program."""

import jax
import jax.numpy as jnp
from stand_in import REPAIRED, Clock


def one(weights, _):
    return weights - 0.01 * jnp.tanh(weights), None


@jax.jit
def train_step(weights):
    if REPAIRED:
        return jax.lax.scan(one, weights, length=20_000)[0]
    return one(weights, None)[0]


def train(steps):
    weights = jnp.ones((8, 8))
    for step in steps:
        weights = train_step(weights)  # line: launch
        if step % 500 == 0:
            print(f"step {step} {float(weights[0, 0]):.3f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(60 if REPAIRED else 6000))
clock.report()
