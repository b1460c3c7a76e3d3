"""Runs ahead of the device, and evaluates every tenth step on the host, which makes the two wait for each other.

An evaluation on the device would be other work than the steps, and what the device waits for then in none of them.
"""

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

EVALUATE_EVERY = 10


def predicted(weights, x):
    for weight in weights[:-1]:
        x = np.maximum(x @ np.asarray(weight), 0.0)  # line: predict
    return x @ np.asarray(weights[-1])


def evaluate(weights, held_out):
    worst = []
    for x in held_out:
        error = np.abs(predicted(weights, x) - x)  # line: error
        worst.append(np.sort(error.ravel())[-100:].mean())  # line: worst
    return max(worst)


def train(steps):
    generator = np.random.default_rng(0)
    held_out = generator.standard_normal((4, BATCH, WIDTH), dtype=np.float32)
    weights = start()
    for step, _ in enumerate(steps):
        x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)  # line: load
        weights, _ = train_step(weights, x, x)  # line: step
        if step % EVALUATE_EVERY == EVALUATE_EVERY - 1:
            evaluate(weights, held_out)  # line: evaluates


if __name__ == "__main__":
    truth_clock.watch(predicted, evaluate, train)
    train(truth_clock.steps(600))
