"""A training loop with neither annotation nor arguments of its own for profiling."""

import argparse

import jax
import jax.numpy as jnp
from ground_truth import StepClock


def loss_of(weights, x, y):
    hidden = jnp.tanh(x @ weights["in"])  # line: hidden
    error = hidden @ weights["out"] - y  # line: output
    return jnp.mean(error * error)  # line: mean


@jax.jit
def train_step(weights, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, gradients), loss  # line: update


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--rows", type=int, default=1024)
    options = parser.parse_args()
    keys = jax.random.split(jax.random.key(0), 4)  # line: arrays
    weights = {
        "in": jax.random.normal(keys[0], (512, options.width)) * 0.05,  # line: arrays
        "out": jax.random.normal(keys[1], (options.width, 64)) * 0.05,  # line: arrays
    }
    x = jax.random.normal(keys[2], (options.rows, 512))  # line: arrays
    y = jax.random.normal(keys[3], (options.rows, 64))  # line: arrays
    clock = StepClock()
    for _ in clock.steps(options.steps):
        with clock.step():
            weights, loss = train_step(weights, x, y)
            loss.block_until_ready()
    clock.report()


main()
