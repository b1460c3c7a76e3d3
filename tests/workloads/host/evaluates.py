"""Runs ahead of the device, and evaluates every tenth step on the host, which makes the two wait for each other.

An evaluation on the device would be other work than the steps, and what the device waits for then in none of them.
"""

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

EVALUATE_EVERY = 10
EXAMPLES = 384


def evaluate(weights, held_out):
    arrays = [np.asarray(weight) for weight in weights]  # line: gather
    x = held_out
    for weight in arrays:
        # Not with BLAS, whose threads go on spinning for a while and keep the cores from the device, and the two clocks
        # that are compared from each other.
        x = np.einsum("ij,jk->ik", x, weight)  # line: predict
    return np.sort(np.abs(x - held_out), axis=None)[-1000:].mean()  # line: worst


def train(steps):
    generator = np.random.default_rng(0)
    held_out = generator.standard_normal((EXAMPLES, WIDTH), dtype=np.float32)
    weights = start()
    for step, _ in enumerate(steps):
        x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)  # line: load
        weights, _ = train_step(weights, x, x)  # line: step
        if step % EVALUATE_EVERY == EVALUATE_EVERY - 1:
            evaluate(weights, held_out)  # line: evaluates


if __name__ == "__main__":
    truth_clock.watch(evaluate, train)
    train(truth_clock.steps(600))
