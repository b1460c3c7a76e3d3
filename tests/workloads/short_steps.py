"""Steps of well under 100 microseconds: what tracing costs shows most here."""

import argparse

import jax
import jax.numpy as jnp
from ground_truth import StepClock


@jax.jit
def train_step(weight, x):
    return weight + 0.001 * (x @ weight)


parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=100_000)
options = parser.parse_args()
weight = jnp.eye(32)
x = jnp.zeros((32, 32))
clock = StepClock()
for _ in range(options.steps):
    with clock.step():
        weight = train_step(weight, x)
        weight.block_until_ready()
clock.report()
