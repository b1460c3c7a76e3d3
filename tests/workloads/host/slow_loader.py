"""A loader that waits 20 ms for each batch, as one on a slow file system does; nothing else holds the step up."""

import time

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step


def batches(steps):
    generator = np.random.default_rng(0)
    x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)
    for _ in steps:
        time.sleep(0.020)  # line: load
        yield x, x


def train(steps):
    weights = start()
    for x, y in batches(steps):
        weights, loss = train_step(weights, x, y)  # line: step
    print(f"loss {loss:.4f}")


if __name__ == "__main__":
    truth_clock.watch(batches, train)
    train(truth_clock.steps(200))
