"""Waits 20 ms for each batch, and evaluates every third step on the device, with a batch that it waits for as well."""

import time

import jax
import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, loss_of, start, train_step

EVALUATE_EVERY = 3


@jax.jit
def evaluate_step(weights, x, y):
    return loss_of(weights, x, y)


def load(generator):
    x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)  # line: make
    time.sleep(0.020)  # line: load
    return x


def load_held_out(generator):
    x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)
    time.sleep(0.005)  # line: load held out
    return x


def train(steps):
    generator = np.random.default_rng(0)
    weights = start()
    for step, _ in enumerate(steps):
        x = load(generator)
        weights, loss = train_step(weights, x, x)
        loss.block_until_ready()
        if step % EVALUATE_EVERY == EVALUATE_EVERY - 1:
            x = load_held_out(generator)  # line: held out
            float(evaluate_step(weights, x, x))  # line: evaluate


if __name__ == "__main__":
    truth_clock.watch(load, load_held_out, train)
    train(truth_clock.steps(200))
